import { get } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';

import { eventually, testAuthorization } from '@svc/test-kit';

import { administrate, type Administration } from '../testing/administrate.ts';
import { ask, type Asked, type AskedMethod } from '../testing/ask.ts';
import { startExecutorProcess, type ExecutorProcess } from '../testing/executor-process.ts';
import { startGatewayUnderTest, type GatewayUnderTest } from '../testing/gateway-under-test.ts';

const PACKAGE = `
  TYPE item := record(sku: string, price: double);
  @get("/who", scopes := ["who"]) who() := (user: USER(), scopes: SCOPES());
  @get("/open/who", visibility := "public") open_who() := (user: USER(), scopes: SCOPES());
  @get("/public/scoped", visibility := "public", scopes := ["who"]) public_scoped() := 1;
  @get("/free") free(n: int := 1) := n;
  @get("/items/{id}") by_id(id: long, name: string := "x") := (id: id, name: name);
  @put("/items/{id}") put_item(id: long, body: item) := body.sku;
  @get("/rows") rows(n: int) := SELECT i AS i, "text " + i AS t FROM RANGE(0, n) AS i;
  @get("/rows.csv", format := "csv") rows_csv(n: int) := SELECT i AS i FROM RANGE(0, n) AS i;
  @get("/fails") fails(n: int) := 1 / n;
  @get("/fails/late") fails_late() := SELECT IF i = 900000 THEN 1 / (i - 900000) ELSE i AS i FROM RANGE(0, 1000000) AS i;
  @get("/long") long_one() := SELECT COUNT(*) AS n FROM RANGE(0, 90000) AS a, RANGE(0, 90000) AS b, RANGE(0, 90000) AS c WHERE a + b + c < 5;
`;

let gateway: GatewayUnderTest;
let executor: ExecutorProcess;
let admin: Administration;
let who: string;
let bare: string;
let foreign: string;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  executor = await startExecutorProcess({ ...gateway.env, SVC_CORS_ORIGINS: '*' });
  admin = administrate(gateway);
  await executor.putPackage('p', PACKAGE);
  await admin.putApplication('app', 'application: app\nscopes: [{ name: who }]\npackages: [p]');
  who = (await admin.createKey({ scopes: ['who'] })).key;
  bare = (await admin.createKey()).key;
  foreign = (await admin.createKey({}, 'bob')).key;
}, 120_000);
afterAll(async () => {
  await executor.end();
  await gateway.close();
});

const call = (path: string, asked: Asked = {}, method: AskedMethod = 'get') => ask(gateway.url, method, `/app/1/public${path}`, asked);
const UNAUTHORIZED = { code: 'unauthorized', message: 'The API key is missing or not valid.' };

test('a function runs as the creator of the key, with the scopes of the key', async () => {
  const { status, body, headers } = await call('/who', { key: who });
  expect([status, body]).toEqual([200, { user: 'ann', scopes: ['who'] }]);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
});

test('a public endpoint without scopes needs no key, and runs as the owner of its package with no scope', async () => {
  for (const key of [undefined, 'no key', foreign]) expect((await call('/open/who', { key })).body).toEqual({ user: 'ann', scopes: [] });
  expect((await call('/open/who', { key: who })).body).toEqual({ user: 'ann', scopes: ['who'] });
});

test('a package that was stored before packages had owners and functions answers 503 until it is stored again', async () => {
  await executor.putPackage('older', '@get("/older", visibility := "public") older() := USER();');
  await admin.putApplication('older', 'application: older\npackages: [older]');
  const answer = () => ask(gateway.url, 'get', '/older/1/public/older');
  expect(await answer()).toMatchObject({ status: 200, body: 'ann' });
  await gateway.database.db.updateTable('packages').set({ owner: null }).where('name', '=', 'older').execute();
  const again = expect.stringContaining('Store it again');
  await eventually(async () => expect(await answer()).toMatchObject({ status: 503, body: { message: again } }));
  await gateway.database.db.updateTable('packages').set({ functions: null }).where('name', '=', 'older').execute();
  await eventually(async () =>
    expect(await answer()).toMatchObject({ status: 503, body: { message: expect.stringContaining('does not fit') } }),
  );
  const list = await ask(gateway.url, 'get', '/svc/1/api/admin/applications/older', { as: await gateway.token() });
  expect(list.body).toMatchObject({ problems: [{ message: 'package older was stored by an earlier version: put it again' }] });
  await executor.putPackage('older', '@get("/older", visibility := "public") older() := USER();');
  await eventually(async () => expect(await answer()).toMatchObject({ status: 200, body: 'ann' }));
});

test('without a valid key of the namespace every other path answers the same, whatever is there', async () => {
  const texts = [undefined, '', 'no key', foreign, who.slice(0, -1), who.toLowerCase(), `${who}x`];
  const paths = [
    '/app/1/public/who',
    '/app/1/public/free',
    '/app/1/public/public/scoped',
    '/app/1/public/nothing',
    '/app/1/public',
    '/App/1/public/x',
  ];
  const answers = [];
  for (const path of [...paths, '/other/1/public/who', '/app/1/public/%zz', `/app/1/public/who?X-SVC-API-KEY=${who}&key=${who}`])
    for (const key of texts) answers.push(await ask(gateway.url, 'get', path, { key }));
  answers.push(
    await call('/who', {}, 'delete'),
    await call('/open/who', {}, 'delete'),
    await ask(gateway.url, 'get', '/other/1/public/who', { key: who }),
  );
  for (const { status, body, headers } of answers) {
    expect([status, body, headers['www-authenticate']]).toEqual([401, UNAUTHORIZED, 'ApiKey']);
    const { date: _, 'x-request-id': __, ...rest } = headers;
    const { date: ___, 'x-request-id': ____, ...first } = answers[0]?.headers ?? {};
    expect(rest).toEqual(first);
  }
});

test('a key sent twice is no key, even where none is needed', async () => {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  get(`${gateway.url}/app/1/public/open/who`, { headers: { 'X-SVC-API-KEY': [who, who] } }, resolve);
  const answer = await promise;
  answer.resume();
  expect(answer.statusCode).toBe(401);
});

test('with a valid key a missing scope, an unknown path and another method are told apart', async () => {
  expect(await call('/who', { key: bare })).toMatchObject({
    status: 403,
    body: { code: 'forbidden', message: expect.stringContaining('who') },
  });
  expect(await call('/public/scoped', { key: bare })).toMatchObject({ status: 403 });
  for (const path of ['/nothing', '/who/', '/Who', '', '/'])
    expect(await call(path, { key: bare })).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await call('/items/1', { key: bare }, 'post')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, PUT' } });
  expect(await call('/items/%zz', { key: bare })).toMatchObject({ status: 400, body: { code: 'bad_request' } });
});

test('parameters are checked against the types of the function, all at once', async () => {
  expect((await call('/items/9223372036854775807?name=%26', { key: bare })).body).toEqual({ id: expect.any(Number), name: '&' });
  const { status, body } = await call('/items/x?name=a&name=b&nme=1', { key: bare });
  expect([status, body]).toEqual([
    400,
    {
      code: 'bad_request',
      message:
        'The query parameter name is given more than once. The query parameter nme is unknown. The path parameter id cannot be cast to long.',
    },
  ]);
});

test('a body is checked against its type', async () => {
  const put = (body: object | string, headers = {}) => call('/items/7', { key: bare, body, headers }, 'put');
  expect(await put({ sku: 'a', price: 1.5 })).toMatchObject({ status: 200, body: 'a' });
  expect((await put({ sku: 'a', prize: 1 })).body).toEqual({ code: 'bad_request', message: expect.stringContaining('price is missing') });
  expect((await put({ sku: 'a', price: 1, more: 1 })).body).toEqual({
    code: 'bad_request',
    message: 'The body has the unknown member more.',
  });
  expect((await put('{"sku"', { 'Content-Type': 'application/json' })).body).toMatchObject({
    message: expect.stringContaining('it is no JSON'),
  });
  expect((await put('x', { 'Content-Type': 'text/plain' })).status).toBe(415);
  expect((await put({ sku: 'x'.repeat(1024 * 1024), price: 1 })).status).toBe(413);
  const missing = { message: expect.stringContaining('The body is missing') };
  expect((await call('/items/7', { key: bare }, 'put')).body).toMatchObject(missing);
  expect((await put('', { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' })).body).toMatchObject(missing);
});

test('Accept decides on the format where it names one, the endpoint where it has one', async () => {
  const rows = async (path: string, Accept?: string) => {
    const { status, body, headers } = await call(path, { key: bare, ...(Accept !== undefined && { headers: { Accept } }) });
    return [status, headers['content-type'], body];
  };
  const json = [200, 'application/json; charset=utf-8', [{ i: 0, t: 'text 0' }]];
  expect(await rows('/rows?n=1')).toEqual(json);
  expect(await rows('/rows?n=1', 'text/html, */*')).toEqual(json);
  expect(await rows('/rows?n=1', 'text/csv')).toEqual([200, 'text/csv; charset=utf-8', 'i,t\n0,text 0\n']);
  expect(await rows('/rows?n=1', 'application/x-ndjson')).toEqual([200, 'application/x-ndjson; charset=utf-8', '{"i":0,"t":"text 0"}\n']);
  expect(await rows('/rows.csv?n=1')).toEqual([200, 'text/csv; charset=utf-8', 'i\n0\n']);
  expect((await rows('/rows.csv?n=1', 'application/json'))[0]).toBe(200);
  expect((await rows('/rows?n=1', 'image/png'))[0]).toBe(406);
});

test('a failure of the function is passed on, as JSON or as a problem', async () => {
  const failed = await call('/fails?n=0', { key: bare });
  expect(failed).toMatchObject({ status: 400, body: { validationErrors: [], runtimeError: { message: expect.any(String) } } });
  const problem = await call('/fails?n=0', { key: bare, headers: { Accept: 'application/json, application/problem+json' } });
  expect([problem.status, problem.headers['content-type']]).toEqual([400, 'application/problem+json; charset=utf-8']);
});

test('an answer names what it varies by, and the rules for browsers are those of the gateway', async () => {
  for (const path of ['/rows?n=1', '/absent', '/rows?n=many']) {
    const { headers } = await call(path, { key: bare });
    expect(headers['vary']).toBe('Accept, Accept-Encoding, X-SVC-API-KEY');
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
});

test('what a key is answered is not kept by caches that others share', async () => {
  for (const path of ['/who', '/open/who', '/absent'])
    expect((await call(path, { key: who })).headers).toMatchObject({ 'cache-control': 'private' });
  expect((await call('/open/who', {})).headers).not.toHaveProperty('cache-control');
});

test('a failure after the first byte breaks the answer off, and is no fault of the gateway', async () => {
  const answer = await open('/fails/late', bare);
  await expect(once(answer.resume(), 'end')).rejects.toThrow('aborted');
  expect(answer.complete).toBe(false);
  // By the end of another call the line of the first one is written.
  expect((await call('/free', { key: bare })).status).toBe(200);
  expect(gateway.log.filter(({ level }) => level === 'error')).toEqual([]);
});

test('HEAD is answered where GET is, without a body', async () => {
  const { status, headers, body } = await call('/who', { key: who }, 'head');
  expect([status, headers['content-type'], body]).toEqual([200, 'application/json; charset=utf-8', {}]);
  expect((await call('/who', {}, 'head')).status).toBe(401);
});

test('the id of a request goes through to the answer', async () => {
  const headers = { 'X-Request-Id': 'of-the-caller-1', traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' };
  const answer = await call('/free', { key: bare, headers });
  expect(answer.headers).toMatchObject({ 'x-request-id': 'of-the-caller-1', 'x-svc-query-id': expect.any(String) });
});

async function open(path: string, key: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(`${gateway.url}/app/1/public${path}`, { headers: { 'X-SVC-API-KEY': key } }, resolve).on('error', reject);
  return promise;
}

test('a long answer streams, with the trailers of the executor', async () => {
  const answer = await open('/rows?n=90000', bare);
  let length = 0;
  answer.on('data', (bytes: Buffer) => (length += bytes.length));
  await once(answer, 'end');
  expect(length).toBeGreaterThan(2_000_000);
  expect(answer.complete).toBe(true);
  expect(answer.trailers).toMatchObject({ 'x-svc-truncated': 'false', 'server-timing': expect.stringContaining('execute') });
});

test('limits of queries hold for endpoints', async () => {
  const { body, headers } = await call('/rows?n=100', { key: bare, headers: { 'X-SVC-max-bytes': '60' } });
  expect([JSON.stringify(body).length <= 60, headers['x-svc-truncated']]).toEqual([true, 'true']);
});

async function runningQueries(): Promise<readonly unknown[]> {
  const { mint } = await testAuthorization();
  return (await ask(executor.url, 'get', '/queries', { as: await mint({ sub: 'ann' }) })).body as readonly unknown[];
}

test('a query is cancelled when the caller goes away', async () => {
  const request = get(`${gateway.url}/app/1/public/long`, { headers: { 'X-SVC-API-KEY': bare } }).on('error', () => undefined);
  await eventually(async () => expect(await runningQueries()).toHaveLength(1));
  request.destroy();
  await eventually(async () => expect(await runningQueries()).toEqual([]));
});

test('an endpoint whose function has changed answers 503 until it is put right, and the others go on', async () => {
  await executor.putPackage('q', '@get("/q") q(n: int := 1) := n;');
  await admin.putApplication('two', 'application: two\npackages: [p, q]\nscopes: [{ name: who }]');
  const statuses = async () => {
    const paths = ['/q', '/free', '/open/who'];
    return Promise.all(paths.map(async (path) => (await ask(gateway.url, 'get', `/two/1/public${path}`, { key: bare })).status));
  };
  expect(await statuses()).toEqual([200, 200, 200]);
  await executor.deletePackage('q');
  await eventually(async () => expect(await statuses()).toEqual([503, 200, 200]));
  expect((await ask(gateway.url, 'get', '/two/1/public/q')).status).toBe(401);
  await executor.putPackage('q', '@get("/q") q(n: int := 2) := n;');
  await eventually(async () => expect(await statuses()).toEqual([200, 200, 200]));
});

test('nobody but the gateway may act for others at the executor', async () => {
  const { mint, client } = await testAuthorization();
  const acting = { 'X-SVC-Act-As': 'bob', 'X-SVC-Act-As-Namespace': 'bob', 'X-SVC-Act-As-Scopes': '' };
  const asked = async (claims: object, scope: string, headers: Readonly<Record<string, string>> = acting) =>
    (await ask(executor.url, 'post', '/query', {
      as: await mint({ sub: 'ann', scope, claims: { ...claims } }),
      body: 'USER()',
      headers: { 'Content-Type': 'text/plain', ...headers },
    })) as { readonly status: number; readonly body: unknown };
  expect(await asked({ client_id: 'another' }, 'svc:act-as')).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect((await asked({ client_id: client.id }, 'other')).status).toBe(403);
  expect((await asked({ client_id: client.id }, 'other', { 'X-SVC-Act-As-Scopes': 'x' })).status).toBe(403);
  expect((await asked({ client_id: client.id }, 'svc:act-as', { 'X-SVC-Act-As': 'bob' })).status).toBe(400);
  expect(await asked({ client_id: client.id }, 'svc:act-as')).toMatchObject({ status: 200, body: '"bob"\n' });
});

test('a key is not written to the log, and its use shows', async () => {
  const { id, key } = await admin.createKey();
  expect((await call('/free', { key })).status).toBe(200);
  expect(JSON.stringify(gateway.log)).not.toContain(key);
  await eventually(async () => expect((await admin.showKey(id))['lastUsedAt']).toEqual(expect.any(String)));
});
