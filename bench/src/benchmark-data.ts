import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';

/** Where the made data lies; git ignores it. */
export const DATA = join(import.meta.dirname, '../data');

/** Rows of the large files. */
export const LARGE_ROWS = 2_500_000;

const FLIGHTS = `SELECT i AS id, ('2024-01-01'::DATE + (i % 366)::INTEGER)::DATE AS day, 'A' || lpad((hash(i) % 300)::VARCHAR, 3, '0') AS origin,
  'A' || lpad((hash(i * 7 + 1) % 300)::VARCHAR, 3, '0') AS destination, (hash(i * 3) % 240)::INTEGER - 30 AS delay, (hash(i * 5) % 3000 + 100)::INTEGER AS distance,
  round((hash(i * 11) % 100000) / 100.0, 2) AS price`;

/** Makes the files that are missing: flights.csv and flights.parquet with LARGE_ROWS rows, small.csv with 100. */
export async function makeData(): Promise<void> {
  await mkdir(DATA, { recursive: true });
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const copy = async (name: string, rows: number, format: string): Promise<void> => {
    const path = join(DATA, name);
    if (!existsSync(path)) await connection.run(`COPY (${FLIGHTS} FROM range(${rows}) t(i)) TO '${path}' (${format})`);
  };
  await copy('flights.csv', LARGE_ROWS, 'FORMAT csv, HEADER');
  await copy('flights.parquet', LARGE_ROWS, 'FORMAT parquet');
  await copy('small.csv', 100, 'FORMAT csv, HEADER');
  connection.closeSync();
  instance.closeSync();
}
