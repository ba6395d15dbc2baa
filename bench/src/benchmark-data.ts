import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';

/** Where the made data lies; git ignores it. */
export const DATA = join(import.meta.dirname, '../data');

/** Rows of the large files. */
export const LARGE_ROWS = 2_500_000;

/** Lines of the JSON file. */
export const EVENT_ROWS = 1_000_000;

const FLIGHTS = `SELECT i AS id, ('2024-01-01'::DATE + (i % 366)::INTEGER)::DATE AS day, 'A' || lpad((hash(i) % 300)::VARCHAR, 3, '0') AS origin,
  'A' || lpad((hash(i * 7 + 1) % 300)::VARCHAR, 3, '0') AS destination, (hash(i * 3) % 240)::INTEGER - 30 AS delay, (hash(i * 5) % 3000 + 100)::INTEGER AS distance,
  round((hash(i * 11) % 100000) / 100.0, 2) AS price`;

const EVENTS = `SELECT i AS id, 'u' || (hash(i) % 5000) AS user, ['DE', 'FR', 'IT', 'PL', 'US'][(hash(i * 3) % 5)::INTEGER + 1] AS country,
  {'os': ['linux', 'mac', 'windows'][(hash(i * 5) % 3)::INTEGER + 1], 'version': (hash(i * 7) % 20)::INTEGER} AS device,
  [{'sku': 's' || (hash(i * 11 + k) % 500), 'quantity': (hash(i * 13 + k) % 9 + 1)::INTEGER} for k in range((hash(i * 17) % 4)::BIGINT)] AS items`;

/**
 * Makes the files that are missing: flights.csv and flights.parquet with LARGE_ROWS rows, small.csv with 100, airports.csv with the 300
 * codes of the flights, events.json with EVENT_ROWS nested lines.
 */
export async function makeData(): Promise<void> {
  await mkdir(DATA, { recursive: true });
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const copy = async (name: string, rows: number, format: string, select = FLIGHTS): Promise<void> => {
    const path = join(DATA, name);
    if (!existsSync(path)) await connection.run(`COPY (${select} FROM range(${rows}) t(i)) TO '${path}' (${format})`);
  };
  await copy('flights.csv', LARGE_ROWS, 'FORMAT csv, HEADER');
  await copy('flights.parquet', LARGE_ROWS, 'FORMAT parquet');
  await copy('small.csv', 100, 'FORMAT csv, HEADER');
  await copy('airports.csv', 300, 'FORMAT csv, HEADER', `SELECT 'A' || lpad(i::VARCHAR, 3, '0') AS code, 'region ' || (i % 12) AS region`);
  await copy('events.json', EVENT_ROWS, 'FORMAT json', EVENTS);
  connection.closeSync();
  instance.closeSync();
}
