import { Validator } from '@seriousme/openapi-schema-validator';

import { administrate, type Administration } from '../testing/administrate.ts';
import { ask, type AskedMethod } from '../testing/ask.ts';
import { startExecutorProcess, type ExecutorProcess } from '../testing/executor-process.ts';
import { startGatewayUnderTest, type GatewayUnderTest } from '../testing/gateway-under-test.ts';

const OPEN_API = '/svc/1/api/admin/endpoints/open-api';

let gateway: GatewayUnderTest;
let executor: ExecutorProcess;
let admin: Administration;
beforeAll(async () => {
  gateway = await startGatewayUnderTest({ env: { SVC_TRUSTED_PROXIES: '10.0.0.0/8' } });
  executor = await startExecutorProcess(gateway.env);
  admin = administrate(gateway);
  await executor.putPackage('p', PACKAGE);
  await admin.putApplication('shop', DEFINITION);
}, 120_000);
afterAll(async () => {
  await executor.end();
  await gateway.close();
});

const PACKAGE = `
  TYPE item := record(sku: string, price: decimal nullable);
  @get("/items/{id}", summary := "One item", scopes := ["items:read"]) item(id: long, more: bool := FALSE) := (id: id, names: ["a"]);
  @post("/items", scopes := ["items:write"]) add(body: collection(item)) := CCOUNT(body);
  plain() := 1;
`;
const DEFINITION = `
application: shop
title: A shop
description: Items
scopes: [{ name: "items:read" }, { name: "items:write" }]
packages: [p]
endpoints:
  - { path: /plain, method: get, function: p.plain, visibility: public, description: Always there }
  - { path: "/as-csv/{id}", method: get, function: p.item, scopes: ["items:read", "items:write"], parameters: { id: { description: Its number } } }
`;

interface OpenApi {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

async function documentOf(key: string, query = '', headers: Readonly<Record<string, string>> = {}) {
  const answer = await ask(gateway.url, 'get', `${OPEN_API}${query}`, { key, headers });
  return { ...answer, document: answer.body as OpenApi };
}

const listed = (document: OpenApi): readonly string[] =>
  Object.entries(document.paths)
    .flatMap(([path, operations]) => Object.keys(operations).map((method) => `${method} ${path}`))
    .toSorted();

test('a key sees what it can call, and nothing else', async () => {
  const [reader, writer, both, none] = await Promise.all(
    [['items:read'], ['items:write'], ['items:read', 'items:write'], []].map(async (scopes) => (await admin.createKey({ scopes })).key),
  );
  const open = 'get /shop/1/public/plain';
  expect(listed((await documentOf(none ?? '')).document)).toEqual([open]);
  expect(listed((await documentOf(reader ?? '')).document)).toEqual(['get /shop/1/public/items/{id}', open]);
  expect(listed((await documentOf(writer ?? '')).document)).toEqual([open, 'post /shop/1/public/items']);
  expect(listed((await documentOf(both ?? '')).document)).toEqual([
    ...['get /shop/1/public/as-csv/{id}', 'get /shop/1/public/items/{id}', open, 'post /shop/1/public/items'],
  ]);
});

test('an application of which a key can call nothing is not named', async () => {
  await admin.putApplication(
    'hidden',
    'application: hidden\ntitle: Not for all\nscopes: [{ name: "h" }]\nendpoints: [{ path: /h, method: get, function: p.plain, scopes: [h] }]',
  );
  const [without, having] = await Promise.all([[], ['h']].map(async (scopes) => (await admin.createKey({ scopes })).key));
  expect(JSON.stringify((await documentOf(having ?? '')).document)).toContain('Not for all');
  expect(JSON.stringify((await documentOf(without ?? '')).document)).not.toContain('hidden');
});

test('the document is valid, in the version that is asked for, and describes parameters as the definition does', async () => {
  const { key } = await admin.createKey({ scopes: ['items:read', 'items:write'] });
  for (const [query, version] of [
    ['', '3.0.3'],
    ['?version=3.0', '3.0.3'],
    ['?version=3.1', '3.1.0'],
  ] as const) {
    const { status, document } = await documentOf(key, query);
    expect([status, document.openapi]).toEqual([200, version]);
    const { valid, errors } = await new Validator().validate(structuredClone(document) as unknown as Record<string, unknown>);
    expect([valid, errors]).toEqual([true, undefined]);
    expect(JSON.stringify(document.paths['/shop/1/public/as-csv/{id}'])).toContain('Its number');
  }
  expect((await documentOf(key, '?version=2')).status).toBe(400);
});

test('the server is the address of the request, a proxy’s only if that is trusted', async () => {
  const { key } = await admin.createKey();
  const { document } = await documentOf(key);
  expect(document.servers).toEqual([{ url: gateway.url }]);
  const forged = await documentOf(key, '', { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'evil.example' });
  expect(forged.document.servers).toEqual([{ url: gateway.url }]);
  expect((await documentOf(key, '', { Host: '' })).document.servers).toEqual([{ url: '/' }]);
});

test('the tag of a document changes with it', async () => {
  const { key } = await admin.createKey();
  const { headers } = await documentOf(key);
  const tag = headers['etag'] ?? '';
  expect(tag).toMatch(/^"[\w-]+"$/);
  expect((await documentOf(key, '', { 'If-None-Match': tag })).status).toBe(304);
  expect((await documentOf(key, '', { 'If-None-Match': `"x", W/${tag}` })).status).toBe(304);
  expect((await documentOf(key, '?version=3.1', { 'If-None-Match': tag })).status).toBe(200);
});

test('without a valid key there is no document', async () => {
  for (const key of ['', 'no key']) expect(await documentOf(key)).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  expect((await ask(gateway.url, 'get', OPEN_API, { as: await gateway.token() })).status).toBe(401);
});

test("another namespace's endpoints are not there", async () => {
  const { key } = await admin.createKey({}, 'bob');
  expect(listed((await documentOf(key)).document)).toEqual([]);
});

/** A deterministic generator, so that failures can be repeated. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test('of random endpoints, scopes and keys each endpoint is listed exactly if it can be called', async () => {
  const random = randomFrom(20_261_120);
  const scopes = ['a', 'b', 'c', 'd'];
  const some = (): readonly string[] => scopes.filter(() => random(3) === 0);
  await executor.putPackage('r', 'f(n: int := 1) := n;');
  const endpoints = Array.from({ length: 40 }, (_, i) => ({
    path: `/e${i}`,
    method: (['get', 'post', 'put', 'patch', 'delete'] as const)[random(5)] ?? 'get',
    function: 'r.f',
    visibility: random(2) === 0 ? 'public' : 'private',
    scopes: some(),
  }));
  for (const name of ['first', 'second'])
    await admin.putApplication(
      name,
      JSON.stringify({
        application: name,
        scopes: scopes.map((scope) => ({ name: scope })),
        endpoints: endpoints.filter(() => random(2) === 0),
      }),
    );
  for (let round = 0; round < 8; round += 1) {
    const { key } = await admin.createKey({ scopes: some() });
    const { document } = await documentOf(key);
    const inDocument = new Set(listed(document));
    for (const name of ['first', 'second'])
      for (const { path, method } of endpoints) {
        const at = `/${name}/1/public${path}`;
        // One of the five above.
        const { status } = await ask(gateway.url, method as AskedMethod, at, { key });
        expect([`${method} ${at}`, status === 200]).toEqual([`${method} ${at}`, inDocument.has(`${method} ${at}`)]);
      }
  }
}, 120_000);
