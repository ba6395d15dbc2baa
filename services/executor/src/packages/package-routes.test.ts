import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ask, type Asked, type AskedMethod } from '../testing/ask.ts';
import { startExecutorUnderTest, type ExecutorUnderTest } from '../testing/executor-under-test.ts';

let executor: ExecutorUnderTest;
let ann: string;
let ben: string;

beforeAll(async () => {
  executor = await startExecutorUnderTest({ concurrency: 8 });
  [ann, ben] = await Promise.all([executor.token('ann'), executor.token('ben')]);
  await writeFile(join(executor.root, 'airports.csv'), 'code,city,runways\nLYS,Lyon,2\nLYN,Lyon,1\nORY,Paris,3\n');
});
afterAll(() => executor.close());

async function answer(method: AskedMethod, path: string, asked: Asked = {}): Promise<readonly [number, unknown]> {
  const { status, body } = await ask(executor.url, method, path, { as: ann, ...asked });
  return [status, body];
}

const at = (begin: readonly [number, number], end: readonly [number, number]) => ({
  begin: { line: begin[0], column: begin[1] },
  end: { line: end[0], column: end[1] },
});
const LOCAL_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
const missing = (name: string) => [400, { code: 'package_not_found', message: `Package "${name}" does not exist.` }];

test('a package is put, shown, listed, imported and deleted', async () => {
  const query = 'factor := 2; PRIVATE half(x: int) := x / 2; twice(x: int) := x * factor;';
  expect(await answer('put', '/packages/tools', { body: query })).toEqual([200, { type: 'record(factor: int)' }]);
  expect(await answer('get', '/packages/tools')).toEqual([200, { name: 'tools', query, createdAt: LOCAL_TIME, updatedAt: null }]);
  expect(await answer('get', '/packages?pattern=to_ls')).toEqual([200, [{ name: 'tools', query, createdAt: LOCAL_TIME }]]);
  expect(await answer('get', '/packages?pattern=TO_LS')).toEqual([200, []]);
  expect(await answer('put', '/views/four', { body: 'FROM tools IMPORT twice; twice(2)' })).toEqual([200, { type: 'int' }]);
  expect(
    await answer('put', '/packages/more', { body: 'FROM tools IMPORT twice; IMPORT tools; eight := twice(four); tools.factor' }),
  ).toEqual([200, { type: 'int' }]);
  expect(await answer('post', '/query', { body: 'FROM more IMPORT eight; eight' })).toEqual([200, '8\n']);
  expect(await answer('post', '/query', { body: 'IMPORT more; more' })).toEqual([200, '2\n']);
  expect(await answer('delete', '/packages/tools')).toEqual([204, '']);
  expect(await answer('get', '/packages/tools')).toEqual(missing('tools'));
  expect(await answer('delete', '/packages/tools')).toEqual(missing('tools'));
});

test('what is private is not declared for anybody else', async () => {
  await answer('put', '/packages/closed', { body: 'PRIVATE secret := 1; PRIVATE f(x: int) := x; open := secret + 1' });
  expect(await answer('post', '/query', { body: 'FROM closed IMPORT secret; secret' })).toEqual([
    400,
    { validationErrors: [{ message: 'secret is not declared', positions: [at([1, 20], [1, 26])] }], runtimeError: null },
  ]);
  expect(await answer('post', '/query', { body: 'IMPORT closed; closed' })).toEqual([200, '{"open":2}\n']);
});

test('code with faults is not stored, and all of them are told', async () => {
  expect(await answer('put', '/packages/bad', { body: 'f(x: int) := x + "a" * 2;\nv := nothing;' })).toEqual([
    400,
    {
      validationErrors: [
        { message: expect.any(String), positions: expect.any(Array) },
        { message: 'nothing is not declared', positions: [at([2, 6], [2, 13])] },
      ],
      runtimeError: null,
    },
  ]);
  expect(await answer('get', '/packages/bad')).toEqual(missing('bad'));
});

test('a name that is taken or cannot be used is refused, and a view may have it', async () => {
  expect(await answer('put', '/packages/9lives', { body: '1' })).toEqual([
    400,
    { code: 'package_name_invalid', message: expect.stringContaining('"9lives" is not an ASCII letter or _') },
  ]);
  await answer('put', '/packages/Taken', { body: 'x := 1' });
  expect(await answer('put', '/packages/taken', { body: 'x := 1' })).toEqual([
    400,
    { code: 'package_already_exists', message: 'Package "taken" cannot be created: "Taken" differs from it only in case.' },
  ]);
  expect(await answer('put', '/packages/Taken', { body: 'x := 1' })).toEqual([
    400,
    { code: 'package_already_exists', message: 'Package "Taken" already exists.' },
  ]);
  expect(await answer('put', '/views/taken', { body: '1' })).toEqual([200, { type: 'int' }]);
});

test('replace=true replaces in one step, and what imports the package sees the new one', async () => {
  await answer('put', '/packages/rate', { body: 'percent := 20' });
  await answer('put', '/views/price', { body: 'FROM rate IMPORT percent; 100 + percent' });
  expect(await answer('post', '/query', { body: 'price' })).toEqual([200, '120\n']);
  expect(await answer('put', '/packages/rate?replace=true', { body: 'percent := 10' })).toEqual([200, { type: 'record(percent: int)' }]);
  expect(await answer('post', '/query', { body: 'price' })).toEqual([200, '110\n']);
  expect(await answer('get', '/packages/rate')).toEqual([
    200,
    { name: 'rate', query: 'percent := 10', createdAt: LOCAL_TIME, updatedAt: LOCAL_TIME },
  ]);
});

test('a package whose import was deleted says so when it is used', async () => {
  await answer('put', '/packages/inner', { body: 'one := 1' });
  await answer('put', '/packages/outer', { body: 'FROM inner IMPORT one;\ntwo(x: int) := one + x;' });
  expect(await answer('post', '/packages/outer/functions/two', { body: { x: 1 } })).toEqual([200, '2\n']);
  await answer('delete', '/packages/inner');
  expect((await answer('get', '/packages/outer'))[0]).toBe(200);
  const gone = 'package inner does not exist';
  expect(await answer('post', '/query', { body: 'FROM outer IMPORT two; two(1)' })).toEqual([
    400,
    {
      validationErrors: [{ message: `package outer cannot be used: ${gone} at 1:6`, positions: [at([1, 6], [1, 11])] }],
      runtimeError: null,
    },
  ]);
  expect(await answer('post', '/packages/outer/functions/two', { body: { x: 1 } })).toEqual([
    400,
    { validationErrors: [{ message: gone, positions: [at([1, 6], [1, 11])] }], runtimeError: null },
  ]);
});

describe('functions', () => {
  const call = (name: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
    answer('post', `/packages/geo/functions/${name}`, { body, headers });
  const refused = (...messages: readonly string[]) => [
    400,
    { validationErrors: messages.map((message) => ({ message, positions: [] })), runtimeError: null },
  ];

  beforeAll(async () => {
    const body = `
      TYPE filter := record(city: string, least: int nullable);
      airports := READ("file:airports.csv");
      in_city(town: string, \`limit\`: int := 10) := SELECT code, runways FROM airports a WHERE city = town LIMIT limit;
      matching(body: filter) := SELECT a.code FROM airports a WHERE a.city = body.city AND a.runways >= COALESCE(body.least, 0);
      echo(l: long, d: decimal, day: date, b: bool) := (l: l, d: d, day: day, b: b);
      maybe(x: int nullable) := IF x IS NULL THEN "nothing" ELSE "" + x;
      numbers(n: int, call: int := 1) := SELECT i * call FROM RANGE(0, n) AS i;
      divide(a: int, b: int) := a / b;
      kind(x: int) := "number";
      kind(x: string) := "text";
      kind(x: string, y: string) := "two";
      later(f: (int) -> int) := f(1);
      PRIVATE hidden(x: int) := x;
      some(x: any) := x;
      length(bytes: binary nullable) := LEN(bytes);
    `;
    await answer('put', '/packages/geo', { body });
  });

  test('a public function is called with arguments by name; defaults fill in', async () => {
    expect(await call('in_city', { town: 'Lyon' })).toEqual([200, '{"code":"LYS","runways":2}\n{"code":"LYN","runways":1}\n']);
    expect(await call('in_city', { limit: 1, town: 'Lyon' })).toEqual([200, '{"code":"LYS","runways":2}\n']);
    expect(await call('matching', { body: { city: 'Lyon', least: 2 } })).toEqual([200, '"LYS"\n']);
    expect(await call('matching', { body: { city: 'Lyon' } })).toEqual([200, '"LYS"\n"LYN"\n']);
    expect(await call('maybe', { x: null })).toEqual([200, '"nothing"\n']);
    expect(await call('numbers', { n: 3, call: 5 })).toEqual([200, '0\n5\n10\n']);
    expect(await call('some', { x: { a: [1, 'b'] } })).toEqual([200, '{"a":[1,"b"]}\n']);
  });

  test('numbers keep all their digits, texts are cast', async () => {
    const body = '{"l": 9007199254740993, "d": 12345678901234567890.123456789, "day": "2024-02-29", "b": true}';
    const sent = await ask(executor.url, 'post', '/packages/geo/functions/echo', {
      as: ann,
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(sent.body).toBe('{"l":9007199254740993,"d":12345678901234567890.123456789,"day":"2024-02-29","b":true}\n');
  });

  test('bytes are base64', async () => {
    expect(await call('length', { bytes: 'AAEC' })).toEqual([200, '3\n']);
    expect(await call('length', { bytes: null })).toEqual([200, 'null\n']);
    expect(await call('length', { bytes: '?' })).toMatchObject([400, { validationErrors: [], runtimeError: { positions: [] } }]);
  });

  test('of overloads the one is called that fits names and values', async () => {
    expect(await call('kind', { x: 1 })).toEqual([200, '"number"\n']);
    expect(await call('kind', { x: 'a' })).toEqual([200, '"text"\n']);
    expect(await call('kind', { x: 'a', y: 'b' })).toEqual([200, '"two"\n']);
    expect(await call('kind', { z: 1 })).toEqual(refused('no kind takes (z), expected (x: int) or (x: string) or (x: string, y: string)'));
  });

  test.each<readonly [string, object, readonly string[]]>([
    ['missing', { limit: 1 }, ['missing mandatory arguments: town']],
    ['unknown', { town: 'Lyon', twon: 1 }, ['unknown argument: twon']],
    ['of another case', { Town: 'Lyon' }, ['unknown argument: Town', 'missing mandatory arguments: town']],
    ['mistyped', { town: 'Lyon', limit: 'many' }, ['argument limit cannot be cast to int']],
    ['too large', { town: 'Lyon', limit: 3e9 }, ['argument limit cannot be cast to int']],
    ['null', { town: null, limit: [1] }, ['argument town cannot be cast to string', 'argument limit cannot be cast to int']],
  ])('an argument that is %s is refused by name', async (_, body, messages) => {
    expect(await call('in_city', body)).toEqual(refused(...messages));
  });

  test('a fraction for a whole number is cut off, as CAST does', async () => {
    expect(await call('in_city', { town: 'Lyon', limit: 1.5 })).toEqual(await call('in_city', { town: 'Lyon', limit: 1 }));
    expect(await call('in_city', { town: 'Lyon', limit: 1 })).toEqual([200, '{"code":"LYS","runways":2}\n']);
  });

  test('a record is refused with the path to what is wrong in it', async () => {
    expect(await call('matching', { body: { least: 'x' } })).toEqual(
      refused('argument body cannot be cast to record(city: string, least: int nullable): city is missing'),
    );
  });

  test('a function that takes or gives functions cannot be called', async () => {
    expect(await call('later', { f: 1 })).toEqual(refused('later cannot be called from outside: f is a function'));
  });

  test('a private function is, byte for byte, one that never was', async () => {
    const [hidden, never] = [await call('hidden', { x: 1 }), await call('hiddem', { x: 1 })];
    expect(hidden).toEqual([404, { code: 'not_found', message: 'There is nothing at the path /packages/geo/functions/hidden.' }]);
    expect(JSON.stringify(hidden).replace('hidden', 'hiddem')).toBe(JSON.stringify(never));
    expect(await call('airports', {})).toMatchObject([404, { code: 'not_found' }]);
    expect(await answer('post', '/packages/nowhere/functions/f', { body: {} })).toEqual(missing('nowhere'));
  });

  test('formats, limits and ids are those of a query', async () => {
    expect(await call('in_city', { town: 'Lyon' }, { 'X-SVC-output-format': 'csv' })).toEqual([200, 'code,runways\nLYS,2\nLYN,1\n']);
    expect(await call('in_city', { town: 'Lyon' }, { Accept: 'application/json' })).toEqual([
      200,
      [
        { code: 'LYS', runways: 2 },
        { code: 'LYN', runways: 1 },
      ],
    ]);
    expect(await call('numbers', { n: 1000 }, { 'X-SVC-max-bytes': '5' })).toEqual([200, '0\n1\n']);
    expect(await call('numbers', { n: 1000 }, { 'X-SVC-max-bytes': '0' })).toMatchObject([400, { code: 'bad_request' }]);
    expect(await call('divide', { a: 1, b: 0 })).toEqual([
      400,
      { validationErrors: [], runtimeError: { message: '/ by zero', positions: [] } },
    ]);
    const { headers } = await ask(executor.url, 'post', '/packages/geo/functions/divide', { as: ann, body: { a: 4, b: 2 } });
    expect(headers['x-svc-query-id']).toMatch(/^[\da-f-]{36}$/);
    const refusal = await ask(executor.url, 'post', '/packages/geo/functions/divide', { body: {} });
    expect([refusal.status, refusal.headers['x-svc-query-id']]).toEqual([401, expect.any(String)]);
  });

  test.each(['[]', '1', 'null', '', '{'])('%j is no body of a call', async (body) => {
    const headers = { 'Content-Type': 'application/json' };
    expect(await answer('post', '/packages/geo/functions/divide', { body, headers })).toMatchObject([400, { code: 'bad_request' }]);
  });
});

test('of puts of one name at once exactly one wins, and a view and a table cannot both', async () => {
  const packages = await Promise.all(
    Array.from({ length: 20 }, (_, i) => answer('put', `/packages/${i % 2 === 0 ? 'race' : 'Race'}`, { body: `x := ${i}` })),
  );
  expect(packages.filter(([status]) => status === 200)).toHaveLength(1);
  const mixed = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      i % 2 === 0
        ? answer('put', '/views/both', { body: '1' })
        : answer('put', '/tables/Both', { body: { type: 'collection(record(a: int))' } }),
    ),
  );
  expect(mixed.filter(([status]) => status === 200)).toHaveLength(1);
  const codes = mixed.filter(([status]) => status !== 200).map(([, body]) => (body as { code: string }).code);
  expect(new Set(codes)).toEqual(new Set(['view_already_exists', 'table_already_exists']));
});

test("another's package is, byte for byte, one that never was", async () => {
  await answer('put', '/packages/mine', { body: 'f(x: int) := x' });
  const requests: readonly (readonly [AskedMethod, (name: string) => string, object?])[] = [
    ['get', (name) => `/packages/${name}`],
    ['delete', (name) => `/packages/${name}`],
    ['post', (name) => `/packages/${name}/functions/f`, { x: 1 }],
  ];
  for (const [method, path, body] of requests) {
    const asked = { as: ben, ...(body === undefined ? {} : { body }) };
    const [theirs, never] = await Promise.all(['mine', 'nine'].map((name) => ask(executor.url, method, path(name), asked)));
    expect([theirs?.status, theirs?.body]).toEqual(missing('mine'));
    expect(JSON.stringify(theirs?.body).replace('mine', 'nine')).toBe(JSON.stringify(never?.body));
    expect(Object.keys(theirs?.headers ?? {})).toEqual(Object.keys(never?.headers ?? {}));
  }
  expect(await answer('get', '/packages', { as: ben })).toEqual([200, []]);
  expect(await answer('post', '/query-validate', { as: ben, body: 'FROM mine IMPORT f; f(1)' })).toEqual([
    400,
    { validationErrors: [{ message: 'package mine does not exist', positions: [at([1, 6], [1, 10])] }], runtimeError: null },
  ]);
});

test('no token and another type of body are refused', async () => {
  expect((await answer('get', '/packages', { as: null }))[0]).toBe(401);
  expect((await answer('put', '/packages/x', { body: {} }))[0]).toBe(415);
  expect((await answer('post', '/packages/x', { body: {} }))[0]).toBe(405);
});
