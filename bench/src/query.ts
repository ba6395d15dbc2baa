/** `npm run bench -- query [--small]`: queries through POST /query, each beside a floor that does the same without us; `--small`: small ones alone, briefly. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import autocannon from 'autocannon';

import { DATA, LARGE_ROWS, makeData, makeSmallData } from './benchmark-data.ts';
import { startBenchStack } from './bench-stack.ts';
import { openEngine } from './engine-alone.ts';
import type { Row } from './table.ts';
import { median, printTable } from './table.ts';
import { timed } from './timed.ts';

const RUNS = 5;
const isBrief = process.argv.includes('--small');
const LOAD_SECONDS = isBrief ? 1 : 4;
const SMALL = 'SELECT origin, COUNT(*) AS n FROM READ("file:small.csv") WHERE delay > 0 GROUP BY origin ORDER BY n DESC LIMIT 5';
const LARGE = (file: string): string =>
  `SELECT origin, COUNT(*) AS n, AVG(delay) AS late, SUM(distance) AS miles FROM READ("file:${file}") WHERE delay > 15 GROUP BY origin`;
const LARGE_SQL = (from: string): string =>
  `SELECT origin, count(*) AS n, avg(delay) AS late, sum(distance) AS miles FROM ${from} WHERE delay > 15 GROUP BY origin ORDER BY origin`;
const COLUMNS = `{'id':'BIGINT','day':'DATE','origin':'VARCHAR','destination':'VARCHAR','delay':'INTEGER','distance':'INTEGER','price':'DOUBLE'}`;
const WIDE = 'SELECT city, SUM(n) AS total FROM READ("file:wide.csv") WHERE n > 10 GROUP BY city ORDER BY total DESC LIMIT 5';
const WIDE_COLUMNS = `{'n':'INTEGER','city':'VARCHAR','note':'VARCHAR','price':'DOUBLE','seen':'TIMESTAMP'}`;
const readCsv = (name: string, columns = COLUMNS): string =>
  `read_csv('${join(DATA, name)}', auto_detect=false, header=true, columns=${columns})`;

await (isBrief ? makeSmallData() : makeData());
const stack = await startBenchStack({ SVC_FILE_ROOTS: DATA, SVC_LOG_LEVEL: 'warn', SVC_QUERY_CONCURRENCY_PER_SUBJECT: '8' });
try {
  const url = `http://127.0.0.1:${stack.port}/query`;
  const headers = { authorization: `Bearer ${await stack.token('bench')}`, 'content-type': 'text/plain' };
  const rows: Row[] = [...(isBrief ? [] : await measureLarge(url, headers)), ...(await measureSmall(url, headers))];
  console.log(`\n${isBrief ? '' : `${LARGE_ROWS} rows in the large files; `}medians; floor in the same run\n`);
  printTable(rows);
} finally {
  await stack.stop();
}

/** (a) One large query at a time, taking turns with the engine in this process. */
async function measureLarge(url: string, headers: Readonly<Record<string, string>>): Promise<readonly Row[]> {
  const { connection, close } = await openEngine();
  const found: Row[] = [];
  for (const [name, file, from] of [
    ['CSV', 'flights.csv', readCsv('flights.csv')],
    ['Parquet', 'flights.parquet', `read_parquet('${join(DATA, 'flights.parquet')}')`],
  ] as const) {
    const ours: number[] = [];
    const floor: number[] = [];
    for (let run = -1; run < RUNS; run += 1) {
      const mine = await timed(async () => void (await (await fetch(url, { method: 'POST', headers, body: LARGE(file) })).text()));
      const theirs = await timed(async () => void (await (await connection.run(LARGE_SQL(from))).getRows()));
      if (run < 0) continue; // the first finds out the type
      ours.push(mine);
      floor.push(theirs);
    }
    found.push({
      name: `(a) filter + group-by, ${name}`,
      ours: median(ours),
      floor: median(floor),
      unit: 'ms',
      target: { kind: 'at-most', ratio: 1.15 },
    });
  }
  close();
  return found;
}

/** (b), (c), (d) Small queries under load, taking turns with a bare server. */
async function measureSmall(url: string, headers: Readonly<Record<string, string>>): Promise<readonly Row[]> {
  const smallSql = `SELECT to_json({'origin': origin, 'n': n})::VARCHAR FROM (SELECT origin, count(*) AS n FROM ${readCsv('small.csv')} WHERE delay > 0 GROUP BY origin ORDER BY n DESC LIMIT 5)`;
  const wideSql = `SELECT to_json({'city': city, 'total': total})::VARCHAR FROM (SELECT city, sum(n) AS total FROM ${readCsv('wide.csv', WIDE_COLUMNS)} WHERE n > 10 GROUP BY city ORDER BY total DESC LIMIT 5)`;
  const floor = spawn(
    process.execPath,
    [join(import.meta.dirname, 'floor-server.ts'), JSON.stringify({ '/small': smallSql, '/wide': wideSql, '/constant': 'SELECT 42' })],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    const [first] = (await once(floor.stdout, 'data')) as [Buffer];
    const floorUrl = `http://127.0.0.1:${Number(first.toString())}`;
    const found: Row[] = [];
    for (const [name, body, path] of [
      ['(b) 100-row CSV', SMALL, '/small'],
      ['(c) 100-row CSV with a timestamp that nobody asks for', WIDE, '/wide'],
      ['(d) constant', 'SELECT 42 FROM [1]', '/constant'],
    ] as const) {
      for (const connections of [1, 16]) {
        const ours: autocannon.Result[] = [];
        const theirs: autocannon.Result[] = [];
        for (let run = 0; run < 2; run += 1) {
          ours.push(await load(url, { connections, headers, body }));
          theirs.push(await load(floorUrl + path, { connections, headers, body }));
        }
        const [mine] = ours;
        found.push({
          name: `${name}, ${connections} client${connections === 1 ? '' : 's'}`,
          unit: 'requests/s',
          target: { kind: 'at-least', ratio: 0.7 },
          ours: mean(ours),
          floor: mean(theirs),
          note: `p50 ${mine?.latency.p50} ms, p99 ${mine?.latency.p99} ms, errors ${ours.reduce((sum, result) => sum + result.non2xx + result.errors, 0)}`,
        });
      }
    }
    return found;
  } finally {
    floor.kill();
  }
}

async function load(
  url: string,
  at: { readonly connections: number; readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Promise<autocannon.Result> {
  return autocannon({
    url,
    method: 'POST',
    duration: LOAD_SECONDS,
    connections: at.connections,
    headers: { ...at.headers },
    body: at.body,
  });
}

function mean(results: readonly autocannon.Result[]): number {
  return results.reduce((sum, result) => sum + result.requests.average, 0) / results.length;
}
