/** `npm run bench -- keys [KEYS] [--small]`: the check of API keys beside a bare Express server, and endpoint calls beside the executor's. */
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import autocannon from 'autocannon';
import { Client } from 'pg';

import { createApiKeyText } from '@svc/auth';
import { startEmbeddedPostgres } from '@svc/local-stack';

import { startBenchStack, type BenchStack } from './bench-stack.ts';
import { printTable, type Row } from './table.ts';

const isBrief = process.argv.includes('--small');
const [given] = process.argv.slice(2).filter((argument) => /^\d+$/.test(argument));
const KEYS = Number(given ?? (isBrief ? 2_000 : 100_000));
const SECONDS = isBrief ? 4 : 10;
const ROUNDS = isBrief ? 2 : 3;
const CONNECTIONS = 64;
const CALLERS = [1, 16];
const INVALID_SHARE = 0.1;
const BATCH = 10_000;

const directory = await mkdtemp(join(tmpdir(), 'svc-bench-'));
const postgres = await startEmbeddedPostgres({ directory: join(directory, 'postgres') });
try {
  const stack = await startBenchStack({ SVC_DATABASE_URL: postgres.url, SVC_LOG_LEVEL: 'warn' });
  try {
    const keys = await storeKeys(postgres.url);
    const rows = [...(await measureChecks(postgres.url, keys)), ...(await measureCalls(stack))];
    console.log(`\n${KEYS} keys, ${INVALID_SHARE * 100} % of the requests with a key that is none; floor in the same run\n`);
    printTable(rows);
  } finally {
    await stack.stop();
  }
} finally {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}

/** Stores keys as an administrator would, but all at once and without telling anybody. */
async function storeKeys(url: string): Promise<readonly string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('SET session_replication_role = replica');
  const keys: string[] = [];
  while (keys.length < KEYS) {
    const batch = Array.from({ length: Math.min(BATCH, KEYS - keys.length) }, () => ({ id: randomUUID(), key: createApiKeyText('bench') }));
    const ids = batch.map(({ id }) => id);
    await client.query(
      `INSERT INTO api_keys (id, namespace, name, key_prefix, sealed, expires_at, is_active, created_by)
       SELECT id, 'bench', 'a key', 'svc_bench_', '\\x00', now() + interval '90 days', true, 'bench' FROM unnest($1::uuid[]) AS id`,
      [ids],
    );
    const hashes = batch.map(({ key }) => createHash('sha256').update(key).digest());
    await client.query('INSERT INTO api_key_hashes (hash, key_id) SELECT hash, id FROM unnest($1::bytea[], $2::uuid[]) AS one (hash, id)', [
      hashes,
      ids,
    ]);
    keys.push(...batch.map(({ key }) => key));
  }
  await client.query('ANALYZE api_keys, api_key_hashes');
  await client.end();
  return keys;
}

/** The check alone, in the same bare Express server as a SHA-256 and a Map; each in a process of its own. */
async function measureChecks(url: string, keys: readonly string[]): Promise<readonly Row[]> {
  const invalid = Array.from({ length: 1000 }, () => createApiKeyText('bench'));
  const pick = (): string => {
    const from = Math.random() < INVALID_SHARE ? invalid : keys;
    return from[Math.floor(Math.random() * from.length)] ?? '';
  };
  const servers = { ours: await startKeyServer('ours', url), floor: await startKeyServer('floor', url) };
  try {
    const results: Record<keyof typeof servers, autocannon.Result[]> = { ours: [], floor: [] };
    for (const { port } of Object.values(servers)) await warmUp(port, keys);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const name of ['ours', 'floor'] as const) results[name].push(await load(servers[name].port, pick));
    const best = (of: readonly autocannon.Result[]): number => Math.max(...of.map(({ requests }) => requests.average));
    const slowest = (of: readonly autocannon.Result[]): number => Math.min(...of.map(({ latency }) => latency.p99));
    const added = slowest(results.ours) - slowest(results.floor);
    return [
      {
        name: `key check, ${CONNECTIONS} connections`,
        ours: best(results.ours),
        floor: best(results.floor),
        unit: 'requests/s',
        target: { kind: 'at-least', ratio: 0.8 },
        note: `p99 ${slowest(results.ours)} ms, floor ${slowest(results.floor)} ms: ${added.toFixed(1)} ms added (limit 1)`,
      },
    ];
  } finally {
    for (const { stop } of Object.values(servers)) stop();
  }
}

async function startKeyServer(kind: 'ours' | 'floor', url: string) {
  const child = spawn(process.execPath, ['--conditions=@svc/source', join(import.meta.dirname, 'key-server.ts'), kind, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [first] = (await once(child.stdout, 'data')) as [Buffer];
  return { port: Number(first.toString()), stop: () => child.kill() };
}

/** Every key once, as a server has them that runs for long. */
async function warmUp(port: number, keys: readonly string[]): Promise<void> {
  const left = keys.values();
  const work = async (): Promise<void> => {
    for (const key of left) await (await fetch(`http://127.0.0.1:${port}/`, { headers: { 'X-SVC-API-KEY': key } })).text();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}

async function load(port: number, pick: () => string): Promise<autocannon.Result> {
  return autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: CONNECTIONS,
    duration: SECONDS,
    requests: [{ method: 'GET', path: '/', setupRequest: (request) => ({ ...request, headers: { 'X-SVC-API-KEY': pick() } }) }],
  });
}

/** An endpoint by key, and the same function called at the executor. */
async function measureCalls({ port, gatewayPort, token }: BenchStack): Promise<readonly Row[]> {
  const headers = { authorization: `Bearer ${await token('bench', 'svc:admin')}` };
  const [executor, gateway] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${gatewayPort}`];
  const send = async (url: string, type: string, { method, body }: { readonly method: string; readonly body: string }) => {
    const answer = await fetch(url, { method, body, headers: { ...headers, 'content-type': type } });
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Readonly<Record<string, string>>;
  };
  const code = '@get("/square/{n}") square(n: int) := n * n;';
  await send(`${executor}/packages/bench`, 'text/plain', { method: 'PUT', body: code });
  const definition = 'application: bench\npackages: [bench]';
  await send(`${gateway}/svc/1/api/admin/applications/bench`, 'application/yaml', { method: 'PUT', body: definition });
  const { key = '' } = await send(`${gateway}/svc/1/api/admin/keys`, 'application/json', { method: 'POST', body: '{"name":"bench"}' });
  const endpoint = { url: `${gateway}/bench/1/public/square/7`, headers: { 'X-SVC-API-KEY': key } };
  const direct = {
    url: `${executor}/packages/bench/functions/square`,
    method: 'POST' as const,
    headers: { ...headers, 'content-type': 'application/json', 'x-svc-output-format': 'json' },
    body: '{"n":7}',
  };
  const rows: Row[] = [];
  for (const callers of CALLERS) {
    const [ours, floor]: [number[], number[]] = [[], []];
    for (let round = -1; round < ROUNDS; round += 1) {
      const [mine, theirs] = [await meanLatency(endpoint, callers), await meanLatency(direct, callers)];
      if (round < 0) continue; // both get warm
      ours.push(mine);
      floor.push(theirs);
    }
    const name = `endpoint call, ${callers} caller${callers === 1 ? '' : 's'}`;
    rows.push({ name, ours: Math.min(...ours), floor: Math.min(...floor), unit: 'ms', target: { kind: 'at-most', ratio: 1.3 } });
  }
  return rows;
}

async function meanLatency(options: autocannon.Options, connections: number): Promise<number> {
  const { latency, non2xx, errors } = await autocannon({ ...options, connections, duration: SECONDS });
  if (non2xx + errors > 0) throw new Error(`${options.url}: ${non2xx} refused, ${errors} failed`);
  return latency.mean;
}
