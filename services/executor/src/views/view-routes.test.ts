import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { TableStore } from '@svc/database';

import { ask, askingAs, type Asked, type AskedMethod } from '../testing/ask.ts';
import { startExecutorUnderTest, type ExecutorUnderTest } from '../testing/executor-under-test.ts';

let executor: ExecutorUnderTest;
let ann: string;
let ben: string;

beforeAll(async () => {
  executor = await startExecutorUnderTest({ concurrency: 8 });
  [ann, ben] = await Promise.all([executor.token('ann'), executor.token('ben')]);
  await writeFile(join(executor.root, 'people.csv'), 'id,name\n1,Ann\n2,Bo\n3,Cy\n');
});
afterAll(() => executor.close());

const send = (method: AskedMethod, path: string, asked: Asked = {}) => ask(executor.url, method, path, { as: ann, ...asked });
const answer = askingAs(() => ({ url: executor.url, token: ann }));

const LOCAL_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);

test('a view is put, shown, listed, used and deleted', async () => {
  expect(await answer('put', '/views/people', { body: 'SELECT id, name FROM READ("file:people.csv")' })).toEqual([
    200,
    { type: 'collection(record(id: int, name: string))' },
  ]);
  const view = { name: 'people', query: 'SELECT id, name FROM READ("file:people.csv")', createdAt: LOCAL_TIME, updatedAt: null };
  expect(await answer('get', '/views/people')).toEqual([200, view]);
  expect(await answer('get', '/views?pattern=peo%25')).toEqual([200, [view]]);
  expect(await answer('get', '/views?pattern=PEO%25&fields=name')).toEqual([200, []]);
  expect(await answer('post', '/query', { body: 'SELECT name FROM People WHERE id > 1' })).toEqual([
    200,
    '"Bo"\n"Cy"\n'.replace(/"(\w+)"/g, '"$1"'),
  ]);
  expect(await answer('delete', '/views/people')).toEqual([204, '']);
  expect(await answer('get', '/views/people')).toEqual([400, { code: 'view_not_found', message: 'View "people" does not exist.' }]);
  expect(await answer('delete', '/views/people')).toEqual([400, { code: 'view_not_found', message: 'View "people" does not exist.' }]);
});

test('an invalid view is not stored, and all that is wrong is told', async () => {
  expect(await answer('put', '/views/bad', { body: 'aa +\n bb' })).toEqual([
    400,
    {
      validationErrors: [
        { message: 'aa is not declared', positions: [{ begin: { line: 1, column: 1 }, end: { line: 1, column: 3 } }] },
        { message: 'bb is not declared', positions: [{ begin: { line: 2, column: 2 }, end: { line: 2, column: 4 } }] },
      ],
      runtimeError: null,
    },
  ]);
  expect(await answer('put', '/views/bad', { body: '' })).toEqual([
    400,
    {
      validationErrors: [expect.objectContaining({ positions: [{ begin: { line: 1, column: 1 }, end: { line: 1, column: 1 } }] })],
      runtimeError: null,
    },
  ]);
  expect(await answer('get', '/views?pattern=bad')).toEqual([200, []]);
});

test('a name that is taken or cannot be used is refused', async () => {
  expect(await answer('put', '/views/no-name', { body: '1' })).toEqual([
    400,
    { code: 'view_name_invalid', message: expect.stringContaining('"no-name" is not an ASCII letter or _') },
  ]);
  await send('put', '/views/Taken', { body: '1' });
  expect(await answer('put', '/views/taken', { body: '2' })).toEqual([
    400,
    { code: 'view_already_exists', message: 'View "taken" cannot be created: "Taken" differs from it only in case.' },
  ]);
  expect(await answer('get', '/views/taken')).toEqual([400, { code: 'view_not_found', message: 'View "taken" does not exist.' }]);
});

test('a view and a table cannot have one name', async () => {
  const tables = new TableStore(executor.database);
  const add = (name: string) =>
    tables.insertIfAbsent({ namespace: 'ann', name, type: 'collection(int)', indexes: [], location: null }, async () => {});
  await add('films');
  expect(await answer('put', '/views/Films?replace=true', { body: '1' })).toEqual([
    400,
    { code: 'view_already_exists', message: 'View "Films" cannot be created: a table has this name.' },
  ]);
  await send('put', '/views/shows', { body: '1' });
  expect(await add('Shows')).toEqual({ kind: 'exists' });
});

test('replace=true replaces in one step and sets updatedAt', async () => {
  await send('put', '/views/r', { body: '1' });
  expect((await send('put', '/views/r', { body: '2' })).status).toBe(400);
  expect(await answer('put', '/views/r?replace=true', { body: '"a"' })).toEqual([200, { type: 'string' }]);
  expect((await send('get', '/views/r')).body).toEqual({ name: 'r', query: '"a"', createdAt: LOCAL_TIME, updatedAt: LOCAL_TIME });
  expect(await answer('post', '/query', { body: 'r' })).toEqual([200, '"a"\n']);
  expect(await answer('put', '/views/new_one?replace=true', { body: '1' })).toEqual([200, { type: 'int' }]);
  expect((await send('get', '/views/new_one')).body).toMatchObject({ updatedAt: null });
  expect(await answer('put', '/views/r?replace=maybe', { body: '1' })).toEqual([
    400,
    { code: 'bad_request', message: expect.stringContaining('replace') },
  ]);
});

test('twenty puts at once have exactly one winner', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => send('put', `/views/${i % 2 === 0 ? 'race' : 'Race'}`, { body: String(i) })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const losers = answers.filter(({ status }) => status !== 200);
  expect(losers.map(({ status, body }) => [status, (body as { code: string }).code])).toEqual(
    losers.map(() => [400, 'view_already_exists']),
  );
  expect((await send('get', '/views?pattern=_ace')).body).toHaveLength(1);
});

test("another's view is, byte for byte, one that never was", async () => {
  await send('put', '/views/mine', { body: '1' });
  for (const [method, name] of [
    ['get', 'mine'],
    ['delete', 'mine'],
  ] as const) {
    const theirs = await send(method, `/views/${name}`, { as: ben });
    expect(theirs).toMatchObject({ status: 400, body: { code: 'view_not_found', message: 'View "mine" does not exist.' } });
  }
  expect(await answer('get', '/views', { as: ben })).toEqual([200, []]);
  expect(await answer('post', '/query-validate', { as: ben, body: 'mine' })).toEqual([
    400,
    { validationErrors: [expect.objectContaining({ message: 'mine is not declared' })], runtimeError: null },
  ]);
  expect(await answer('put', '/views/mine', { as: ben, body: '"theirs"' })).toEqual([200, { type: 'string' }]);
  expect(await answer('post', '/query', { body: 'mine' })).toEqual([200, '1\n']);
  expect(await answer('post', '/query', { as: ben, body: 'mine' })).toEqual([200, '"theirs"\n']);
});

test('a view whose base is gone is listed, and says so at its name when it is used', async () => {
  await send('put', '/views/base', { body: 'SELECT id FROM READ("file:people.csv")' });
  await send('put', '/views/top', { body: 'SELECT b * 2 AS d\nFROM base b' });
  expect(await answer('post', '/query', { body: 'SELECT d FROM top' })).toEqual([200, '2\n4\n6\n']);
  await send('delete', '/views/base');
  expect((await send('get', '/views/top')).status).toBe(200);
  expect((await send('get', '/views?pattern=top')).body).toHaveLength(1);
  expect(await answer('post', '/query', { body: 'SELECT d\nFROM top' })).toEqual([
    400,
    {
      validationErrors: [
        {
          message: 'view top cannot be used: base is not declared at 2:6',
          positions: [{ begin: { line: 2, column: 6 }, end: { line: 2, column: 9 } }],
        },
      ],
      runtimeError: null,
    },
  ]);
});

test('a failure while a view is read is at its name', async () => {
  await send('put', '/views/fails', { body: `${' '.repeat(100)}SELECT 10 / (id - 2) FROM READ("file:people.csv")` });
  expect(await answer('post', '/query', { body: 'SELECT * FROM fails' })).toEqual([
    400,
    {
      validationErrors: [],
      runtimeError: { message: '/ by zero', positions: [{ begin: { line: 1, column: 15 }, end: { line: 1, column: 20 } }] },
    },
  ]);
});

test('the catalogue lists types and what each uses', async () => {
  const cat = await executor.token('cat');
  await send('put', '/packages/tools', { as: cat, body: 'twice(x: int) := x * 2; k := 1;' });
  await send('put', '/views/a', { as: cat, body: 'FROM tools IMPORT twice; twice(2)' });
  await send('put', '/views/b', { as: cat, body: '[A]' });
  expect(await answer('get', '/catalog', { as: cat })).toEqual([
    200,
    {
      views: [
        { name: 'a', type: 'int', uses: [{ kind: 'package', name: 'tools' }] },
        { name: 'b', type: 'collection(int)', uses: [{ kind: 'view', name: 'a' }] },
      ],
      tables: [],
      packages: [{ name: 'tools', type: 'record(k: int)', uses: [] }],
    },
  ]);
});

test('no token, a wrong type of body and another method are refused', async () => {
  expect((await send('get', '/views', { as: null })).status).toBe(401);
  expect((await send('put', '/views/x', { body: '1', headers: { 'Content-Type': 'application/json' } })).status).toBe(415);
  const posted = await send('post', '/views/x', { body: '{}' });
  expect([posted.status, posted.headers['allow']]).toEqual([405, 'PUT, GET, HEAD, DELETE']);
  expect((await send('head', '/views')).status).toBe(200);
  expect((await send('get', '/views/a/')).status).toBe(404);
});
