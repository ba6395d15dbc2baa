/** The floor of the small queries: a bare HTTP server that passes prepared SQL to the engine. Prints its port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { DuckDBInstance } from '@duckdb/node-api';

const CONNECTIONS = 8;
const [statements = '{}'] = process.argv.slice(2);
const sqlOf = new Map(Object.entries(JSON.parse(statements) as Readonly<Record<string, string>>));

const instance = await DuckDBInstance.create(':memory:', { threads: process.env['BENCH_THREADS'] ?? '2' });
const idle = await Promise.all(Array.from({ length: CONNECTIONS }, () => instance.connect()));
const waiting: (() => void)[] = [];

const server = createServer((req, res) => {
  req.resume();
  req.once('end', () => void answer(req.url ?? '').then((text) => res.end(text)));
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port)); // a listening TCP server has this kind of address

async function answer(path: string): Promise<string> {
  while (idle.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
  const connection = idle.pop();
  if (connection === undefined) throw new Error('a connection was idle');
  const result = await connection.run(sqlOf.get(path) ?? 'SELECT 1');
  const rows = await result.getRows();
  idle.push(connection);
  waiting.shift()?.();
  return rows.map((row) => `${String(row[0])}\n`).join('');
}
