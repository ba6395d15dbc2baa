import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { openEngine } from './engine-alone.ts';

/** Folder of the generated data, ignored by git. */
export const DATA = join(import.meta.dirname, '../data');

/** Rows of the large files. */
export const LARGE_ROWS = 2_500_000;

/** Lines of the JSON file. */
export const EVENT_ROWS = 1_000_000;

/** Rows of flights, of a range `t(i)`. */
export const FLIGHTS = `SELECT i AS id, ('2024-01-01'::DATE + (i % 366)::INTEGER)::DATE AS day, 'A' || lpad((hash(i) % 300)::VARCHAR, 3, '0') AS origin,
  'A' || lpad((hash(i * 7 + 1) % 300)::VARCHAR, 3, '0') AS destination, (hash(i * 3) % 240)::INTEGER - 30 AS delay, (hash(i * 5) % 3000 + 100)::INTEGER AS distance,
  round((hash(i * 11) % 100000) / 100.0, 2) AS price`;

const WIDE = `SELECT (hash(i) % 1000)::INTEGER AS n, 'city ' || (hash(i * 3) % 10) AS city, 'a note of row ' || i AS note,
  round((hash(i * 5) % 100000) / 100.0, 2) AS price, '2024-01-01'::TIMESTAMP + to_seconds((hash(i * 7) % 31622400)::BIGINT) AS seen`;

const EVENTS = `SELECT i AS id, 'u' || (hash(i) % 5000) AS user, ['DE', 'FR', 'IT', 'PL', 'US'][(hash(i * 3) % 5)::INTEGER + 1] AS country,
  {'os': ['linux', 'mac', 'windows'][(hash(i * 5) % 3)::INTEGER + 1], 'version': (hash(i * 7) % 20)::INTEGER} AS device,
  [{'sku': 's' || (hash(i * 11 + k) % 500), 'quantity': (hash(i * 13 + k) % 9 + 1)::INTEGER} for k in range((hash(i * 17) % 4)::BIGINT)] AS items`;

/**
 * Generates missing files: flights.csv and flights.parquet with LARGE_ROWS rows, small.csv and wide.csv with 100,
 * airports.csv with the 300 codes of the flights, events.json with EVENT_ROWS nested lines.
 */
export async function makeData(): Promise<void> {
  await makeSmallData();
  const airports = `SELECT 'A' || lpad(i::VARCHAR, 3, '0') AS code, 'region ' || (i % 12) AS region`;
  await makeFiles([
    { name: 'flights.csv', rows: LARGE_ROWS, select: FLIGHTS, options: 'FORMAT csv, HEADER' },
    { name: 'flights.parquet', rows: LARGE_ROWS, select: FLIGHTS, options: 'FORMAT parquet' },
    { name: 'airports.csv', rows: 300, select: airports, options: 'FORMAT csv, HEADER' },
    { name: 'events.json', rows: EVENT_ROWS, select: EVENTS, options: 'FORMAT json' },
  ]);
}

/** Generates small.csv and wide.csv if missing. */
export async function makeSmallData(): Promise<void> {
  await makeFiles([
    { name: 'small.csv', rows: 100, select: FLIGHTS, options: 'FORMAT csv, HEADER' },
    { name: 'wide.csv', rows: 100, select: WIDE, options: 'FORMAT csv, HEADER' },
  ]);
}

/** A generated file: the number of rows, and the `select` of row `i`. */
export interface MadeFile {
  readonly name: string;
  readonly rows: number;
  readonly select: string;
  /** Options of the engine's COPY. */
  readonly options: string;
}

/** Generates missing files. */
export async function makeFiles(files: readonly MadeFile[]): Promise<void> {
  await mkdir(DATA, { recursive: true });
  const { connection, close } = await openEngine();
  for (const { name, rows, select, options } of files) {
    const path = join(DATA, name);
    if (!existsSync(path)) await connection.run(`COPY (${select} FROM range(${rows}) t(i)) TO '${path}' (${options})`);
  }
  close();
}
