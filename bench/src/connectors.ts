/**
 * `npm run bench -- connectors [MEGABYTES] [ROWS]`: an S3 object and a PostgreSQL table read by queries, beside plain transfers of the same
 * bytes; without arguments 500 MB and 5 million rows.
 */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { startEmbeddedPostgres } from '@svc/local-stack';
import { createNetworkGuard } from '@svc/network-guard';
import { NO_CREDENTIALS, type SourcesOptions } from '@svc/sources';
import { createTestBucket, openTcpProxy, openTestServers, type TestBucket } from '@svc/test-kit';
import pg from 'pg';
import * as copyStreams from 'pg-copy-streams';

import { createBenchRuntime } from './bench-runtime.ts';
import { DATA, FLIGHTS, makeFiles } from './benchmark-data.ts';
import { measureLookUps } from './credential-look-ups.ts';
import { openEngine } from './engine-alone.ts';
import { median, printTable, type Row } from './table.ts';
import { timed } from './timed.ts';

const [megabytes, rows] = [Number(process.argv[3] ?? 500), Number(process.argv[4] ?? 5_000_000)];
const RUNS = 3;
const THREADS = 2;
/** Average sizes of a row of flights. */
const [CSV_ROW_BYTES, PARQUET_ROW_BYTES] = [42, 13];
const files = {
  csv: { name: `connectors-${megabytes}.csv`, rows: Math.ceil((megabytes * 1e6) / CSV_ROW_BYTES), options: 'FORMAT csv, HEADER' },
  parquet: { name: `connectors-${megabytes}.parquet`, rows: Math.ceil((megabytes * 1e6) / PARQUET_ROW_BYTES), options: 'FORMAT parquet' },
} as const;

await makeFiles(Object.values(files).map((file) => ({ ...file, select: FLIGHTS })));
const directory = await mkdtemp(join(tmpdir(), 'svc-bench-'));
const servers = await openTestServers(process.env);
Object.assign(process.env, servers.env);
const postgres = await startEmbeddedPostgres({ directory: join(directory, 'postgres') });
try {
  const bucket = await createTestBucket();
  await bucket.publish();
  for (const { name } of Object.values(files)) await bucket.put(name, await readFile(join(DATA, name)));
  printTable([
    await measureCsv(bucket),
    await measureParquet(bucket),
    await measurePostgres(postgres.url),
    ...(await lookUpRows(postgres.url)),
  ]);
} finally {
  await postgres.stop();
  await servers.stop();
  await rm(directory, { recursive: true, force: true });
}

/** Look-ups of credentials; their floor is a limit in milliseconds, and not a transfer. */
async function lookUpRows(databaseUrl: string): Promise<readonly Row[]> {
  const measured = await measureLookUps({ databaseUrl, perSecond: 200, seconds: 20 });
  return measured
    .filter(({ isFloor }) => !isFloor)
    .map(({ name, p99 }) => ({
      name: `p99 of look-ups at 200/s: ${name}`,
      ours: p99,
      floor: 2,
      unit: 'ms',
      target: { kind: 'at-most', ratio: 1 },
      note: 'the floor is the limit',
    }));
}

/** Times a query in a new runtime, without cached objects. */
async function timeQuery(text: string, reach: Pick<SourcesOptions, 'credentials' | 'endpoints'>): Promise<number> {
  const networkGuard = createNetworkGuard({ allow: ['127.0.0.1', '::1'] });
  const { drain, close } = await createBenchRuntime({ threads: THREADS, reach: { ...reach, networkGuard } });
  try {
    return await timed(() => drain(text));
  } finally {
    await close();
    networkGuard.close();
  }
}

async function medianOf(measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) times.push(await measure());
  return median(times);
}

function ofBucket(bucket: TestBucket, endpoint = bucket.endpoint) {
  return { endpoints: { s3: new URL(endpoint) }, credentials: { ...NO_CREDENTIALS, bucket: async () => ({ ...bucket, identity: '1' }) } };
}

async function measureCsv(bucket: TestBucket): Promise<Row> {
  const { name } = files.csv;
  const size = (await stat(join(DATA, name))).size / 1e6;
  const text = `SELECT COUNT(*) AS n, SUM(x.distance) AS miles FROM READ("s3://${bucket.name}/${name}") x`;
  const ours = await medianOf(() => timeQuery(text, ofBucket(bucket)));
  const floor = await medianOf(() => timed(async () => download(`${bucket.endpoint}/${bucket.name}/${name}`)));
  const target = { kind: 'at-least', ratio: 0.7 } as const;
  return {
    name: `CSV object of ${size.toFixed(0)} MB → engine`,
    ours: (size * 1000) / ours,
    floor: (size * 1000) / floor,
    unit: 'MB/s',
    target,
  };
}

async function download(url: string): Promise<void> {
  const { body } = await fetch(url);
  if (body === null) throw new Error(`${url} is empty`);
  await pipeline(body, nowhere());
}

async function measureParquet(bucket: TestBucket): Promise<Row> {
  const { name } = files.parquet;
  const { hostname: host, port } = new URL(bucket.endpoint);
  const proxy = await openTcpProxy({ host, port: Number(port) });
  const text = `SELECT SUM(x.distance) AS miles, AVG(x.price) AS price FROM READ("s3://${bucket.name}/${name}") x`;
  await timeQuery(text, ofBucket(bucket, `http://127.0.0.1:${proxy.port}`));
  const ours = proxy.bytes() / 1e6;
  await proxy.close();
  const floor = (await chunkBytes(join(DATA, name), ['distance', 'price'])) / 1e6;
  const size = (await stat(join(DATA, name))).size / 1e6;
  const target = { kind: 'at-most', ratio: 1.1 } as const;
  return {
    name: `two of 7 columns of a Parquet object of ${size.toFixed(0)} MB: fetched, of their chunks`,
    ours,
    floor,
    unit: 'MB',
    target,
  };
}

async function chunkBytes(path: string, columns: readonly string[]): Promise<number> {
  const { connection, close } = await openEngine();
  const names = columns.map((column) => `'${column}'`).join(', ');
  const sql = `SELECT sum(total_compressed_size)::DOUBLE FROM parquet_metadata('${path}') WHERE path_in_schema IN (${names})`;
  const [[bytes] = []] = (await connection.run(sql).then((result) => result.getRows())) as readonly number[][];
  close();
  return bytes ?? Number.NaN;
}

async function measurePostgres(url: string): Promise<Row> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE TABLE flights AS SELECT i::bigint AS id, date '2024-01-01' + i % 366 AS day, 'A' || i % 300 AS origin, 'A' || i % 299 AS destination,
    i % 240 - 30 AS delay, i % 3000 + 100 AS distance, (i % 100000) / 100.0::double precision AS price FROM generate_series(1, ${rows}) AS i`);
  await client.query('VACUUM ANALYZE flights');
  const { hostname: host, port, username, password, pathname } = new URL(url);
  const server = { host, port: Number(port), username, password, database: pathname.slice(1), properties: {}, identity: '1' };
  const credentials = { ...NO_CREDENTIALS, databaseServer: async () => server };
  const items = 'SUM(id), MAX(day), MAX(origin), MIN(destination), MAX(delay), SUM(distance), MAX(price)';
  const text = `SELECT ${items} FROM READ_PGSQL("bench", "public", "flights")`;
  const ours = await medianOf(() => timeQuery(text, { credentials }));
  const copy = 'COPY (SELECT * FROM flights) TO STDOUT';
  const floor = await medianOf(() => timed(() => pipeline(client.query(copyStreams.to(copy)), nowhere())));
  await client.end();
  const target = { kind: 'at-least', ratio: 0.7 } as const;
  return {
    name: `PostgreSQL, ${rows / 1e6} M rows of 7 columns → engine`,
    ours: rows / ours,
    floor: rows / floor,
    unit: 'rows/ms',
    target,
  };
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
