/** `npm run bench -- results [ROWS]`: throughput of large results in every format, and the memory they take. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import autocannon from 'autocannon';

import { DATA, makeFiles } from './benchmark-data.ts';
import { startBenchStack } from './bench-stack.ts';
import { openEngine } from './engine-alone.ts';
import { cpuSecondsOf, watchProcess } from './executor-watch.ts';
import type { Ask, Received } from './result-client.ts';
import { readSlowly, receive } from './result-client.ts';
import type { Row } from './table.ts';
import { median, printTable } from './table.ts';

const [, rowsText = '20000000'] = process.argv.slice(2);
const ROWS = Number(rowsText);
if (!Number.isSafeInteger(ROWS) || ROWS < 1) throw new Error(`ROWS is a number of rows, not ${rowsText}`);
const MEMORY_LIMIT = 500_000_000;
const STALL_LIMIT = 50;
const FIRST_BYTE_RUNS = 7;
const SLOW_CLIENTS = 4;
const SLOW = { bytesPerSecond: 1000, seconds: 10 };
const ONE_ROW_CLIENTS = 16;
const ONE_ROW_SECONDS = 4;

/** Columns of a table of orders: an int, a long, text, a double, a decimal and a timestamp. */
const COLUMNS = 'id, number, name, weight, price, sold';
const ORDERS = `SELECT (i % 100000)::INTEGER AS id, i * 7919 AS number, 'customer ' || (hash(i) % 1000000)::VARCHAR AS name,
  round((hash(i * 3) % 1000000) / 1000.0, 3) AS weight, ((hash(i * 11) % 10000000) / 100.0)::DECIMAL(9,2) AS price,
  make_timestamp(1700000000000000 + i * 1000000) AS sold`;
const FILE = `orders-${ROWS}.parquet`;
const QUERY = `SELECT ${COLUMNS} FROM READ("file:${FILE}")`;
const ROWS_SQL = `SELECT ${COLUMNS} FROM read_parquet('${join(DATA, FILE)}')`;
const FORMATS = [
  { format: 'hjson', copy: 'FORMAT json', speedTarget: 1.5 },
  { format: 'json', copy: 'FORMAT json, ARRAY true', speedTarget: 1.5 },
  { format: 'csv', copy: 'FORMAT csv, HEADER', speedTarget: 1.5 },
  { format: 'parquet-raw', copy: 'FORMAT parquet, COMPRESSION zstd', speedTarget: 0.9 },
  { format: 'parquet-avro', copy: 'FORMAT parquet, COMPRESSION zstd', speedTarget: 0.9 },
] as const;
/** Text is as much for both; files of the same rows are not of the same size. */
const BY_BYTES = { unit: 'MB/s', amountOf: ({ bytes }: Received): number => bytes / 1e6, cpuName: 'a gigabyte', cpuAmount: 1000 };
const BY_ROWS = { unit: 'rows/ms', amountOf: (): number => ROWS / 1000, cpuName: 'a million rows', cpuAmount: 1000 };
const AT_MOST = { kind: 'at-most', ratio: 1 } as const;
const ONE_ROW = 'SELECT 42 AS id, "a name" AS name FROM [1]';
const ONE_ROW_SQL = `SELECT to_json({'id': 42, 'name': 'a name'})::VARCHAR`;

await makeFiles([{ name: FILE, rows: ROWS, select: ORDERS, options: 'FORMAT parquet' }]);
const stack = await startBenchStack({
  SVC_FILE_ROOTS: DATA,
  SVC_LOG_LEVEL: 'warn',
  SVC_QUERY_TIMEOUT_MS: '3600000',
  SVC_QUERY_CONCURRENCY_PER_SUBJECT: '8',
});
const { metricsUrl } = stack;
const pipe = spawn(process.execPath, [join(import.meta.dirname, 'fifo-server.ts'), ROWS_SQL], { stdio: ['ignore', 'pipe', 'inherit'] });
const bare = spawn(process.execPath, [join(import.meta.dirname, 'floor-server.ts'), JSON.stringify({ '/one': ONE_ROW_SQL })], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const ask = { url: `http://127.0.0.1:${stack.port}/query`, token: await stack.token('bench'), query: QUERY };
  const [pipeUrl, bareUrl] = [await firstLine(pipe), await firstLine(bare)];
  await receive({ ...ask, format: 'hjson' }, { isLeftEarly: true }); // finds out the type
  const rows: Row[] = [await measureOneRow(ask, `${bareUrl}/one`), ...(await measureSlowReaders({ ...ask, format: 'hjson' }))];
  for (const each of FORMATS) rows.push(...(await measure(each, ask, pipeUrl)));
  console.log(
    `\n${ROWS} rows; MB are 10^6 bytes of body; floors in the same run: a bare server that pipes a COPY, the engine's COPY to /dev/null\n`,
  );
  printTable(rows);
} finally {
  pipe.kill();
  bare.kill();
  await stack.stop();
}

/** Measures one format: the service, the bare server, the engine alone; then the time to the first byte, with warm processes. */
async function measure(
  { format, copy, speedTarget }: (typeof FORMATS)[number],
  base: Omit<Ask, 'format'>,
  pipeUrl: string,
): Promise<readonly Row[]> {
  const ask = { ...base, format };
  const watch = watchProcess(metricsUrl);
  const ourCpu = await cpuOf(() => cpuSecondsOf(metricsUrl));
  const ours = await receive(ask);
  const ourCpuSeconds = await ourCpu();
  const peaks = await watch.stop();
  const theirCpu = await cpuOf(async () => Number(await (await fetch(`${pipeUrl}/cpu`)).text()));
  const piped = await receive({ ...ask, url: `${pipeUrl}/${encodeURIComponent(copy)}` });
  const theirCpuSeconds = await theirCpu();
  const engineSeconds = await copySeconds(copy);
  const firstBytes: number[] = [];
  for (let run = 0; run < FIRST_BYTE_RUNS; run += 1) firstBytes.push((await receive(ask, { isLeftEarly: true })).firstByteMillis);
  const rows = rowsOf({ format, speedTarget, ours, piped, ourCpuSeconds, theirCpuSeconds, engineSeconds, peaks, firstBytes });
  printTable(rows); // some formats take minutes
  return rows;
}

interface Measured extends Pick<(typeof FORMATS)[number], 'format' | 'speedTarget'> {
  readonly ours: Awaited<ReturnType<typeof receive>>;
  /** Of the bare server. */
  readonly piped: Measured['ours'];
  readonly ourCpuSeconds: number;
  readonly theirCpuSeconds: number;
  readonly engineSeconds: number;
  readonly peaks: Awaited<ReturnType<ReturnType<typeof watchProcess>['stop']>>;
  readonly firstBytes: readonly number[];
}

function rowsOf(measured: Measured): readonly Row[] {
  const { format, speedTarget, ours, piped, ourCpuSeconds, theirCpuSeconds, engineSeconds, peaks, firstBytes } = measured;
  const { unit, amountOf, cpuName, cpuAmount } = format.startsWith('parquet') ? BY_ROWS : BY_BYTES;
  return [
    {
      name: `${format}, against the bare server`,
      ours: amountOf(ours) / ours.seconds,
      floor: amountOf(piped) / piped.seconds,
      unit,
      target: { kind: 'at-least', ratio: speedTarget },
      note: `${(ours.bytes / 1e6).toFixed(0)} MB, ${(ours.bytes / ROWS).toFixed(0)} bytes a row; theirs ${(piped.bytes / ROWS).toFixed(0)}`,
    },
    {
      name: `${format}, against the engine alone`,
      ours: amountOf(ours) / ours.seconds,
      floor: amountOf(ours) / engineSeconds,
      unit,
      target: { kind: 'at-least', ratio: 0 },
    },
    {
      // CPU time is reliable on a busy machine, elapsed time is not.
      name: `${format}, CPU of the server for ${cpuName}`,
      ours: (ourCpuSeconds * cpuAmount) / amountOf(ours),
      floor: (theirCpuSeconds * cpuAmount) / amountOf(piped),
      unit: 's',
      target: { kind: 'at-most', ratio: Math.round(100 / speedTarget) / 100 },
    },
    { name: `${format}, resident memory`, ours: peaks.residentBytes / 1e6, floor: MEMORY_LIMIT / 1e6, unit: 'MB', target: AT_MOST },
    { name: `${format}, longest stall`, ours: peaks.stallMillis, floor: STALL_LIMIT, unit: 'ms', target: AT_MOST },
    {
      name: `${format}, first byte`,
      ours: median(firstBytes),
      floor: format.startsWith('parquet') ? 200 : 50,
      unit: 'ms',
      target: AT_MOST,
      note: format.startsWith('parquet') ? 'with its first row group' : '',
    },
  ];
}

/** Returns a function that reads the increase since now. */
async function cpuOf(read: () => Promise<number>): Promise<() => Promise<number>> {
  const before = await read();
  return async () => (await read()) - before;
}

/** Many small answers, taking turns with a bare server. */
async function measureOneRow({ url, token }: Omit<Ask, 'format'>, bareUrl: string): Promise<Row> {
  const load = async (at: string): Promise<autocannon.Result> =>
    autocannon({
      url: at,
      method: 'POST',
      duration: ONE_ROW_SECONDS,
      connections: ONE_ROW_CLIENTS,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
      body: ONE_ROW,
    });
  const [ours, floors]: [autocannon.Result[], autocannon.Result[]] = [[], []];
  for (let run = 0; run < 4; run += 1) {
    const [mine, theirs] = [await load(url), await load(bareUrl)];
    if (run === 0) continue; // warms up
    ours.push(mine);
    floors.push(theirs);
  }
  const perSecond = (results: readonly autocannon.Result[]): number => median(results.map((result) => result.requests.average));
  const p99 = (results: readonly autocannon.Result[]): number => median(results.map((result) => result.latency.p99));
  return {
    name: `one row, ${ONE_ROW_CLIENTS} clients`,
    ours: perSecond(ours),
    floor: perSecond(floors),
    unit: 'requests/s',
    target: { kind: 'at-least', ratio: 0.7 },
    note: `p99 ${p99(ours)} ms, theirs ${p99(floors)} ms; errors ${ours.reduce((sum, result) => sum + result.non2xx + result.errors, 0)}`,
  };
}

/** Readers that hardly read a large result. Their queries continue without using memory. */
async function measureSlowReaders(ask: Ask): Promise<readonly Row[]> {
  const before = watchProcess(metricsUrl);
  await receive(ask, { isLeftEarly: true });
  const { residentBytes } = await before.stop();
  const watch = watchProcess(metricsUrl);
  const goOn = await Promise.all(Array.from({ length: SLOW_CLIENTS }, () => readSlowly(ask, SLOW)));
  const peaks = await watch.stop();
  return [
    {
      name: `${SLOW_CLIENTS} readers of ${SLOW.bytesPerSecond} bytes/s for ${SLOW.seconds} s: more memory for each`,
      ours: (peaks.residentBytes - residentBytes) / 1e6 / SLOW_CLIENTS,
      floor: 25,
      unit: 'MB',
      target: AT_MOST,
      note: `${goOn.filter(Boolean).length} queries still ran`,
    },
  ];
}

/** The engine writes the same rows directly and discards them. */
async function copySeconds(copy: string): Promise<number> {
  const { connection, close } = await openEngine();
  const began = performance.now();
  await connection.run(`COPY (${ROWS_SQL}) TO '/dev/null' (${copy})`);
  const seconds = (performance.now() - began) / 1000;
  close();
  return seconds;
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the floor has an output');
  const [first] = (await once(child.stdout, 'data')) as [Buffer];
  return `http://127.0.0.1:${Number(first.toString())}`;
}
