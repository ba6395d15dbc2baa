import { Validator } from '@seriousme/openapi-schema-validator';

import { ask, type Asked } from '../testing/ask.ts';
import { startExecutorUnderTest, type ExecutorUnderTest } from '../testing/executor-under-test.ts';

let executor: ExecutorUnderTest;
let ann: string;
let ben: string;

const CODE = `FROM units IMPORT km;
@get("/near/{code}", scopes := ["airports:read"], summary := "Airports near another")
near(code: string, within: double := 50.0) := SELECT code AS code, km(within) AS metres FROM [1] AS one;`;

beforeAll(async () => {
  executor = await startExecutorUnderTest();
  [ann, ben] = await Promise.all([executor.token('ann'), executor.token('ben')]);
  await put('units', 'km(x: double) := x * 1000');
  await put('geo', CODE);
});
afterAll(() => executor.close());

const put = (name: string, body: string) => ask(executor.url, 'put', `/packages/${name}?replace=true`, { as: ann, body });
const get = (name: string, { headers = {}, as = ann }: Pick<Asked, 'headers' | 'as'> = {}) =>
  ask(executor.url, 'get', `/openapi/v3/package/${name}`, { as, headers });

test('the document of a package is OpenAPI 3.0.3, with the types that its functions have', async () => {
  const { status, body, headers } = await get('geo');
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  expect(body).toMatchObject({
    openapi: '3.0.3',
    info: { title: 'geo', version: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/) },
    paths: {
      '/near/{code}': {
        get: {
          operationId: 'near',
          summary: 'Airports near another',
          parameters: [
            { name: 'code', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'within', in: 'query', required: false, schema: { type: 'number', format: 'double', default: 50 } },
          ],
          responses: {
            200: { content: { 'application/json': { schema: { type: 'array', items: { required: ['code', 'metres'] } } } } },
          },
        },
      },
    },
  });
  expect(await new Validator().validate(body as Record<string, unknown>)).toMatchObject({ valid: true });
});

test.each([
  ['', {}, '3.0.3', 'application/json; charset=utf-8'],
  ['?version=3.0', {}, '3.0.3', 'application/json; charset=utf-8'],
  ['?version=3.1', {}, '3.1.0', 'application/json; charset=utf-8'],
  ['', { Accept: 'application/vnd.oai.openapi+json;version=3.1' }, '3.1.0', 'application/vnd.oai.openapi+json;version=3.1'],
  ['', { Accept: 'application/json;version=3.1' }, '3.1.0', 'application/json; charset=utf-8'],
  ['', { Accept: 'application/vnd.oai.openapi+json' }, '3.0.3', 'application/vnd.oai.openapi+json;version=3.0'],
  ['', { Accept: '*/*' }, '3.0.3', 'application/json; charset=utf-8'],
  ['?version=3.0', { Accept: 'application/vnd.oai.openapi+json;version=3.1' }, '3.0.3', 'application/vnd.oai.openapi+json;version=3.0'],
])('%j with %j is a valid document of OpenAPI %s', async (search, headers, version, type) => {
  const answer = await get(`geo${search}`, { headers });
  const { body } =
    answer.body instanceof Buffer || typeof answer.body === 'string' ? { body: JSON.parse(String(answer.body)) as unknown } : answer;
  expect([answer.status, answer.headers['content-type'], (body as { openapi: string }).openapi]).toEqual([200, type, version]);
  expect(await new Validator().validate(body as Record<string, unknown>)).toMatchObject({ valid: true });
});

test('a version that is not had, and an Accept that excludes all, are refused', async () => {
  expect(await get('geo?version=2')).toMatchObject({ status: 400, body: { code: 'bad_request', message: expect.stringContaining('3.1') } });
  expect((await get('geo', { headers: { Accept: 'text/html' } })).status).toBe(406);
});

test('a document that has not changed is not sent again', async () => {
  const { headers } = await get('geo');
  const etag = String(headers['etag']);
  expect(etag).toMatch(/^"[\w-]{43}"$/);
  for (const named of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await get('geo', { headers: { 'If-None-Match': named } });
    expect([again.status, again.body, again.headers['etag'], again.headers['content-length']]).toEqual([304, '', etag, undefined]);
  }
  expect((await get('geo', { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  expect((await get('geo?version=3.1', { headers: { 'If-None-Match': etag } })).status).toBe(200);
  await put('units', 'km(x: double) := "" + x');
  const changed = await get('geo', { headers: { 'If-None-Match': etag } });
  expect(changed.status).toBe(200);
  expect(JSON.stringify(changed.body)).toContain('"metres":{"type":"string"}');
});

test('HEAD answers the same headers, without the document', async () => {
  const [whole, head] = await Promise.all([get('geo'), ask(executor.url, 'head', '/openapi/v3/package/geo', { as: ann })]);
  expect([head.status, head.headers['etag'], head.headers['content-length']]).toEqual([
    200,
    whole.headers['etag'],
    whole.headers['content-length'],
  ]);
});

test('a package that cannot be used is answered with what is wrong in it', async () => {
  await put('base', 'one := 1');
  await put('top', 'FROM base IMPORT one;\n@get("/x") f() := one');
  expect((await get('top')).status).toBe(200);
  await ask(executor.url, 'delete', '/packages/base', { as: ann });
  const position = { begin: { line: 1, column: 6 }, end: { line: 1, column: 10 } };
  expect(await get('top')).toMatchObject({
    status: 400,
    body: { validationErrors: [{ message: 'package base does not exist', positions: [position] }], runtimeError: null },
  });
});

test("another's package is, byte for byte, one that never was", async () => {
  const [theirs, never] = [await get('geo', { as: ben }), await get('gex', { as: ben })];
  expect([theirs.status, theirs.body]).toEqual([400, { code: 'package_not_found', message: 'Package "geo" does not exist.' }]);
  expect(JSON.stringify(theirs.body).replace('geo', 'gex')).toBe(JSON.stringify(never.body));
  expect(Object.keys(theirs.headers)).toEqual(Object.keys(never.headers));
  expect((await get('GEO')).body).toMatchObject({ code: 'package_not_found' });
  expect((await get('geo', { as: null })).status).toBe(401);
});

test('the service describes itself, this endpoint too', async () => {
  const { body } = await ask(executor.url, 'get', '/openapi.json');
  expect(await new Validator().validate(body as Record<string, unknown>)).toMatchObject({ valid: true });
  const { paths } = body as { readonly paths: object };
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/openapi/v3/package/{name}', '/packages/{package}/functions/{function}']));
});
