import { ask, askingAs, type AskedMethod } from '../testing/ask.ts';
import { startExecutorUnderTest, type ExecutorUnderTest } from '../testing/executor-under-test.ts';

let executor: ExecutorUnderTest;
let ann: string;
let ben: string;

beforeAll(async () => {
  executor = await startExecutorUnderTest({ concurrency: 8 });
  [ann, ben] = await Promise.all([executor.token('ann'), executor.token('ben')]);
});
afterAll(() => executor.close());

const answer = askingAs(() => ({ url: executor.url, token: ann }));
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
