import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ask, askingAs } from '../testing/ask.ts';
import { startExecutorUnderTest, type ExecutorUnderTest } from '../testing/executor-under-test.ts';

let executor: ExecutorUnderTest;
let ann: string;

beforeAll(async () => {
  executor = await startExecutorUnderTest();
  ann = await executor.token('ann');
  await writeFile(join(executor.root, 'airports.csv'), 'code,city,runways\nLYS,Lyon,2\nLYN,Lyon,1\nORY,Paris,3\n');
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
    amounts(of: collection(record(a: decimal, more: any nullable))) := of;
    length(bytes: binary nullable) := LEN(bytes);
  `;
  await answer('put', '/packages/geo', { body });
});
afterAll(() => executor.close());

const answer = askingAs(() => ({ url: executor.url, token: ann }));
const call = (name: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
  answer('post', `/packages/geo/functions/${name}`, { body, headers });
const refused = (...messages: readonly string[]) => [
  400,
  { validationErrors: messages.map((message) => ({ message, positions: [] })), runtimeError: null },
];

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

test('decimals in records and collections keep all their digits', async () => {
  const sent = async (of: string) =>
    (await answer('post', '/packages/geo/functions/amounts', { body: `{"of":${of}}`, headers: { 'Content-Type': 'application/json' } }))[1];
  const exact = '{"a":12345678901.123456,"more":null}\n{"a":-0.123456789012345678,"more":[9223372036854775807]}\n';
  expect(await sent('[{"a":12345678901.123456},{"a":-0.123456789012345678,"more":[9223372036854775807]}]')).toBe(exact);
  expect(await sent('[{"a":1e-400},{"a":12345678901234567890},{"a":" 0.10000000000000000 "}]')).toBe(
    '{"a":0,"more":null}\n{"a":12345678901234567890,"more":null}\n{"a":0.1,"more":null}\n',
  );
  const beside = '{"a":0.123456789012345678,"more":{"b":1.0,"a":-0.0}}';
  expect(await sent(`[${beside}]`)).toBe(`${beside}\n`);
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
    refused('argument body cannot be cast to record(city: string, least: int nullable): city is missing, least is no int nullable'),
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
  expect(await answer('post', '/packages/nowhere/functions/f', { body: {} })).toEqual([
    400,
    { code: 'package_not_found', message: 'Package "nowhere" does not exist.' },
  ]);
});

test('a package that is deleted, or loses its function, during the call is reported as before it', async () => {
  const { runtime } = executor;
  const check = runtime.checkPackage.bind(runtime);
  const callDuring = async (change: () => Promise<unknown>) => {
    await answer('put', '/packages/brief?replace=true', { body: 'f(x: int) := x' });
    runtime.checkPackage = async (...given) => {
      const checked = await check(...given);
      runtime.checkPackage = check;
      await change();
      return checked;
    };
    return answer('post', '/packages/brief/functions/f', { body: { x: 1 } });
  };
  expect(await callDuring(() => answer('delete', '/packages/brief'))).toEqual([
    400,
    { code: 'package_not_found', message: 'Package "brief" does not exist.' },
  ]);
  expect(await callDuring(() => answer('put', '/packages/brief?replace=true', { body: 'g := 1' }))).toMatchObject([
    404,
    { code: 'not_found' },
  ]);
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
