import { isApiKeyText } from '@svc/auth';

import { ask, type Asked, type AskedMethod } from '../testing/ask.ts';
import { startGatewayUnderTest, type GatewayUnderTest } from '../testing/gateway-under-test.ts';

const KEYS = '/svc/1/api/admin/keys';
const DAY = 86_400_000;

let gateway: GatewayUnderTest;
let now = new Date('2026-11-20T09:15:00.123Z');
beforeAll(async () => {
  gateway = await startGatewayUnderTest({ now: () => now });
});
afterAll(() => gateway.close());

interface Key {
  readonly id: string;
  readonly key: string;
  readonly [name: string]: unknown;
}

/** Sends a request as an administrator; every subject is a namespace of its own. */
async function as(subject: string, method: AskedMethod, path: string, asked: Asked = {}) {
  const { status, body, headers } = await ask(gateway.url, method, path, { as: await gateway.token(subject), ...asked });
  expect(headers['cache-control']).toBe('no-store');
  return { status, body: body as Key };
}

const create = async (subject: string, body: object = { name: 'a key' }): Promise<Key> => (await as(subject, 'post', KEYS, { body })).body;

test('a key that is created has a usable value, holds 90 days, and is listed without its value', async () => {
  const { status, body } = await as('ann', 'post', KEYS, { body: { name: 'first' } });
  expect(status).toBe(201);
  const { key, ...rest } = body;
  expect(isApiKeyText(key)).toBe(true);
  expect(rest).toEqual({
    ...{ id: expect.any(String), name: 'first', active: true, status: 'active', scopes: [], rateLimit: null },
    ...{ expiresAt: new Date(now.getTime() + 90 * DAY).toISOString(), createdBy: 'ann', createdAt: expect.any(String), lastUsedAt: null },
  });
  const shown = { ...rest, keyPrefix: key.slice(0, 'svc_test_'.length + 8) };
  expect(await as('ann', 'get', KEYS)).toEqual({ status: 200, body: [shown] });
  expect(await as('ann', 'get', `${KEYS}/${rest.id}`)).toEqual({ status: 200, body: shown });
});

test('keys are listed in pages, and a full page names the next', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 5; i += 1) ids.push((await create('pat')).id);
  const listed: string[] = [];
  let next: string | undefined = `${KEYS}?limit=2`;
  while (next !== undefined) {
    const answer = await ask(gateway.url, 'get', next, { as: await gateway.token('pat') });
    listed.push(...(answer.body as unknown as readonly Key[]).map(({ id }) => id));
    next = /^<(.*)>; rel="next"$/.exec(answer.headers['link'] ?? '')?.[1];
  }
  expect(listed).toEqual(ids);
  for (const after of ['x', ids[0]])
    expect((await as('pam', 'get', `${KEYS}?after=${after}`)).body).toMatchObject({ code: 'key_not_found' });
  for (const limit of ['0', '1001', 'x']) expect((await as('pat', 'get', `${KEYS}?limit=${limit}`)).status).toBe(400);
});

test('a value can be revealed, and is in the database in no readable form', async () => {
  const { id, key } = await create('bea');
  expect(await as('bea', 'post', `${KEYS}/${id}/reveal`)).toEqual({ status: 200, body: { key } });
  const rows = await gateway.database.db.selectFrom('api_keys').selectAll().execute();
  const hashes = await gateway.database.db.selectFrom('api_key_hashes').selectAll().execute();
  expect(JSON.stringify([rows, hashes])).not.toContain(key.slice(20, 40));
  expect(rows.some(({ sealed }) => sealed.includes(key.slice(20, 40)))).toBe(false);
});

test('a sealed value that is moved to another key cannot be revealed there', async () => {
  const [mine, other] = [await create('eve'), await create('eve')];
  const { db } = gateway.database;
  const { sealed } = await db.selectFrom('api_keys').select('sealed').where('id', '=', other.id).executeTakeFirstOrThrow();
  await db.updateTable('api_keys').set({ sealed }).where('id', '=', mine.id).execute();
  const { status, body } = await as('eve', 'post', `${KEYS}/${mine.id}/reveal`);
  expect([status, body['code']]).toEqual([500, 'internal_error']);
  expect(JSON.stringify([body, gateway.log])).not.toContain(other.key);
});

test('a key is renamed, limited, prolonged, deactivated and activated', async () => {
  const { id } = await create('cid');
  const change = (body: object) => as('cid', 'patch', `${KEYS}/${id}`, { body });
  const expiresAt = '2027-01-02T03:04:05.000Z';
  expect((await change({ name: 'other', expiresAt, rateLimit: { requests: 2, seconds: 60 } })).body).toMatchObject({
    ...{ name: 'other', expiresAt, rateLimit: { requests: 2, seconds: 60 }, status: 'active' },
  });
  expect((await change({ active: false })).body).toMatchObject({ active: false, status: 'inactive', name: 'other' });
  expect((await change({ active: true, rateLimit: null })).body).toMatchObject({ active: true, status: 'active', rateLimit: null });
  expect((await change({})).body).toMatchObject({ name: 'other' });
});

test('a key that has expired says so, whatever its flag is, and comes back with a new expiry only', async () => {
  const { id } = await create('dan', { name: 'short', expiresAt: new Date(now.getTime() + 1000).toISOString() });
  const before = now;
  now = new Date(now.getTime() + 1001);
  try {
    const change = (body: object) => as('dan', 'patch', `${KEYS}/${id}`, { body });
    expect((await as('dan', 'get', `${KEYS}/${id}`)).body['status']).toBe('expired');
    expect((await change({ active: true })).body['status']).toBe('expired');
    expect(await change({ expiresAt: before.toISOString() })).toMatchObject({ status: 400, body: { code: 'bad_request' } });
    expect((await change({ expiresAt: '2030-01-01T00:00:00Z' })).body['status']).toBe('active');
  } finally {
    now = before;
  }
});

test('a rotated key has a new value under the same id', async () => {
  const { id, key } = await create('flo');
  const { status, body } = await as('flo', 'post', `${KEYS}/${id}/rotate`, { body: { graceSeconds: 60 } });
  expect([status, body.id, isApiKeyText(body.key), body.key === key]).toEqual([200, id, true, false]);
  expect((await as('flo', 'post', `${KEYS}/${id}/reveal`)).body.key).toBe(body.key);
});

test('a deleted key is gone', async () => {
  const { id } = await create('gil');
  expect(await as('gil', 'delete', `${KEYS}/${id}`)).toMatchObject({ status: 204 });
  expect(await as('gil', 'delete', `${KEYS}/${id}`)).toMatchObject({ status: 404, body: { code: 'key_not_found' } });
  expect((await as('gil', 'get', KEYS)).body).toEqual([]);
});

test("another namespace's key is answered like one that never was", async () => {
  const { id } = await create('hal');
  const absent = '00000000-0000-4000-8000-000000000000';
  for (const [method, path, body] of [
    ['get', '', undefined],
    ['patch', '', { active: false }],
    ['delete', '', undefined],
    ['post', '/reveal', undefined],
    ['post', '/rotate', {}],
  ] as const) {
    const answer = await as('ivy', method, `${KEYS}/${id}${path}`, { body });
    expect(answer).toEqual({ status: 404, body: { code: 'key_not_found', message: `Key "${id}" does not exist.` } });
    for (const other of [absent, "x'; DROP TABLE api_keys; --", '%00'])
      expect(await as('ivy', method, `${KEYS}/${encodeURIComponent(other)}${path}`, { body })).toMatchObject({ status: 404 });
  }
});

test('what cannot be used in a key is named', async () => {
  const faults: readonly (readonly [object, string])[] = [
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: '  ' }, 'The field name must be a label that says what the key is for, without control characters.'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ name: 'x', expires: 1 }, 'expires'],
    [
      { name: 'x', expiresAt: '2026-11-20T09:15:00' },
      'The field expiresAt must be ISO 8601 in UTC, such as 2026-11-20T09:15:00Z, in the future.',
    ],
    [{ name: 'x', expiresAt: '2027-02-30T00:00:00Z' }, 'expiresAt'],
    [{ name: 'x', expiresAt: '2026-11-20T09:15:00.123Z' }, 'expiresAt'],
    [{ name: 'x', active: 'yes' }, 'active'],
    [{ name: 'x', scopes: ['nobody:declares'] }, 'nobody:declares'],
    [{ name: 'x', rateLimit: { requests: 0, seconds: 1 } }, 'rateLimit'],
    [{ name: 'x', rateLimit: { requests: 1 } }, 'seconds'],
  ];
  for (const [body, named] of faults) {
    const answer = await as('jan', 'post', KEYS, { body });
    expect([answer.status, answer.body['code']]).toEqual([400, 'bad_request']);
    expect(answer.body['message']).toContain(named);
  }
  expect((await as('jan', 'post', KEYS, { body: { name: '' } })).body['message']).toBe('The field name must not be empty.');
  expect((await as('jan', 'get', KEYS)).body).toEqual([]);
});

test('the administration needs a token with its scope', async () => {
  for (const path of [KEYS, '/svc/1/api/admin/audit', '/svc/1/api/admin/nothing']) {
    expect(await ask(gateway.url, 'get', path)).toMatchObject({ status: 401, headers: { 'cache-control': 'no-store' } });
    const refused = await ask(gateway.url, 'get', path, { as: await gateway.token('ann', 'svc:other svc:administer') });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' }, headers: { 'cache-control': 'no-store' } });
  }
});

test('the audit names who did what to which key, and never a value', async () => {
  const { id, key } = await create('kim', { name: 'secret name' });
  await as('kim', 'post', `${KEYS}/${id}/reveal`);
  await as('kim', 'post', `${KEYS}/${id}/rotate`, { body: {} });
  const { body } = await as('kim', 'get', '/svc/1/api/admin/audit');
  const entries = body as unknown as readonly Readonly<Record<string, unknown>>[];
  expect(entries.map(({ action, actor, target }) => [action, actor, target])).toEqual(
    ['key.rotate', 'key.reveal', 'key.create'].map((action) => [action, 'kim', `key ${id}`]),
  );
  expect(JSON.stringify(entries)).not.toContain(key.slice(9));
  const next = await as('kim', 'get', `/svc/1/api/admin/audit?limit=1&before=${String(entries[1]?.['id'])}`);
  expect(next.body).toEqual([entries[2]]);
  expect(await as('kim', 'get', '/svc/1/api/admin/audit?limit=0')).toMatchObject({ status: 400 });
  expect((await as('leo', 'get', '/svc/1/api/admin/audit')).body).toEqual([]);
});
