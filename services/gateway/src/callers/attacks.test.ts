import { request, type IncomingMessage } from 'node:http';

import { sql } from 'kysely';

import { createApiKeyText, hashApiKey } from '@svc/auth';
import type { StoredApiKey } from '@svc/database';
import { eventually } from '@svc/test-kit';

import { administrate, type Administration } from '../testing/administrate.ts';
import { ask } from '../testing/ask.ts';
import { startExecutorProcess, type ExecutorProcess } from '../testing/executor-process.ts';
import { startGatewayUnderTest, startReplica, type GatewayUnderTest } from '../testing/gateway-under-test.ts';
import { KeyCheck } from './key-check.ts';

const HOUR = 3_600_000;

let gateway: GatewayUnderTest;
let replica: Awaited<ReturnType<typeof startReplica>>;
let executor: ExecutorProcess;
let admin: Administration;
let offset = 0;
const now = (): Date => new Date(Date.now() + offset);
beforeAll(async () => {
  gateway = await startGatewayUnderTest({ now });
  replica = await startReplica({ env: gateway.env, now });
  executor = await startExecutorProcess(gateway.env);
  admin = administrate(gateway);
  await executor.putPackage('p', '@get("/one") one() := 1;');
  await admin.putApplication('app', 'application: app\npackages: [p]');
}, 120_000);
afterAll(async () => {
  await executor.end();
  await replica.close();
  await gateway.close();
});
afterEach(() => {
  offset = 0;
});

const statusAt = async (url: string, key: string): Promise<number> => (await ask(url, 'get', '/app/1/public/one', { key })).status;
const statuses = async (key: string): Promise<readonly number[]> => Promise.all([gateway, replica].map(({ url }) => statusAt(url, key)));

/** Returns the time until both replicas answer with the expected status. */
async function millisUntil(expected: number, key: string): Promise<number> {
  const startedAt = performance.now();
  await eventually(async () => expect(await statuses(key)).toEqual([expected, expected]), { timeoutMs: 5_000 });
  return performance.now() - startedAt;
}

test('a key that is deactivated, activated or deleted is so at both replicas within a second', async () => {
  const { id, key } = await admin.createKey();
  expect(await statuses(key)).toEqual([200, 200]);
  await admin.changeKey(id, { active: false });
  expect(await millisUntil(401, key)).toBeLessThan(1000);
  await admin.changeKey(id, { active: true });
  expect(await millisUntil(200, key)).toBeLessThan(1000);
  await ask(gateway.url, 'delete', `/svc/1/api/admin/keys/${id}`, { as: await gateway.token() });
  expect(await millisUntil(401, key)).toBeLessThan(1000);
});

/** Ends the sessions that hear notices at the moment of a change. */
const endNotices = sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'svc-gateway-notices' AND datname = current_database()`;

test('a change that no notice tells of is seen within a second all the same', async () => {
  const { id, key } = await admin.createKey();
  expect(await statuses(key)).toEqual([200, 200]);
  await gateway.database.db.transaction().execute(async (transaction) => {
    await transaction.updateTable('api_keys').set({ is_active: false }).where('id', '=', id).execute();
    await endNotices.execute(transaction);
  });
  expect(await millisUntil(401, key)).toBeLessThan(1000);
});

test.each([
  ['which tells of it', false],
  ['which does not', true],
])('a change at a server that took over without the last changes, %s, is seen within a second', async (_, isSilent) => {
  const { id, key } = await admin.createKey();
  await Promise.all([admin.createKey(), admin.createKey()]);
  expect(await statuses(key)).toEqual([200, 200]);
  await gateway.database.db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('gateway_versions')
      .set({ version: sql`version - 2` })
      .where('subject', '=', 'keys')
      .execute();
    await transaction.updateTable('api_keys').set({ is_active: false }).where('id', '=', id).execute();
    if (isSilent) await endNotices.execute(transaction);
  });
  expect(await millisUntil(401, key)).toBeLessThan(1000);
});

test('a key is valid at the millisecond of its expiry and invalid at the next, whatever was remembered', async () => {
  const expiresAt = Date.now() + 10 * HOUR;
  const { key } = await admin.createKey({ expiresAt: new Date(expiresAt).toISOString() });
  expect(await statuses(key)).toEqual([200, 200]);
  let step = 0;
  const { url, close } = await startReplica({ env: gateway.env, now: () => new Date(expiresAt + step) });
  expect(await statusAt(url, key)).toBe(200);
  step = 1;
  expect(await statusAt(url, key)).toBe(401);
  step = 0;
  expect(await statusAt(url, key)).toBe(200);
  await close();
});

test('a clock that jumps an hour makes keys expire by its time, and back', async () => {
  const { key } = await admin.createKey({ expiresAt: new Date(Date.now() + HOUR / 2).toISOString() });
  expect(await statuses(key)).toEqual([200, 200]);
  offset = HOUR;
  expect(await statuses(key)).toEqual([401, 401]);
  offset = -HOUR;
  expect(await statuses(key)).toEqual([200, 200]);
});

test('after a rotation the new value is good at once, and the old one until its grace is over', async () => {
  const { id, key } = await admin.createKey();
  expect(await statuses(key)).toEqual([200, 200]);
  const { key: second } = await admin.rotateKey(id, 3600);
  expect(await statuses(second)).toEqual([200, 200]);
  expect(await statuses(key)).toEqual([200, 200]);
  offset = HOUR + 1000;
  expect(await millisUntil(401, key)).toBeLessThan(1000);
  expect(await statuses(second)).toEqual([200, 200]);
  const { key: third } = await admin.rotateKey(id, 0);
  expect(await millisUntil(401, second)).toBeLessThan(1000);
  expect(await statuses(third)).toEqual([200, 200]);
});

test('a rate limit counts the calls at all replicas, and says what is left and when to come again', async () => {
  const { key } = await admin.createKey({ rateLimit: { requests: 4, seconds: 600 } });
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => ask([gateway, replica][i % 2]?.url ?? '', 'get', '/app/1/public/one', { key })),
  );
  expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
    200, 200, 200, 200, 429, 429, 429, 429, 429, 429,
  ]);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused).toMatchObject({
    body: { code: 'too_many_requests' },
    headers: { 'ratelimit-policy': '"key";q=4;w=600', ratelimit: expect.stringMatching(/^"key";r=0;t=\d+$/) },
  });
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(590);
  expect(
    answers
      .filter(({ status }) => status === 200)
      .map(({ headers }) => headers['ratelimit']?.split(';')[1] ?? '')
      .toSorted(),
  ).toEqual(['r=0', 'r=1', 'r=2', 'r=3']);
});

/** Sends a header byte for byte, which a client library would not. */
async function rawStatus(header: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const req = request(`${gateway.url}/app/1/public/one`, { headers: { 'X-SVC-API-KEY': Buffer.from(header).toString('latin1') } }, resolve);
  req.on('error', reject).end();
  const answer = await promise;
  answer.resume();
  return answer.statusCode;
}

test('a key with any bit flipped, cut, in the other case or with letters that look alike is no key', async () => {
  const { key } = await admin.createKey();
  const bytes = Buffer.from(key);
  const flipped = Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const copy = Buffer.from(bytes);
    copy.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    return copy.toString('latin1');
  }).filter((text) => /^[\x21-\x7e]+$/.test(text));
  const texts = [
    ...flipped,
    key.slice(0, -1),
    key.slice(1),
    key.toUpperCase(),
    key.toLowerCase(),
    `${key},${key}`,
    `${key} ${key}`,
    key.replace('s', '\u0455'),
  ];
  expect(flipped.length).toBeGreaterThan(200);
  for (const text of texts) expect([text, await rawStatus(text)]).toEqual([text, 401]);
  expect(await rawStatus(key)).toBe(200);
});

test('a key in the query string, a cookie or as a bearer token is no key', async () => {
  const { key } = await admin.createKey();
  const at = (path: string, headers = {}) => ask(gateway.url, 'get', path, { headers });
  for (const name of ['X-SVC-API-KEY', 'x-svc-api-key', 'key', 'api_key'])
    expect((await at(`/app/1/public/one?${name}=${key}`)).status).toBe(401);
  expect((await at('/app/1/public/one', { Cookie: `X-SVC-API-KEY=${key}` })).status).toBe(401);
  expect((await at('/app/1/public/one', { Authorization: `Bearer ${key}` })).status).toBe(401);
});

test('an access token opens no endpoint, and a key no administration', async () => {
  const { key } = await admin.createKey();
  expect((await ask(gateway.url, 'get', '/app/1/public/one', { as: await gateway.token() })).status).toBe(401);
  expect((await ask(gateway.url, 'get', '/svc/1/api/admin/keys', { key })).status).toBe(401);
  expect((await ask(gateway.url, 'get', '/svc/1/api/admin/keys', { as: key })).status).toBe(401);
});

test('a text without the right checksum is refused without a look-up, and a remembered one too', async () => {
  const asked: string[] = [];
  const check = new KeyCheck({
    keys: { findByHash: async (hash) => void asked.push(hash.toString('hex')) as undefined },
    now,
    isFresh: () => true,
  });
  const unknown = createApiKeyText('test');
  expect(check.find(`${unknown.slice(0, -1)}!`)).toBeNull();
  expect(check.find(`${unknown}x`)).toBeNull();
  expect(asked).toEqual([]);
  expect(await check.find(unknown)).toBeNull();
  expect(check.find(unknown)).toBeNull();
  expect(asked).toHaveLength(1);
});

test('what is remembered is bounded, of unknown keys too, and nothing is remembered across a change', async () => {
  let asked = 0;
  const answer = Promise.withResolvers<undefined>();
  const check = new KeyCheck({
    keys: {
      findByHash: async () => {
        asked += 1;
        return asked === 1 ? answer.promise : undefined;
      },
    },
    now,
    isFresh: () => true,
  });
  const text = createApiKeyText('test');
  const before = check.find(text);
  // The key is created during the query: its result may be from before.
  check.forget(null);
  answer.resolve(undefined);
  expect(await before).toBeNull();
  await check.find(text);
  expect(asked).toBe(2);
  for (let i = 0; i < 10_001; i += 1) await check.find(createApiKeyText('test'));
  await check.find(text);
  expect(asked).toBe(2 + 10_001 + 1);
});

test('of a key that changed every value is forgotten, and of no other', async () => {
  const asked: string[] = [];
  const texts = { first: createApiKeyText('test'), rotated: createApiKeyText('test'), other: createApiKeyText('test') };
  const idOf = new Map(Object.entries(texts).map(([name, text]) => [hashApiKey(text), name === 'other' ? 'b' : 'a']));
  const check = new KeyCheck({
    keys: {
      findByHash: async (hash) => {
        const id = idOf.get(hash.toString('base64')) ?? '';
        asked.push(id);
        return { key: aKey(id), validUntil: null };
      },
    },
    now,
    isFresh: () => true,
  });
  const checkAll = async () => Promise.all(Object.values(texts).map(async (text) => check.find(text)));
  expect((await checkAll()).map((found) => found?.id)).toEqual(['a', 'a', 'b']);
  await checkAll();
  expect(asked).toEqual(['a', 'a', 'b']);
  check.forget('a');
  await checkAll();
  expect(asked).toEqual(['a', 'a', 'b', 'a', 'a']);
  check.forget('nobody');
  await checkAll();
  expect(asked).toHaveLength(5);
  check.forget(null);
  await checkAll();
  expect(asked).toHaveLength(8);
});

function aKey(id: string): StoredApiKey {
  return {
    ...{ id, namespace: 'n', name: 'a key', keyPrefix: 'svc_test_', isActive: true, scopes: [], rateLimit: null, createdBy: 'n' },
    ...{ expiresAt: new Date(Date.now() + HOUR), createdAt: new Date(), lastUsedAt: null },
  };
}

test('how long a refusal takes tells nothing about a key', async () => {
  const { key, id } = await admin.createKey();
  await admin.changeKey(id, { active: false });
  await millisUntil(401, key);
  const unknown = createApiKeyText('test');
  await statusAt(gateway.url, unknown);
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  for (let i = 0; i < 400; i += 1)
    for (const [name, text] of [
      ['known', key],
      ['unknown', unknown],
    ] as const) {
      const startedAt = performance.now();
      await statusAt(gateway.url, text);
      times[name].push(performance.now() - startedAt);
    }
  const [known, other] = [times.known, times.unknown].map((all) => all.toSorted((left, right) => left - right));
  const middle = (all: readonly number[] = []): number => all[all.length >> 1] ?? 0;
  const spread = (all: readonly number[] = []): number => (all[(all.length * 3) >> 2] ?? 0) - (all[all.length >> 2] ?? 0);
  expect(Math.abs(middle(known) - middle(other))).toBeLessThan(Math.max(spread(known), spread(other)));
});

test('without the database a key cannot be checked, and that is what is answered', async () => {
  const check = new KeyCheck({ keys: { findByHash: async () => Promise.reject(new Error('no database')) }, now, isFresh: () => false });
  await expect(check.find(createApiKeyText('test'))).rejects.toThrow('no database');
});
