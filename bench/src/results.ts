/** `npm run bench -- results [ROWS]`: how fast large results leave, in every format, and what they hold in memory meanwhile. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import { migrate } from '@svc/database';
import { freePort, loadSigningKey, mintAccessToken, startLocalStack } from '@svc/local-stack';

import { DATA } from './benchmark-data.ts';
import type { Row } from './table.ts';
import { median, printTable } from './table.ts';

const [, rowsText = '20000000'] = process.argv.slice(2);
const ROWS = Number(rowsText);
if (!Number.isSafeInteger(ROWS) || ROWS < 1) throw new Error(`ROWS is a number of rows, not ${rowsText}`);
const MEMORY_LIMIT = 500_000_000;
const SAMPLE_MILLIS = 100;
const FIRST_BYTE_RUNS = 5;

/** What a table of orders has: an int, a long, text, a double, a decimal and a timestamp. */
const COLUMNS = 'id, number, name, weight, price, sold';
const MADE = `SELECT (i % 100000)::INTEGER AS id, i * 7919 AS number, 'customer ' || (hash(i) % 1000000)::VARCHAR AS name,
  round((hash(i * 3) % 1000000) / 1000.0, 3) AS weight, ((hash(i * 11) % 10000000) / 100.0)::DECIMAL(9,2) AS price,
  make_timestamp(1700000000000000 + i * 1000000) AS sold FROM range(${ROWS}) t(i)`;
const FILE = `orders-${ROWS}.parquet`;
const QUERY = `SELECT ${COLUMNS} FROM READ("file:${FILE}")`;
const ROWS_SQL = `SELECT ${COLUMNS} FROM read_parquet('${join(DATA, FILE)}')`;
const FORMATS = [
  { format: 'hjson', copy: 'FORMAT json' },
  { format: 'json', copy: 'FORMAT json, ARRAY true' },
  { format: 'csv', copy: 'FORMAT csv, HEADER' },
  { format: 'parquet-raw', copy: 'FORMAT parquet, COMPRESSION zstd' },
  { format: 'parquet-avro', copy: 'FORMAT parquet, COMPRESSION zstd' },
  { format: 'sqlite', copy: 'FORMAT csv, HEADER' },
] as const;

const project = join(import.meta.dirname, '../..');
const dataDir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
await makeRows();
const [port, adminPort, authorizationPort] = [await freePort(), await freePort(), await freePort()];
const stack = await startLocalStack({
  directory: project,
  migrate,
  signal: new AbortController().signal,
  env: {
    ...process.env,
    SVC_DATA_DIR: dataDir,
    SVC_FILE_ROOTS: DATA,
    SVC_LOG_LEVEL: 'warn',
    SVC_EXECUTOR_PORT: String(port),
    SVC_EXECUTOR_ADMIN_PORT: String(adminPort),
    SVC_AUTHORIZATION_PORT: String(authorizationPort),
  },
});
const floor = spawn(process.execPath, [join(import.meta.dirname, 'fifo-server.ts'), ROWS_SQL], { stdio: ['ignore', 'pipe', 'inherit'] });
const agent = new Agent({ keepAlive: true });
try {
  const token = await mintAccessToken(await loadSigningKey(stack.settings.dataDir), {
    issuer: stack.settings.issuer,
    audience: stack.settings.audience,
    sub: 'bench',
    expiresInSeconds: 7200,
  });
  const ask = { url: `http://127.0.0.1:${port}/query`, token };
  const floorUrl = await firstLine(floor);
  const rows: Row[] = [];
  for (const { format, copy } of FORMATS) rows.push(...(await measure(format, copy, { ask, floorUrl })));
  console.log(
    `\n${ROWS} rows; MB are 10^6 bytes of body; floors in the same run: COPY to /dev/null, and a bare server that pipes a COPY\n`,
  );
  printTable(rows);
} finally {
  agent.destroy();
  floor.kill();
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
}

interface Ask {
  readonly url: string;
  readonly token: string;
}

/** One format: ours, the bare server, the engine alone; then the first byte, the processes being warm. */
async function measure(
  format: string,
  copy: string,
  { ask, floorUrl }: { readonly ask: Ask; readonly floorUrl: string },
): Promise<readonly Row[]> {
  const isText = !format.startsWith('parquet') && format !== 'sqlite';
  const memory = watchMemory();
  const ours = await receive(ask, format);
  const residentBytes = await memory.stop();
  const engineMegabytesPerSecond = ours.bytes / 1e6 / (await copySeconds(copy));
  const piped = format === 'sqlite' ? null : await receive({ url: `${floorUrl}/${encodeURIComponent(copy)}`, token: '' }, format);
  const firstBytes: number[] = [];
  for (let run = 0; run < FIRST_BYTE_RUNS; run += 1) firstBytes.push((await receive(ask, format, { isLeftEarly: true })).firstByteMillis);
  const note = `${(ours.bytes / 1e6).toFixed(0)} MB, ${(ours.bytes / ROWS).toFixed(0)} bytes a row`;
  return [
    ...(piped === null
      ? []
      : [
          {
            name: `${format}, against the bare server`,
            ours: speed(ours),
            floor: speed(piped),
            unit: 'MB/s',
            target: { kind: 'at-least', ratio: isText ? 1.5 : 0.9 },
            note,
          } as const,
        ]),
    {
      name: `${format}, against the engine alone`,
      ours: speed(ours),
      floor: engineMegabytesPerSecond,
      unit: 'MB/s',
      target: { kind: 'at-least', ratio: 0 },
    },
    {
      name: `${format}, resident memory`,
      ours: residentBytes / 1e6,
      floor: MEMORY_LIMIT / 1e6,
      unit: 'MB',
      target: { kind: 'at-most', ratio: 1 },
    },
    ...(isText
      ? [{ name: `${format}, first byte`, ours: median(firstBytes), floor: 50, unit: 'ms', target: { kind: 'at-most', ratio: 1 } } as const]
      : []),
  ];
}

interface Received {
  readonly bytes: number;
  readonly seconds: number;
  readonly firstByteMillis: number;
}

function speed({ bytes, seconds }: Received): number {
  return bytes / 1e6 / seconds;
}

/** Reads a whole answer, or only its start, and keeps nothing of it. */
async function receive(ask: Ask, format: string, { isLeftEarly = false } = {}): Promise<Received> {
  const began = performance.now();
  const req = request(ask.url, {
    method: 'POST',
    agent,
    headers: { authorization: `Bearer ${ask.token}`, 'content-type': 'text/plain', 'x-svc-output-format': format },
  });
  req.end(QUERY);
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  let bytes = 0;
  let firstByteMillis = 0;
  for await (const chunk of res as AsyncIterable<Buffer>) {
    if (bytes === 0) firstByteMillis = performance.now() - began;
    bytes += chunk.byteLength;
    if (isLeftEarly) break;
  }
  if (res.statusCode !== 200) throw new Error(`${format}: status ${res.statusCode}`);
  if (!isLeftEarly && !res.complete) throw new Error(`${format}: the answer broke off`);
  return { bytes, seconds: (performance.now() - began) / 1000, firstByteMillis };
}

/** The most that the executor's process holds, as its metrics say. */
function watchMemory(): { readonly stop: () => Promise<number> } {
  let most = 0;
  let isStopped = false;
  const watching = (async (): Promise<void> => {
    while (!isStopped) {
      const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
      most = Math.max(most, Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1] ?? Number.NaN));
      await new Promise((resolve) => {
        setTimeout(resolve, SAMPLE_MILLIS);
      });
    }
  })();
  return {
    stop: async () => {
      isStopped = true;
      await watching;
      return most;
    },
  };
}

/** The engine writes the same rows by itself, to nowhere. */
async function copySeconds(copy: string): Promise<number> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  const began = performance.now();
  await connection.run(`COPY (${ROWS_SQL}) TO '/dev/null' (${copy})`);
  const seconds = (performance.now() - began) / 1000;
  connection.closeSync();
  instance.closeSync();
  return seconds;
}

async function makeRows(): Promise<void> {
  await mkdir(DATA, { recursive: true });
  if (existsSync(join(DATA, FILE))) return;
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`COPY (${MADE}) TO '${join(DATA, FILE)}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the floor has an output');
  const [first] = (await once(child.stdout, 'data')) as [Buffer];
  return `http://127.0.0.1:${Number(first.toString())}`;
}
