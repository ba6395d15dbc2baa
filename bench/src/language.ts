/** `npm run bench -- language [PART OF A NAME]`: ten typical queries, each beside hand-written SQL in the same engine. */
import { join } from 'node:path';

import type { DuckDBPreparedStatement } from '@duckdb/node-api';

import { createBenchRuntime } from './bench-runtime.ts';
import { DATA, EVENT_ROWS, LARGE_ROWS, makeData } from './benchmark-data.ts';
import { openEngine } from './engine-alone.ts';
import type { Row } from './table.ts';
import { median, printTable } from './table.ts';

const RUNS = 7;
const THREADS = 2;
const FLIGHTS = `read_parquet('${join(DATA, 'flights.parquet')}')`;
const EVENTS = `read_json('${join(DATA, 'events.json')}', format='newline_delimited', columns={'id':'BIGINT','user':'VARCHAR','country':'VARCHAR','device':'STRUCT(os VARCHAR, version BIGINT)','items':'STRUCT(sku VARCHAR, quantity BIGINT)[]'})`;

interface Pair {
  readonly name: string;
  readonly query: string;
  readonly sql: string;
}

const PAIRS: readonly Pair[] = [
  {
    name: 'filter',
    query: `SELECT id, origin, delay FROM READ("file:flights.parquet") WHERE delay > 200`,
    sql: `SELECT id, origin, delay FROM ${FLIGHTS} WHERE delay > 200`,
  },
  {
    name: 'group',
    query: `SELECT origin, COUNT(*) AS n, AVG(delay) AS late, MAX(distance) AS far FROM READ("file:flights.parquet") GROUP BY origin`,
    sql: `SELECT origin, count(*) AS n, avg(delay) AS late, max(distance) AS far FROM ${FLIGHTS} GROUP BY origin ORDER BY origin`,
  },
  {
    name: 'join',
    query: `SELECT a.region, SUM(f.distance) AS miles FROM READ("file:flights.parquet") f JOIN READ("file:airports.csv") a ON a.code = f.origin GROUP BY a.region`,
    sql: `SELECT a.region, sum(f.distance) AS miles FROM ${FLIGHTS} f JOIN read_csv('${join(DATA, 'airports.csv')}') a ON a.code = f.origin GROUP BY a.region ORDER BY a.region`,
  },
  {
    name: 'nested group',
    query: `SELECT origin, (SELECT destination, COUNT(*) AS n FROM * GROUP BY destination) AS destinations FROM READ("file:flights.parquet") GROUP BY origin`,
    sql: `SELECT origin, list({'destination': destination, 'n': n} ORDER BY destination) AS destinations FROM (SELECT origin, destination, count(*) AS n FROM ${FLIGHTS} GROUP BY ALL) GROUP BY origin ORDER BY origin`,
  },
  {
    name: 'top three of each group',
    query: `SELECT origin, (SELECT id, delay FROM * ORDER BY delay DESC, id LIMIT 3) AS worst FROM READ("file:flights.parquet") GROUP BY origin`,
    sql: `SELECT origin, list({'id': id, 'delay': delay} ORDER BY delay DESC, id) AS worst FROM (SELECT origin, id, delay FROM ${FLIGHTS} QUALIFY row_number() OVER (PARTITION BY origin ORDER BY delay DESC, id) <= 3) GROUP BY origin ORDER BY origin`,
  },
  {
    name: 'unnest',
    query: `SELECT i.sku, SUM(i.quantity) AS sold FROM READ("file:events.json") e, e.items i GROUP BY i.sku`,
    sql: `SELECT i.sku, sum(i.quantity) AS sold FROM (SELECT unnest(items) AS i FROM ${EVENTS}) GROUP BY i.sku ORDER BY i.sku`,
  },
  {
    name: 'distinct',
    query: `SELECT DISTINCT origin, destination FROM READ("file:flights.parquet")`,
    sql: `SELECT DISTINCT origin, destination FROM ${FLIGHTS} ORDER BY ALL`,
  },
  {
    name: 'window',
    query: `SELECT id, SUM(delay) OVER (PARTITION BY origin ORDER BY id) AS total FROM READ("file:flights.parquet")`,
    sql: `SELECT id, sum(delay) OVER (PARTITION BY origin ORDER BY id) AS total FROM ${FLIGHTS}`,
  },
  {
    name: 'members of JSON',
    query: `SELECT e.device.os, COUNT(*) AS n FROM READ("file:events.json") e WHERE e.country = "DE" GROUP BY e.device.os`,
    sql: `SELECT device.os, count(*) AS n FROM ${EVENTS} WHERE country = 'DE' GROUP BY device.os ORDER BY device.os`,
  },
  {
    name: 'strings',
    query: `SELECT UPPER(LEFT(origin, 2)) AS prefix, COUNT(*) AS n FROM READ("file:flights.parquet") WHERE destination LIKE "A1%" AND LENGTH(TRIM(origin)) = 4 GROUP BY UPPER(LEFT(origin, 2))`,
    sql: `SELECT upper(left(origin, 2)) AS prefix, count(*) AS n FROM ${FLIGHTS} WHERE destination LIKE 'A1%' AND length(trim(origin)) = 4 GROUP BY ALL ORDER BY ALL`,
  },
];

await makeData();
let lowered = '';
const { hold, close } = await createBenchRuntime({
  threads: THREADS,
  onCompiled: ({ sql }) => {
    lowered = sql;
  },
});
const { connection, close: closeEngine } = await openEngine(THREADS);
await connection.run(`SET TimeZone = 'UTC'`);
const rows: Row[] = [];
const [wanted = ''] = process.argv.slice(3);
for (const { name, query, sql } of PAIRS.filter((pair) => pair.name.includes(wanted))) {
  // The statement names files of the query, which are there while it runs.
  const release = await hold(query);
  const [ours, floor] = [await connection.prepare(lowered), await connection.prepare(sql)];
  const times: { readonly ours: number[]; readonly floor: number[] } = { ours: [], floor: [] };
  for (let run = -1; run < RUNS; run += 1) {
    const [mine, theirs] = [await timed(ours), await timed(floor)];
    if (mine.rows !== theirs.rows) throw new Error(`${name}: ${mine.rows} rows, and ${theirs.rows} by hand`);
    if (run < 0) continue;
    times.ours.push(mine.millis);
    times.floor.push(theirs.millis);
  }
  await release();
  rows.push({ name, ours: median(times.ours), floor: median(times.floor), unit: 'ms', target: { kind: 'at-most', ratio: 2 } });
}
console.log(`\n${LARGE_ROWS} flights (Parquet), ${EVENT_ROWS} events (JSON), ${THREADS} threads; medians of ${RUNS}\n`);
printTable(rows);
const middle = median(rows.map((row) => row.ours / row.floor));
console.log(`\nmedian ratio ${middle.toFixed(2)}, target ≤ 1.2: ${middle <= 1.2 ? 'met' : 'MISSED'}`);
closeEngine();
await close();

async function timed(statement: DuckDBPreparedStatement): Promise<{ readonly millis: number; readonly rows: number }> {
  const began = performance.now();
  const result = await statement.run();
  return { millis: performance.now() - began, rows: result.rowCount };
}
