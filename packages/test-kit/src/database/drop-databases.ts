import { adminQuery } from './admin-query.ts';

/** Drops every database whose name begins with the prefix of a test run. */
export async function dropDatabases(url: string, run: string): Promise<void> {
  const rows = await adminQuery(url, `SELECT datname FROM pg_database WHERE starts_with(datname, '${run}')`);
  const statements = rows.map((row) => `DROP DATABASE IF EXISTS "${String(row['datname'])}" WITH (FORCE)`);
  await adminQuery(url, ...statements);
}
