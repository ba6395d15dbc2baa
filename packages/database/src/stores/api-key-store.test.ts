import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { openTestDatabase } from '../testing/open-test-database.ts';
import { ApiKeyStore, type NewApiKey } from './api-key-store.ts';
import { AuditStore } from './audit-store.ts';
import { readGatewayVersions } from './gateway-versions.ts';
import { RateLimitStore } from './rate-limit-store.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let keys: ApiKeyStore;
let audit: AuditStore;

beforeAll(async () => {
  database = await openTestDatabase();
  keys = new ApiKeyStore(database);
  audit = new AuditStore(database);
});
afterAll(() => database.close());

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

function aKey(changed: Partial<NewApiKey> = {}): NewApiKey {
  const id = randomUUID();
  return {
    id,
    namespace: 'team',
    name: 'a key',
    keyPrefix: 'svc_local_abcdefgh',
    sealed: Buffer.from('sealed'),
    hash: hashOf(id),
    expiresAt: new Date('2030-01-01T00:00:00.123Z'),
    isActive: true,
    scopes: ['b', 'a'],
    rateLimit: null,
    createdBy: 'ann',
    ...changed,
  };
}

const targetOf = ({ id, namespace }: NewApiKey) => ({ id, namespace, actor: 'ann' });

test('a key is found by its hash, by its id in its own namespace, and in the list', async () => {
  const key = aKey({ namespace: 'found', rateLimit: { requests: 5, seconds: 2 } });
  const stored = await keys.insert(key);
  expect(stored).toMatchObject({ id: key.id, scopes: ['a', 'b'], rateLimit: { requests: 5, seconds: 2 }, lastUsedAt: null });
  expect(await keys.findByHash(key.hash)).toEqual({ key: stored, validUntil: null });
  expect(await keys.findByHash(hashOf('another'))).toBeUndefined();
  expect([await keys.get('found', key.id), await keys.get('other', key.id)]).toEqual([stored, undefined]);
  expect(await keys.list('found', { limit: 10 })).toEqual([stored]);
});

test('keys are listed in pages, each once, those of one instant too', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 7; i += 1) ids.push((await keys.insert(aKey({ namespace: 'paged' }))).id);
  await database.db
    .updateTable('api_keys')
    .set({ created_at: new Date('2026-11-20T09:15:00.123Z') })
    .where('id', 'in', ids.slice(2))
    .execute();
  const listed: string[] = [];
  for (;;) {
    const page = (await keys.list('paged', { limit: 3, after: listed.at(-1) })) ?? [];
    listed.push(...page.map(({ id }) => id));
    if (page.length < 3) break;
  }
  expect(listed).toHaveLength(7);
  expect(listed.toSorted()).toEqual(ids.toSorted());
  expect(await keys.list('other', { limit: 3, after: ids[0] })).toBeUndefined();
});

test('another namespace can neither change, reveal, rotate nor delete a key', async () => {
  const key = aKey();
  await keys.insert(key);
  const other = { ...targetOf(key), namespace: 'other' };
  const rotation = { hash: hashOf('x'), sealed: key.sealed, keyPrefix: 'x', graceUntil: new Date() };
  expect(await keys.update(other, { isActive: false })).toBeUndefined();
  expect(await keys.reveal(other)).toBeUndefined();
  expect(await keys.rotate(other, rotation)).toBeUndefined();
  expect(await keys.delete(other)).toBe(false);
  expect(await keys.get('team', key.id)).toMatchObject({ isActive: true });
});

test('each change has its entry, newest first, and entries are paged by id', async () => {
  const key = aKey({ namespace: 'audited' });
  await keys.insert(key);
  const target = targetOf(key);
  await keys.update(target, { isActive: false });
  await keys.update(target, { isActive: false, name: 'renamed' });
  await keys.update(target, { isActive: true, rateLimit: { requests: 1, seconds: 1 } });
  await keys.reveal(target);
  await keys.rotate(target, { hash: hashOf('rotated'), sealed: key.sealed, keyPrefix: 'x', graceUntil: new Date() });
  await keys.delete(target);
  const entries = await audit.list('audited', { limit: 100, before: undefined });
  expect(entries.map(({ action }) => action)).toEqual([
    ...['key.delete', 'key.rotate', 'key.reveal', 'key.update', 'key.activate'],
    ...['key.update', 'key.deactivate', 'key.create'],
  ]);
  expect(entries[0]).toMatchObject({ actor: 'ann', target: `key ${key.id}`, namespace: 'audited' });
  const page = await audit.list('audited', { limit: 2, before: entries[2]?.id });
  expect(page).toEqual(entries.slice(3, 5));
});

test('after a rotation both values are found until their ends, and two rotations at once leave one current value', async () => {
  const key = aKey();
  await keys.insert(key);
  const graceUntil = new Date(Date.now() + 60_000);
  const rotate = (text: string) =>
    keys.rotate(targetOf(key), { hash: hashOf(text), sealed: Buffer.from(text), keyPrefix: text, graceUntil });
  await Promise.all([rotate('left'), rotate('right')]);
  const found = await Promise.all([key.hash, hashOf('left'), hashOf('right')].map((hash) => keys.findByHash(hash)));
  expect(found.map((one) => one?.validUntil ?? null).filter((until) => until === null)).toHaveLength(1);
  expect(found.map((one) => one?.key.id)).toEqual([key.id, key.id, key.id]);
  expect(found[0]?.validUntil).toEqual(graceUntil);
});

test('uses are written in one statement, never go back, and pass over keys that are gone', async () => {
  const [one, gone] = [aKey({ namespace: 'used' }), aKey({ namespace: 'used' })];
  await keys.insert(one);
  await keys.insert(gone);
  await keys.delete(targetOf(gone));
  const { keys: before } = await readGatewayVersions(database.db);
  const at = new Date('2026-11-20T09:15:00.123Z');
  await keys.recordUses(new Map([one, gone].map(({ id }) => [id, at])));
  await keys.recordUses(new Map([[one.id, new Date(at.getTime() - 5)]]));
  expect(((await keys.list('used', { limit: 10 })) ?? []).map(({ lastUsedAt }) => lastUsedAt)).toEqual([at]);
  expect((await readGatewayVersions(database.db)).keys).toBe(before);
});

test('every change raises the version of keys', async () => {
  const key = aKey();
  const versions: number[] = [];
  for (const change of [() => keys.insert(key), () => keys.update(targetOf(key), { isActive: false }), () => keys.delete(targetOf(key))]) {
    await change();
    versions.push((await readGatewayVersions(database.db)).keys);
  }
  expect(versions.map((version) => version - (versions[0] ?? 0))).toEqual([0, 1, 2]);
});

test('calls at the same instant never exceed a limit, and the rest are told when to come again', async () => {
  const limits = new RateLimitStore(database);
  const key = aKey();
  await keys.insert(key);
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => limits.take(key.id, { requests: 7, seconds: 600 })));
  expect(
    outcomes
      .filter(({ isAllowed }) => isAllowed)
      .map(({ remaining }) => remaining)
      .toSorted((left, right) => left - right),
  ).toEqual([0, 1, 2, 3, 4, 5, 6]);
  const refused = outcomes.filter(({ isAllowed }) => !isAllowed);
  expect(refused).toHaveLength(13);
  for (const { waitMillis } of refused) expect(waitMillis).toBeGreaterThan(590_000);
  // Rejected calls count too.
  expect(await limits.take(key.id, { requests: 20, seconds: 600 })).toMatchObject({ isAllowed: false, remaining: 0 });
  expect(await limits.take(key.id, { requests: 23, seconds: 600 })).toMatchObject({ isAllowed: true, remaining: 1 });
});

test('a sliding window admits calls again when those before have left it, and nobody who does not wait', async () => {
  const limits = new RateLimitStore(database);
  const key = aKey();
  await keys.insert(key);
  const take = () => limits.take(key.id, { requests: 2, seconds: 1 });
  const startedAt = performance.now();
  expect([await take(), await take(), await take()].map(({ isAllowed }) => isAllowed)).toEqual([true, true, false]);
  let last = await take();
  while (performance.now() - startedAt < 1300) {
    last = await take();
    expect(last.isAllowed).toBe(false);
  }
  expect(last.waitMillis).toBeGreaterThan(900);
  const refusedAt = performance.now();
  await delay(last.waitMillis);
  expect(await take()).toMatchObject({ isAllowed: true });
  expect(performance.now() - refusedAt).toBeLessThan(3000);
});
