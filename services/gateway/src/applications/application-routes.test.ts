import { APPLICATION_SCHEMA } from '@svc/endpoints';
import { eventually } from '@svc/test-kit';

import { ask, type Asked, type AskedMethod } from '../testing/ask.ts';
import { startExecutorProcess, type ExecutorProcess } from '../testing/executor-process.ts';
import { startGatewayUnderTest, type GatewayUnderTest } from '../testing/gateway-under-test.ts';

const APPLICATIONS = '/svc/1/api/admin/applications';
const YAML = { 'Content-Type': 'application/yaml' };

let gateway: GatewayUnderTest;
let executor: ExecutorProcess;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  executor = await startExecutorProcess(gateway.env);
  await executor.putPackage(
    'air',
    '@get("/hello/{name}", scopes := ["air:read"]) hello(name: string) := "Hello " + name; plain(n: int) := n;',
  );
}, 120_000);
afterAll(async () => {
  await executor.end();
  await gateway.close();
});

async function as(subject: string, method: AskedMethod, path: string, asked: Asked = {}) {
  const { status, body, headers } = await ask(gateway.url, method, path, { as: await gateway.token(subject), ...asked });
  return { status, body: body as Readonly<Record<string, unknown>>, headers };
}

const put = (name: string, body: string, subject = 'ann') => as(subject, 'put', `${APPLICATIONS}/${name}`, { body, headers: YAML });

const DEFINITION = `# Airports
application: airports
scopes: [{ name: "air:read" }]
packages: [air]
endpoints:
  - { path: "/plain/{n}", method: get, function: air.plain, visibility: public }
`;
const VIEW = {
  application: 'airports',
  endpoints: [
    { method: 'GET', path: '/plain/{n}', visibility: 'public', scopes: [], function: 'air.plain' },
    { method: 'GET', path: '/hello/{name}', visibility: 'private', scopes: ['air:read'], function: 'air.hello' },
  ],
  problems: [],
};

test('a definition is put, shown with its endpoints, given back as it was sent, and deleted', async () => {
  expect(await put('airports', DEFINITION)).toMatchObject({ status: 200, body: VIEW });
  const details = { ...VIEW, title: null, description: null, scopes: [{ name: 'air:read', description: null }] };
  expect((await as('ann', 'get', `${APPLICATIONS}/airports`)).body).toEqual(details);
  expect((await as('ann', 'get', APPLICATIONS)).body).toEqual([details]);
  const { body, headers } = await as('ann', 'get', `${APPLICATIONS}/airports/definition`);
  expect([body, headers['content-type']]).toEqual([DEFINITION, 'application/yaml; charset=utf-8']);
  expect((await put('airports', DEFINITION)).status).toBe(200);
  expect((await as('ann', 'delete', `${APPLICATIONS}/airports`)).status).toBe(204);
  expect(await as('ann', 'delete', `${APPLICATIONS}/airports`)).toMatchObject({ status: 404, body: { code: 'application_not_found' } });
  expect((await as('ann', 'get', APPLICATIONS)).body).toEqual([]);
});

test('JSON is taken, too, and given back as JSON', async () => {
  const body = { application: 'json-app' };
  expect((await as('ann', 'put', `${APPLICATIONS}/json-app`, { body })).status).toBe(200);
  const answer = await as('ann', 'get', `${APPLICATIONS}/json-app/definition`);
  expect([answer.body, answer.headers['content-type']]).toEqual([body, 'application/json; charset=utf-8']);
});

test('a definition that cannot be used changes nothing, and all that is wrong is said', async () => {
  await put('kept', 'application: kept\nendpoints: [{ path: /a, method: get, function: air.plain }]');
  const { status, body } = await put(
    'kept',
    'application: kept\npackages: [none]\nendpoints: [{ path: /b, method: get, function: air.none }]',
  );
  expect([status, body['code']]).toEqual([400, 'application_invalid']);
  expect((body['problems'] as readonly { readonly path: string }[]).map(({ path }) => path)).toEqual([
    '/endpoints/0/function',
    '/packages/0',
  ]);
  expect(await put('kept', 'application: [')).toMatchObject({ status: 400, body: { problems: [{ path: '' }] } });
  expect((await as('ann', 'get', `${APPLICATIONS}/kept`)).body).toMatchObject({ endpoints: [{ path: '/a' }] });
});

test('what the database cannot store is refused', async () => {
  const fault = (path: string) => ({ status: 400, body: { problems: [{ message: expect.stringContaining('stored'), path }] } });
  expect(await put('odd', 'application: odd\ntitle: "a\\0b"')).toMatchObject(fault('/title'));
  expect(await put('odd', 'application: odd\nendpoints: [{ path: /a, method: get, function: "air.\\0" }]')).toMatchObject(
    fault('/endpoints/0/function'),
  );
});

test('a name belongs to the namespace that put it first, for which alone it exists', async () => {
  await put('mine', 'application: mine');
  expect(await put('mine', 'application: mine', 'bob')).toMatchObject({ status: 409, body: { code: 'application_already_exists' } });
  for (const path of [`${APPLICATIONS}/mine`, `${APPLICATIONS}/mine/definition`])
    expect((await as('bob', 'get', path)).body).toEqual({ code: 'application_not_found', message: 'Application "mine" does not exist.' });
  expect((await as('bob', 'delete', `${APPLICATIONS}/mine`)).status).toBe(404);
  expect((await as('bob', 'get', APPLICATIONS)).body).toEqual([]);
  await as('ann', 'delete', `${APPLICATIONS}/mine`);
  expect((await put('mine', 'application: mine', 'bob')).status).toBe(200);
});

test('of two namespaces that put a name at once one gets it', async () => {
  const answers = await Promise.all(['ann', 'bob', 'cid', 'dan'].map((subject) => put('raced', 'application: raced', subject)));
  expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([200, 409, 409, 409]);
});

test("another namespace's packages do not exist for a definition", async () => {
  expect(await put('bobs', 'application: bobs\npackages: [air]', 'bob')).toMatchObject({
    status: 400,
    body: { problems: [{ message: 'package air does not exist', path: '/packages/0' }] },
  });
});

test('a package that is changed or deleted afterwards shows as a problem, until it is put right', async () => {
  await executor.putPackage('moving', '@get("/m") m(x: int) := x; n(x: int) := x;');
  await put('moving', 'application: moving\npackages: [moving]\nendpoints: [{ path: "/n/{x}", method: get, function: moving.n }]');
  const problems = async () => (await as('ann', 'get', `${APPLICATIONS}/moving`)).body['problems'];
  await executor.putPackage('moving', '@get("/m") m(x: int) := x; n(y: int) := y;');
  expect(await problems()).toEqual([{ message: '{x} is no parameter of moving.n', path: '/endpoints/0/path' }]);
  await executor.deletePackage('moving');
  expect(await problems()).toEqual([
    { message: 'package moving does not exist', path: '/endpoints/0/function' },
    { message: 'package moving does not exist', path: '/packages/0' },
  ]);
  expect((await as('ann', 'get', `${APPLICATIONS}/moving`)).body['endpoints']).toHaveLength(2);
  const fault = 'package moving does not exist';
  await eventually(() => expect(gateway.details()).toMatchObject({ definitions: { moving: [fault, fault] } }));
  await executor.putPackage('moving', '@get("/m") m(x: int) := x; n(x: int) := x;');
  expect(await problems()).toEqual([]);
  await eventually(() => expect(gateway.details()['definitions']).not.toHaveProperty('moving'));
});

test('keys may have the scopes that applications of their namespace declare', async () => {
  await put('scoped', 'application: scoped\nscopes: [{ name: "s:one" }, { name: "s:two" }]');
  const key = (subject: string, scopes: readonly string[]) => as(subject, 'post', '/svc/1/api/admin/keys', { body: { name: 'k', scopes } });
  expect(await key('ann', ['s:one', 's:two'])).toMatchObject({ status: 201, body: { scopes: ['s:one', 's:two'] } });
  expect(await key('ann', ['s:one', 's:three'])).toMatchObject({ status: 400, body: { message: expect.stringContaining('s:three') } });
  expect((await key('bob', ['s:one'])).status).toBe(400);
});

test('the schema of definitions is open to anybody', async () => {
  expect((await ask(gateway.url, 'get', '/svc/1/api/admin/application-schema.json')).body).toEqual(APPLICATION_SCHEMA);
});

test('a definition is text of its media type, uncompressed and not too long', async () => {
  const status = async (headers: Readonly<Record<string, string>>, body: string | Buffer = 'application: x') =>
    (await as('ann', 'put', `${APPLICATIONS}/x`, { body, headers })).status;
  expect(await status({ 'Content-Type': 'text/plain' })).toBe(415);
  expect(await status({ ...YAML, 'Content-Encoding': 'gzip' })).toBe(415);
  expect(await status(YAML, Buffer.from([0xff, 0xfe]))).toBe(400);
  expect(await status(YAML, `#${'x'.repeat(1024 * 1024)}`)).toBe(413);
});
