import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from 'pg';

import { migrate } from '@svc/database';
import { createTestDatabase, eventually, testAuthorization } from '@svc/test-kit';
import type { TestDatabase } from '@svc/test-kit';

import { startExecutorProcess } from '../testing/executor-process.ts';
import type { ExecutorProcess } from '../testing/executor-process.ts';

const SLOW = 'SELECT COUNT(*) FROM RANGE(0, 1000000) x, RANGE(0, 1000000) y WHERE x * y % 7 = 3';
const LONG = 'SELECT x AS x, "padding padding padding padding padding" AS p FROM RANGE(0, 100000) x, RANGE(0, 1000) y';

const CONCURRENCY_PER_SUBJECT = 2;

let folder: string;
let database: TestDatabase;
let executors: readonly ExecutorProcess[];
let bearers: Readonly<Record<'ann' | 'bob', string>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-replicas-'));
  database = await createTestDatabase({ migrate });
  const authorization = await testAuthorization();
  const { issuer, audience } = authorization;
  bearers = {
    ann: `Bearer ${await authorization.mint({ sub: 'ann' })}`,
    bob: `Bearer ${await authorization.mint({ sub: 'bob' })}`,
  };
  const env = {
    SVC_DATABASE_URL: database.url,
    SVC_TOKEN_ISSUER: issuer,
    SVC_TOKEN_AUDIENCE: audience,
    SVC_FILE_ROOTS: folder,
    SVC_SPOOL_DIR: folder,
    SVC_QUERY_CONCURRENCY_PER_SUBJECT: String(CONCURRENCY_PER_SUBJECT),
  };
  executors = await Promise.all([startExecutorProcess(env), startExecutorProcess(env)]);
});
afterAll(async () => {
  await Promise.all(executors.map((executor) => executor.end()));
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const [first, second] = [0, 1].map((i) => () => executors[i]?.url ?? '') as [() => string, () => string];

async function send(method: string, url: string, who: 'ann' | 'bob', body?: string): Promise<Response> {
  return fetch(url, {
    method,
    headers: { Authorization: bearers[who], 'Content-Type': 'text/plain' },
    ...(body === undefined ? {} : { body }),
  });
}

interface Listed {
  readonly id: string;
  readonly query: string;
  readonly startedAt: string;
  readonly rows: number;
  readonly bytes: number;
}

async function list(url: string, who: 'ann' | 'bob'): Promise<readonly Listed[]> {
  return (await (await send('GET', `${url}/queries`, who)).json()) as readonly Listed[];
}

/** Returns the id of the only query, once it runs. */
async function idOfOnly(url: string, who: 'ann' | 'bob'): Promise<string> {
  return eventually(async () => {
    const running = await list(url, who);
    expect(running).toHaveLength(1);
    return running[0]?.id ?? '';
  });
}

test('a caller sees its own queries that run in the process, with their id', async () => {
  const answer = send('POST', `${first()}/query`, 'ann', SLOW);
  const id = await idOfOnly(first(), 'ann');
  const [shown] = await list(first(), 'ann');
  expect(shown).toEqual({
    id,
    query: SLOW,
    startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
    rows: 0,
    bytes: 0,
  });
  expect([await list(first(), 'bob'), await list(second(), 'ann')]).toEqual([[], []]);
  expect((await send('DELETE', `${first()}/queries/${id}`, 'ann')).status).toBe(204);
  expect((await answer).headers.get('x-svc-query-id')).toBe(id);
  await eventually(async () => expect(await list(first(), 'ann')).toEqual([]));
});

test.each([
  ['the same process', () => first()],
  ['another process', () => second()],
])('DELETE in %s ends a query with a runtimeError that says so', async (_, where) => {
  const answer = send('POST', `${first()}/query`, 'ann', SLOW);
  const id = await idOfOnly(first(), 'ann');
  const deleted = await send('DELETE', `${where()}/queries/${id}`, 'ann');
  expect([deleted.status, await deleted.text()]).toEqual([204, '']);
  const ended = await answer;
  expect([ended.status, await ended.json()]).toEqual([
    400,
    { validationErrors: [], runtimeError: { message: 'the query was cancelled', positions: [] } },
  ]);
  expect((await send('DELETE', `${where()}/queries/${id}`, 'ann')).status).toBe(404);
});

test('a query that is being read shows how far it is, and DELETE breaks its body off', async () => {
  const answer = await send('POST', `${first()}/query`, 'ann', LONG);
  expect(answer.status).toBe(200);
  const id = answer.headers.get('x-svc-query-id') ?? '';
  const [shown] = await list(first(), 'ann');
  expect([shown?.id, (shown?.rows ?? 0) > 0, (shown?.bytes ?? 0) > 16_384]).toEqual([id, true, true]);
  expect((await send('DELETE', `${second()}/queries/${id}`, 'ann')).status).toBe(204);
  await expect(answer.text()).rejects.toThrow('terminated');
});

test.each([
  ['text as it is', LONG, ''],
  ['compressed text', LONG, 'Accept-Encoding: gzip\r\n'],
  ['Parquet', LONG, 'X-SVC-output-format: parquet-raw\r\n'],
  ['a database that is whole', 'SELECT x, "text " || x * 7919 AS t FROM RANGE(0, 700000) x', 'X-SVC-output-format: sqlite\r\n'],
])('a reader that takes nothing is not waited for when its query is cancelled: %s', async (_, query, header) => {
  const { port } = new URL(first());
  const socket = connect({ port: Number(port), host: '127.0.0.1' }).pause();
  const head = `POST /query HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearers.ann}\r\n${header}Content-Length: ${query.length}\r\n\r\n`;
  socket.write(head + query);
  await once(socket, 'readable');
  const id = await idOfOnly(first(), 'ann');
  expect((await send('DELETE', `${second()}/queries/${id}`, 'ann')).status).toBe(204);
  await eventually(async () => expect(await list(first(), 'ann')).toEqual([]));
  const pieces: Buffer[] = [];
  socket.on('error', () => undefined).on('data', (piece) => void pieces.push(piece));
  await new Promise((resolve) => {
    socket.once('close', resolve);
  });
  const answer = Buffer.concat(pieces).toString('latin1');
  expect([answer.startsWith('HTTP/1.1 200 OK'), answer.endsWith('\r\n0\r\n\r\n')]).toEqual([true, false]);
  expect(answer.length).toBeLessThan(Number(/Content-Length: (\d+)/.exec(answer)?.[1] ?? Infinity));
});

test('a query that looks at a file for its type is cancelled as well', async () => {
  const line = `${JSON.stringify({ id: 1, tags: ['a', 'b'], at: { x: 1.5, y: 'some text of a line' } })}\n`;
  await writeFile(join(folder, 'large.jsonl'), line.repeat(700_000));
  const looking = send('POST', `${first()}/query`, 'ann', 'SELECT COUNT(*) FROM READ("file:large.jsonl", sample_size := -1)');
  const id = await idOfOnly(first(), 'ann');
  expect((await send('DELETE', `${second()}/queries/${id}`, 'ann')).status).toBe(204);
  expect(await (await looking).text()).toContain('"the query was cancelled"');
});

test('so is one that waits for its place', async () => {
  const running = Array.from({ length: CONCURRENCY_PER_SUBJECT }, () => send('POST', `${first()}/query`, 'ann', SLOW));
  await eventually(async () => expect(await list(first(), 'ann')).toHaveLength(CONCURRENCY_PER_SUBJECT));
  const waiting = send('POST', `${first()}/query`, 'ann', '[7]');
  await eventually(async () => expect(await list(first(), 'ann')).toHaveLength(CONCURRENCY_PER_SUBJECT + 1));
  for (const { id } of (await list(first(), 'ann')).toReversed())
    expect((await send('DELETE', `${second()}/queries/${id}`, 'ann')).status).toBe(204);
  for (const answer of [waiting, ...running]) expect(await (await answer).text()).toContain('"the query was cancelled"');
});

test("another's query is, byte for byte, one that never was, in any process", async () => {
  const answer = send('POST', `${first()}/query`, 'ann', SLOW);
  const id = await idOfOnly(first(), 'ann');
  const nobodys = '00000000-0000-4000-8000-000000000000';
  for (const url of [first(), second()]) {
    const [others, none] = await Promise.all([id, nobodys].map((name) => send('DELETE', `${url}/queries/${name}`, 'bob')));
    expect([others?.status, none?.status]).toEqual([404, 404]);
    expect((await others?.text())?.replace(id, nobodys)).toBe(await none?.text());
  }
  expect((await list(first(), 'ann')).map((query) => query.id)).toEqual([id]);
  expect((await send('DELETE', `${second()}/queries/${id}`, 'ann')).status).toBe(204);
  await answer;
});

test.each(['x', 'A0000000-0000-4000-8000-000000000000', '%00', "'; SELECT 1"])('DELETE /queries/%s is not found', async (id) => {
  const answer = await send('DELETE', `${first()}/queries/${id}`, 'ann');
  expect([answer.status, ((await answer.json()) as { readonly code: string }).code]).toEqual([404, 'not_found']);
});

test('the lists and the cancelling ask for a token', async () => {
  expect((await fetch(`${first()}/queries`)).status).toBe(401);
  expect((await fetch(`${first()}/queries/x`, { method: 'DELETE' })).status).toBe(401);
});

test('processes find each other again after their sessions were ended', async () => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rowCount } = await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE '%cancellation%'`,
  );
  expect(rowCount).toBe(2);
  const answer = send('POST', `${first()}/query`, 'ann', SLOW);
  const id = await idOfOnly(first(), 'ann');
  await eventually(async () => expect((await send('DELETE', `${second()}/queries/${id}`, 'ann')).status).toBe(204));
  expect((await answer).status).toBe(400);
  await client.end();
});
