import { Validator } from '@seriousme/openapi-schema-validator';

import { OPENAPI_VERSIONS, type Json, type OpenApiVersion } from './openapi-version.ts';
import { SHOP, describeText } from './testing/describe-text.ts';

/** A part of a document, by its keys. */
function part(document: Json, ...keys: readonly (string | number)[]): unknown {
  return keys.reduce<unknown>((value, key) => (value as Readonly<Record<string | number, unknown>>)[key], document);
}
const parametersOf = (document: Json, path: string, method: string): Readonly<Record<string, Json>> =>
  Object.fromEntries((part(document, 'paths', path, method, 'parameters') as readonly Json[]).map((one) => [String(one['name']), one]));
const resultOf = (document: Json, path: string, method: string): unknown =>
  part(document, 'paths', path, method, 'responses', 200, 'content', 'application/json', 'schema');

describe.each(OPENAPI_VERSIONS)('OpenAPI %s', (version) => {
  test.each([
    ['everything', SHOP],
    ['no endpoint', 'f(x: int) := x'],
    ['nothing', '1'],
  ])('a package with %s is described by a valid document', async (_, text) => {
    const document = describeText(text, version);
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect([valid, errors]).toEqual([true, undefined]);
    expect(document['openapi']).toBe(version);
  });
});

test('a variable of a server has no description, which the published schema of OpenAPI 3.1 refuses', () => {
  expect(describeText(SHOP)['servers']).toEqual([
    expect.objectContaining({ variables: { baseUrl: { default: 'http://127.0.0.1:8080' } } }),
  ]);
});

test('the validator refuses what is no document', async () => {
  const { valid } = await new Validator().validate({ ...describeText(SHOP), info: { title: 5 } });
  expect(valid).toBe(false);
});

test('paths, methods and names of operations follow the annotations', () => {
  const paths = describeText(SHOP)['paths'] as Readonly<Record<string, Readonly<Record<string, Json>>>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary }]) => [method, path, operationId, summary]),
  );
  expect(operations).toEqual([
    ['get', '/items/{id}', 'item', 'One item'],
    ['put', '/items/{id}', 'put', 'put'],
    ['get', '/items', 'items', 'items'],
    ['post', '/items', 'add', 'add'],
    ['delete', '/items/{n}/tags/{tag}', 'untag', 'untag'],
    ['patch', '/both', 'patch_both', 'both'],
    ['post', '/both', 'post_both', 'both'],
  ]);
  expect(part(describeText(SHOP), 'paths', '/items/{id}', 'get', 'description')).toBe('By its number.');
});

test('one path has one set of names for its parameters', () => {
  const document = describeText(SHOP);
  expect(parametersOf(document, '/items/{id}', 'put')).toEqual({
    id: { name: 'id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } },
  });
});

test('parameters have types and defaults; what has parts is JSON', () => {
  const parameters = parametersOf(describeText(SHOP), '/items', 'get');
  const query = (name: string, schema: Json) => ({ name, in: 'query', required: false, schema });
  expect(parameters).toEqual({
    least: query('least', { type: 'integer', format: 'int32', default: 10 }),
    since: query('since', { type: 'string', format: 'date', default: '2020-02-29' }),
    at: query('at', { type: 'string', format: 'date-time-local', nullable: true, default: '2020-01-02T03:04:05.678' }),
    wait: query('wait', { type: 'string', format: 'duration', default: 'P1Y2DT3H4.500S' }),
    names: {
      name: 'names',
      in: 'query',
      required: false,
      content: { 'application/json': { schema: { type: 'array', items: { type: 'string' }, default: ['a', 'b'] } } },
    },
    f: query('f', { type: 'number', format: 'float', default: 1.5 }),
    now: query('now', { type: 'string', format: 'date-time-local', description: 'Without it, the function has a value of its own.' }),
    q: query('q', { type: 'string', nullable: true, default: null }),
  });
  expect(parametersOf(describeText(SHOP), '/both', 'patch')).toEqual({
    x: { name: 'x', in: 'query', required: true, content: { 'application/json': { schema: { description: 'Any JSON value.' } } } },
    short: { name: 'short', in: 'query', required: true, schema: { type: 'integer', format: 'int16', minimum: -32768, maximum: 32767 } },
    tiny: { name: 'tiny', in: 'query', required: true, schema: { type: 'integer', format: 'int8', minimum: -128, maximum: 127 } },
  });
});

const result: Readonly<Record<OpenApiVersion, Json>> = {
  '3.0.3': {
    raw: { type: 'string', format: 'byte' },
    maybe: { type: 'number', format: 'double', nullable: true, description: 'null where it is not finite.' },
  },
  '3.1.0': {
    raw: { type: 'string', contentEncoding: 'base64' },
    maybe: { type: ['number', 'null'], format: 'double', description: 'null where it is not finite.' },
  },
};

test.each(OPENAPI_VERSIONS)('the schema of a result follows its type, in OpenAPI %s', (version) => {
  const { raw, maybe } = result[version];
  const properties = {
    id: { type: 'integer', format: 'int64' },
    name: { type: 'string' },
    since: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time-local' },
    t: { type: 'string', format: 'time-local' },
    took: { type: 'string', format: 'duration' },
    raw,
    parts: {
      type: 'array',
      items: {
        type: 'object',
        properties: { a: { type: 'integer', format: 'int32' }, b: { type: 'array', items: { type: 'boolean' } } },
        required: ['a', 'b'],
      },
    },
    maybe,
    more: { description: 'Any JSON value.' },
  };
  expect(resultOf(describeText(SHOP, version), '/items/{id}', 'get')).toEqual({
    type: 'object',
    properties,
    required: Object.keys(properties),
  });
});

test('in a body, fields that may be null may be missing, and no others may be there', () => {
  const body = part(describeText(SHOP, '3.1.0'), 'paths', '/items/{id}', 'put', 'requestBody');
  const number = { type: 'number', format: 'double' };
  expect(body).toEqual({
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['sku', 'price'],
          additionalProperties: false,
          properties: {
            sku: { type: 'string' },
            price: { type: 'number', format: 'decimal', description: 'Up to 38 digits.' },
            tags: { type: ['array', 'null'], items: { type: 'string' } },
            size: { type: ['object', 'null'], required: ['w', 'h'], additionalProperties: false, properties: { w: number, h: number } },
          },
        },
      },
    },
  });
});

test('an endpoint of one format answers that, any other what can hold its result', () => {
  const typesOf = (path: string, method: string) =>
    Object.keys(part(describeText(SHOP), 'paths', path, method, 'responses', 200, 'content') as object);
  expect(typesOf('/both', 'post')).toEqual(['text/csv']);
  expect(typesOf('/items/{id}', 'get')).toEqual(['application/json']);
  const files = ['application/vnd.sqlite3', 'application/vnd.apache.parquet'];
  expect(typesOf('/items', 'get')).toEqual(['application/json', 'application/x-ndjson', 'text/csv', ...files]);
  expect(typesOf('/both', 'patch')).toEqual(['application/json', 'application/x-ndjson', 'application/vnd.apache.parquet']);
});

test('the API key and its scopes are said in the way that each version has', () => {
  const security = (version: OpenApiVersion, path: string, method: string) => {
    const operation = part(describeText(SHOP, version), 'paths', path, method) as Json;
    return [operation['security'], operation['x-svc-scopes']];
  };
  expect(security('3.0.3', '/items', 'get')).toEqual([[{ apiKey: [] }], ['items:read', 'admin']]);
  expect(security('3.1.0', '/items', 'get')).toEqual([[{ apiKey: ['items:read', 'admin'] }], ['items:read', 'admin']]);
  expect(security('3.1.0', '/items/{id}', 'get')).toEqual([[{}, { apiKey: [] }], undefined]);
  expect(security('3.1.0', '/items/{id}', 'put')).toEqual([[{ apiKey: [] }], undefined]);
  expect(part(describeText(SHOP), 'components', 'securitySchemes', 'apiKey')).toEqual({
    type: 'apiKey',
    in: 'header',
    name: 'X-SVC-API-KEY',
    description: expect.stringContaining('The endpoints of this document have: admin, items:read, items:write.'),
  });
});

test('each endpoint has its error answers, those of a body only where there is one', () => {
  const statuses = (path: string, method: string) => Object.keys(part(describeText(SHOP), 'paths', path, method, 'responses') as object);
  const always = ['200', '400', '401', '403', '404', '405', '406', '429', '500', '503', '504'];
  expect(statuses('/items', 'get')).toEqual(always);
  expect(statuses('/items', 'post')).toEqual([...always, '413', '415'].toSorted());
});

test('a short package cannot make a document without end', () => {
  const types = Array.from({ length: 12 }, (_, i) => `TYPE t${i + 1} := record(a: t${i}, b: t${i});`).join('\n');
  const endpoints = (count: number) => Array.from({ length: count }, (_, i) => `@post("/x${i}") f${i}(body: t12) := 1;`).join('\n');
  const describe = (count: number) => () => describeText(`TYPE t0 := int;\n${types}\n${endpoints(count)}`);
  expect(describe(10)).not.toThrow();
  expect(describe(30)).toThrow('The document would be too large: the types of all endpoints have more than 200000 parts.');
});
