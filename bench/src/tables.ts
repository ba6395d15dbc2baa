/** `npm run bench -- tables`: user tables read by queries and filled by uploads, each beside a bare COPY of the same rows. */
import { createReadStream, createWriteStream } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

import { startEmbeddedPostgres } from '@svc/local-stack';
import pg from 'pg';
import * as copyStreams from 'pg-copy-streams';

import { DATA, FLIGHTS, makeFiles } from './benchmark-data.ts';
import { openEngine } from './engine-alone.ts';
import { startBenchStack } from './bench-stack.ts';
import { residentBytesOf, watchProcess } from './executor-watch.ts';
import type { Row } from './table.ts';
import { median, printTable } from './table.ts';
import { timed } from './timed.ts';

const ROWS = 5_000_000;
const APPENDED_ROWS = 1_000_000;
const RUNS = 3;
const LARGE_BYTES = 2 ** 30;
const MOST_GROWTH_MEGABYTES = 512;
const TYPE =
  'collection(record(id: long, day: date, origin: string, destination: string, delay: int nullable, distance: int, price: double))';
const QUERIES = [
  {
    name: `group-by over ${ROWS / 1e6} M rows`,
    text: 'SELECT origin, COUNT(*) AS n, AVG(delay) AS late, SUM(distance) AS miles FROM flights GROUP BY origin',
    copied: 'SELECT c3, c5, c6',
    where: '',
    columns: `{'origin':'VARCHAR','delay':'INTEGER','distance':'INTEGER'}`,
    sql: 'SELECT origin, count(*) AS n, avg(delay) AS late, sum(distance) AS miles FROM $file GROUP BY origin ORDER BY origin',
  },
  {
    name: 'the same with a filter',
    text: 'SELECT origin, COUNT(*) AS n, SUM(distance) AS miles FROM flights WHERE delay > 180 GROUP BY origin',
    copied: 'SELECT c3, c5, c6',
    where: 'WHERE c5 > 180',
    columns: `{'origin':'VARCHAR','delay':'INTEGER','distance':'INTEGER'}`,
    sql: 'SELECT origin, count(*) AS n, sum(distance) AS miles FROM $file WHERE delay > 180 GROUP BY origin ORDER BY origin',
  },
] as const;

await makeFiles([
  { name: 'rows.csv', rows: ROWS, select: FLIGHTS, options: 'FORMAT csv, HEADER' },
  { name: 'append.csv', rows: APPENDED_ROWS, select: FLIGHTS, options: 'FORMAT csv, HEADER' },
  { name: 'append.json', rows: APPENDED_ROWS, select: FLIGHTS, options: 'FORMAT json' },
]);
const directory = await mkdtemp(join(tmpdir(), 'svc-bench-'));
const postgres = await startEmbeddedPostgres({ directory: join(directory, 'postgres') });
const stack = await startBenchStack({ SVC_DATABASE_URL: postgres.url, SVC_LOG_LEVEL: 'warn' });
const client = new pg.Client({ connectionString: postgres.url });
try {
  const token = await stack.token('bench');
  const ask = async (method: string, path: string, type: string, body?: string | Readable): Promise<string> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type };
    const answer = await fetch(`http://127.0.0.1:${stack.port}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body, duplex: 'half' }),
    } as RequestInit);
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text;
  };
  const upload: Upload = async (path, type, file) => {
    const { size } = await stat(file);
    const headers = { authorization: `Bearer ${token}`, 'content-type': type, 'content-length': size };
    const sent = request({ host: '127.0.0.1', port: stack.port, method: 'POST', path, headers });
    const [[answer]] = (await Promise.all([once(sent, 'response'), pipeline(createReadStream(file), sent)])) as [[IncomingMessage], void];
    const said = await textOf(answer);
    if (answer.statusCode !== 200) throw new Error(said);
  };
  await client.connect();
  await ask('PUT', '/tables/flights', 'application/json', JSON.stringify({ type: TYPE }));
  await upload('/tables/flights/rows', 'text/csv', join(DATA, 'rows.csv'));
  await client.query(`VACUUM ANALYZE ${await placeOf('flights')}`);
  const rows = [...(await measureQueries(ask)), ...(await measureAppends(ask, upload)), await measureLargeUpload(ask)];
  console.log(`\nmedians of ${RUNS}; the floor of a query is COPY of its columns to a client, and then the engine over that text\n`);
  printTable(rows);
} finally {
  await client.end();
  await stack.stop();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}

type Ask = (method: string, path: string, type: string, body?: string | Readable) => Promise<string>;

/** Sends a file as curl does: with its length, and without the cost of web streams, which is more than that of the executor. */
type Upload = (path: string, type: string, file: string) => Promise<void>;

/** Returns the PostgreSQL table that contains the rows of a user table. */
async function placeOf(name: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM tables WHERE name = $1', [name]);
  return `user_rows.t${rows[0]?.id}`;
}

async function measureQueries(ask: Ask): Promise<readonly Row[]> {
  const { connection, close } = await openEngine();
  const found: Row[] = [];
  const place = await placeOf('flights');
  for (const { name, text, copied, where, columns, sql } of QUERIES) {
    const file = join(directory, 'copied.txt');
    const copy = `COPY (${copied} FROM ${place} ${where}) TO STDOUT`;
    await pipeline(client.query(copyStreams.to(copy)), createWriteStream(file));
    const engineSql = sql.replace(
      '$file',
      `read_csv('${file}', auto_detect=false, header=false, delim='\\t', quote='', escape='', nullstr='\\N', columns=${columns})`,
    );
    const times = { ours: [] as number[], copy: [] as number[], engine: [] as number[] };
    for (let run = -1; run < RUNS; run += 1) {
      const ours = await timed(() => ask('POST', '/query', 'text/plain', text));
      const copying = await timed(() => pipeline(client.query(copyStreams.to(copy)), nowhere()));
      const engine = await timed(async () => (await connection.run(engineSql)).getRows());
      if (run < 0) continue;
      times.ours.push(ours);
      times.copy.push(copying);
      times.engine.push(engine);
    }
    const [copyMillis, engineMillis] = [median(times.copy), median(times.engine)];
    found.push({
      name,
      ours: median(times.ours),
      floor: copyMillis + engineMillis,
      unit: 'ms',
      target: { kind: 'at-most', ratio: 1.3 },
      note: `COPY ${copyMillis.toFixed(0)} ms + engine ${engineMillis.toFixed(0)} ms`,
    });
  }
  close();
  return found;
}

/** Measures uploads into a table, and a bare COPY of the same CSV into one with the same columns. */
async function measureAppends(ask: Ask, upload: Upload): Promise<readonly Row[]> {
  await ask('PUT', '/tables/appended', 'application/json', JSON.stringify({ type: TYPE }));
  const place = await placeOf('appended');
  await client.query(`CREATE TABLE bare (LIKE ${place} INCLUDING ALL)`);
  const times = { json: [] as number[], csv: [] as number[], bare: [] as number[] };
  for (let run = -1; run < RUNS; run += 1) {
    const append = (type: string, file: string): Promise<number> => timed(() => upload('/tables/appended/rows', type, join(DATA, file)));
    await client.query(`TRUNCATE ${place}, bare`);
    const csv = await append('text/csv', 'append.csv');
    await client.query(`TRUNCATE ${place}`);
    const json = await append('application/x-ndjson', 'append.json');
    const copy = 'COPY bare FROM STDIN (FORMAT csv, HEADER)';
    const bare = await timed(() => pipeline(createReadStream(join(DATA, 'append.csv')), client.query(copyStreams.from(copy))));
    if (run < 0) continue;
    times.csv.push(csv);
    times.json.push(json);
    times.bare.push(bare);
  }
  const perSecond = (millis: readonly number[]): number => APPENDED_ROWS / median(millis);
  return (['csv', 'json'] as const).map((format) => ({
    name: `append of ${APPENDED_ROWS / 1e6} M rows, ${format === 'csv' ? 'CSV' : 'JSON lines'}`,
    ours: perSecond(times[format]),
    floor: perSecond(times.bare),
    unit: 'rows/ms',
    target: { kind: 'at-least', ratio: format === 'csv' ? 0.7 : 0.6 },
  }));
}

/** Measures the growth of an executor by an upload of a gigabyte in one body. */
async function measureLargeUpload(ask: Ask): Promise<Row> {
  await ask('PUT', '/tables/large', 'application/json', JSON.stringify({ type: TYPE }));
  const file = join(DATA, 'append.json');
  const times = Math.ceil(LARGE_BYTES / (await stat(file)).size);
  const body = async function* (): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < times; i += 1) yield* createReadStream(file) as AsyncIterable<Buffer>;
  };
  const before = await residentBytesOf(stack.metricsUrl);
  const watch = watchProcess(stack.metricsUrl);
  const millis = await timed(() => ask('POST', '/tables/large/rows', 'application/x-ndjson', Readable.from(body(), { objectMode: false })));
  const { residentBytes: peak } = await watch.stop();
  return {
    name: 'upload of 1 GB of JSON lines, more memory',
    ours: (peak - before) / 2 ** 20,
    floor: MOST_GROWTH_MEGABYTES,
    unit: 'MB',
    target: { kind: 'at-most', ratio: 1 },
    note: `${(times * APPENDED_ROWS) / 1e6} M rows in ${(millis / 1000).toFixed(0)} s`,
  };
}

function nowhere(): Writable {
  return new Writable({ write: (_piece, _encoding, done) => done() });
}
