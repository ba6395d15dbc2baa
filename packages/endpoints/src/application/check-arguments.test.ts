import { functionsOf } from '../testing/describe-text.ts';
import type { WorkingEndpoint } from './application-endpoint.ts';
import { checkArguments } from './check-arguments.ts';

const FUNCTIONS = functionsOf(`
  TYPE item := record(sku: string, tags: collection(record(t: int)) nullable);
  @get("/q/{id}") query(id: long, n: int := 1, d: date := CAST(NOW() AS date), tags: collection(string) := ["a"], raw: binary := ENCODE("")) := id;
  @post("/b/{id}") body(id: int, body: item, note: string) := id;
  @post("/l") list(body: collection(item) nullable) := body;
  @get("/a") any_of(x: any) := x;
  @post("/n") numbers(body: collection(long)) := body;
`);

function endpointOf(name: string): WorkingEndpoint {
  const found = FUNCTIONS.find((one) => one.name === name);
  const [endpoint] = found?.endpoints ?? [];
  if (found === undefined || endpoint === undefined) throw new Error(`there is no ${name}`);
  return { kind: 'working', endpoint, packageName: 'p', described: found, descriptions: new Map() };
}

interface Given {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: string | null;
}

function check(name: string, { path = {}, query = '', body = null }: Given) {
  const checked = checkArguments(endpointOf(name), { path: new Map(Object.entries(path)), query: new URLSearchParams(query), body });
  return checked.kind === 'arguments' ? checked.json : checked.problems;
}

test('texts of primitives go on as they are, and JSON too', () => {
  expect(check('query', { path: { id: '9223372036854775807' }, query: 'tags=["a", "b"]&d=2024-02-29&raw=YQ==' })).toBe(
    '{"id":"9223372036854775807","d":"2024-02-29","tags":["a", "b"],"raw":"YQ=="}',
  );
  expect(check('body', { path: { id: '1' }, query: 'note=%22', body: '{"sku": "x", "tags": [{"t": 1}]}' })).toBe(
    '{"id":"1","body":{"sku": "x", "tags": [{"t": 1}]},"note":"\\""}',
  );
  expect(check('any_of', { query: 'x=12345678901234567890.10' })).toBe('{"x":12345678901234567890.10}');
});

test('what is left out and has a default is left out', () => {
  expect(check('query', { path: { id: '1' } })).toBe('{"id":"1"}');
});

test('everything that is wrong is named at once', () => {
  expect(check('query', { path: { id: 'x' }, query: 'n=1e99&tags={&d=2024-02-30&d=x&other=1&raw=%25' })).toEqual([
    'The query parameter d is given more than once.',
    'The query parameter other is unknown.',
    'The path parameter id cannot be cast to long.',
    'The query parameter n cannot be cast to int.',
    'The query parameter d cannot be cast to date.',
    'The query parameter tags cannot be cast to collection(string): it is no JSON.',
    'The query parameter raw must be base64.',
  ]);
  expect(check('body', { path: { id: '1' } })).toEqual([
    'The body is missing: expected record(sku: string, tags: collection(record(t: int)) nullable).',
    'The query parameter note is missing: expected string.',
  ]);
});

test('a path parameter and a body are no query parameters', () => {
  expect(check('body', { path: { id: '1' }, query: 'note=x&id=2&body={}', body: '{"sku":"x"}' })).toEqual([
    'The query parameter id is unknown.',
    'The query parameter body is unknown.',
  ]);
});

test('a body is of its type, without a member too many', () => {
  const body = (text: string) => check('body', { path: { id: '1' }, query: 'note=', body: text });
  const type = 'record(sku: string, tags: collection(record(t: int)) nullable)';
  expect(body('{"sku": ')).toEqual([`The body cannot be cast to ${type}: it is no JSON.`]);
  expect(body('[]')).toEqual([expect.stringContaining(`cannot be cast to ${type}`)]);
  expect(body('{"sku": "x", "tags": [{"t": "no"}]}')).toEqual([expect.stringContaining('tags[0].t is no int')]);
  expect(body('{"sku": "x", "tag": [], "tags": [{"t": 1, "u": 2}]}')).toEqual([
    'The body has the unknown member tag.',
    'The body has the unknown member tags[0].u.',
  ]);
  expect(body('{"tag": 1, "tags": [{"t": "no", "u": 2}]}')).toEqual([
    `The body cannot be cast to ${type}: sku is missing, tags[0].t is no int.`,
    'The body has the unknown member tag.',
    'The body has the unknown member tags[0].u.',
  ]);
  expect(body('[1]')).toEqual([`The body cannot be cast to ${type}: it is no ${type}.`]);
  expect(check('list', { body: 'null' })).toBe('{"body":null}');
});

test('numbers of a body have all their digits', () => {
  const longs = '[9223372036854775807, -9223372036854775808, 1, 9007199254740993]';
  expect(check('numbers', { body: longs })).toBe(`{"body":${longs}}`);
  for (const beyond of ['9223372036854775808', '-9223372036854775809'])
    expect(check('numbers', { body: `[${beyond}]` })).toEqual(['The body cannot be cast to collection(long): [0] is no long.']);
});

test('of a million unknown members twenty are named', () => {
  const body = JSON.stringify(Array.from({ length: 100_000 }, () => ({ sku: 'x', no: 1 })));
  expect(check('list', { body })).toHaveLength(20);
});

test('an endpoint without a body takes none', () => {
  expect(check('query', { path: { id: '1' }, body: '{}' })).toEqual(['The endpoint takes no body.']);
});
