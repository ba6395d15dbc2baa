import { isQueryFailure, isServiceError } from '@svc/errors';
import { printType } from '@svc/query-language';

import { openTestCatalog, type TestCatalog } from './testing/open-test-catalog.ts';

let catalog: TestCatalog;
let namespaces = 0;
let namespace: string;

beforeAll(async () => {
  catalog = await openTestCatalog();
});
afterAll(() => catalog.close());
beforeEach(() => {
  namespaces += 1;
  namespace = `n${namespaces}`;
});

const put = (kind: 'views' | 'packages', name: string, text: string, { replace = false, owner = namespace } = {}): Promise<string> =>
  catalog[kind].put({ caller: { namespace: owner }, name, text, replace, signal: new AbortController().signal }).then(printType);

/** `code: message` of a coded error, or the messages of a query's. */
async function failure(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
    return 'no failure';
  } catch (error) {
    if (isServiceError(error)) return `${error.code}: ${error.message}`;
    if (isQueryFailure(error)) return error.validationErrors.map(({ message }) => message).join('; ');
    throw error;
  }
}

async function check(text: string): Promise<string> {
  const found = await catalog.check(namespace, text);
  return typeof found === 'string' ? found : printType(found);
}

const addTable = (name: string): Promise<unknown> =>
  catalog.tables.insertIfAbsent({ namespace, name, type: 'collection(record(n: int))', indexes: [], location: null }, async () => {});

test('a view is checked, stored with its type and what it uses, and found by its exact name', async () => {
  await addTable('t');
  await put('packages', 'p', 'twice(x: int) := x * 2');
  expect(await put('views', 'Doubled', 'FROM p IMPORT twice; SELECT twice(n) AS d FROM T')).toBe('collection(record(d: int))');
  const stored = await catalog.views.get({ namespace }, 'Doubled');
  expect(stored).toMatchObject({ type: 'collection(record(d: int))', updatedAt: null });
  expect(stored.uses).toEqual([
    { kind: 'package', name: 'p' },
    { kind: 'table', name: 't' },
  ]);
  expect(await failure(catalog.views.get({ namespace }, 'doubled'))).toBe('view_not_found: View "doubled" does not exist.');
  expect(await check('SELECT d FROM doubled')).toBe('collection(int)');
});

test.each(['', '1a', 'a-b', 'a b', 'é', 'ſ', 'select', 'Private', 'a'.repeat(129), 'a\u0000', '\ud800'])('%j is no name', async (name) => {
  expect(await failure(put('views', name, '1'))).toMatch(/^view_name_invalid: The view's name cannot be used: /);
  expect(await failure(put('packages', name, '1'))).toMatch(/^package_name_invalid: /);
  expect(await failure(catalog.views.get({ namespace }, name))).toMatch(/^view_not_found: /);
  expect(await failure(catalog.views.delete({ namespace }, name))).toMatch(/^view_not_found: /);
});

test.each(['_', 'a'.repeat(128), 'limit', 'read', 'int'])('%j is a name', async (name) => {
  expect(await put('views', name, '1')).toBe('int');
});

test('names are unique without regard to case, views and tables share them, packages do not', async () => {
  await put('views', 'Films', '1');
  await addTable('People');
  expect(await failure(put('views', 'Films', '2'))).toBe('view_already_exists: View "Films" already exists.');
  expect(await failure(put('views', 'films', '2'))).toBe(
    'view_already_exists: View "films" cannot be created: "Films" differs from it only in case.',
  );
  expect(await failure(put('views', 'films', '2', { replace: true }))).toMatch(/^view_already_exists: /);
  expect(await failure(put('views', 'people', '2', { replace: true }))).toBe(
    'view_already_exists: View "people" cannot be created: a table has this name.',
  );
  expect(await put('packages', 'films', 'x := 1')).toBe('record(x: int)');
  expect(await addTable('fILMS')).toEqual({ kind: 'exists' });
});

test('the name is looked at before the text, the text before what exists', async () => {
  await put('views', 'v', '1');
  expect(await failure(put('views', 'no name', 'nothing_here'))).toMatch(/^view_name_invalid/);
  expect(await failure(put('views', 'v', 'nothing_here'))).toBe('nothing_here is not declared');
  expect(await failure(put('views', 'w', '"\u0000"'))).toMatch(/^bad_request: The text holds U\+0000/);
  const named = String.raw`SELECT 1 AS "a\0b"`;
  expect(await failure(put('views', 'w', named))).toMatch(/^bad_request: The type has a field with U\+0000 in its name/);
  expect(await failure(put('packages', 'w', `x := ${named}`))).toMatch(/^bad_request: The type has a field with U\+0000 in its name/);
});

test('a replacement is seen at once, keeps when it was created and tells when it was changed', async () => {
  await put('views', 'v', '1');
  const before = await catalog.views.get({ namespace }, 'v');
  expect(await check('v')).toBe('int');
  expect(await put('views', 'v', '"a"', { replace: true })).toBe('string');
  const after = await catalog.views.get({ namespace }, 'v');
  expect([after.text, after.createdAt, after.updatedAt]).toEqual(['"a"', before.createdAt, expect.any(Date)]);
  expect(await check('v')).toBe('string');
});

test('what breaks because something is gone says so when it is used, and stays listed', async () => {
  await put('views', 'base', 'SELECT n FROM [1, 2] n');
  await put('views', 'top', 'SELECT x + 1 FROM base x');
  await put('packages', 'p', 'f(a: int) := a + CCOUNT(top)');
  expect(await catalog.views.delete({ namespace }, 'base')).toEqual([{ kind: 'view', name: 'top' }]);
  expect(await check('top')).toBe('view top cannot be used: base is not declared at 1:19');
  expect(await check('FROM p IMPORT f; f(1)')).toBe('package p cannot be used: view top cannot be used: base is not declared at 1:19');
  expect((await catalog.views.list({ namespace }, undefined)).map(({ name }) => name)).toEqual(['top']);
  expect(await failure(put('views', 'other', 'top'))).toBe('view top cannot be used: base is not declared at 1:19');
  await put('views', 'base', '["a"]');
  expect(await check('top')).toBe('view top was collection(int) when it was saved and is collection(string) now');
});

test('a view or a package cannot be replaced by one that uses itself', async () => {
  await put('views', 'a', '1');
  await put('views', 'b', 'a + 1');
  expect(await failure(put('views', 'a', 'b', { replace: true }))).toBe(
    'view b cannot be used: view a uses itself: view a → view b → view a at 1:1',
  );
  await put('packages', 'p', 'x := 1');
  await put('packages', 'q', 'FROM p IMPORT x; y := x');
  expect(await failure(put('packages', 'p', 'FROM q IMPORT y; x := y', { replace: true }))).toBe(
    'package q cannot be used: package p imports itself: package p → package q → package p at 1:6',
  );
});

test('of twenty puts of one name at once exactly one wins, whatever kind they are', async () => {
  const views = Array.from({ length: 10 }, (_, i) => failure(put('views', i % 2 === 0 ? 'race' : 'RACE', String(i))));
  const tables = Array.from({ length: 10 }, () => addTable('Race').then((result) => JSON.stringify(result)));
  const results = await Promise.all([...views, ...tables]);
  expect(results.filter((result) => result === 'no failure' || result.includes('"created"'))).toHaveLength(1);
});

test('lists are sorted by code point and filtered by LIKE', async () => {
  for (const name of ['b_1', 'B2', 'a1', '_z', 'bx1']) await put('views', name, '1');
  const names = async (pattern?: string): Promise<readonly string[]> =>
    (await catalog.views.list({ namespace }, pattern)).map(({ name }) => name);
  expect(await names()).toEqual(['B2', '_z', 'a1', 'b_1', 'bx1']);
  expect(await names('b%')).toEqual(['b_1', 'bx1']);
  expect(await names('b\\_1')).toEqual(['b_1']);
  expect(await names('%1')).toEqual(['a1', 'b_1', 'bx1']);
  expect(await failure(catalog.views.list({ namespace }, '\\'))).toMatch(/^bad_request: /);
});

test("another namespace's things do not exist", async () => {
  await put('views', 'mine', '1');
  await put('packages', 'pack', 'x := 1');
  const other = { namespace: `${namespace} other` };
  expect(await failure(catalog.views.get(other, 'mine'))).toBe(await failure(catalog.views.get(other, 'mine')));
  expect(await failure(catalog.views.delete(other, 'mine'))).toBe('view_not_found: View "mine" does not exist.');
  expect(await catalog.views.list(other, undefined)).toEqual([]);
  expect(await failure(put('views', 'v', 'mine', { owner: other.namespace }))).toBe('mine is not declared');
  expect(await failure(put('views', 'v', 'IMPORT pakc; pakc', { owner: other.namespace }))).toBe('package pakc does not exist');
  expect(await put('views', 'mine', '"theirs"', { owner: other.namespace })).toBe('string');
  expect(await check('mine')).toBe('int');
});

test('a name that nobody has suggests those of the namespace', async () => {
  await put('views', 'customers', '1');
  await put('packages', 'weather', 'x := 1');
  expect(await check('custmers')).toBe('custmers is not declared, did you mean customers?');
  expect(await check('IMPORT waether; 1')).toBe('package waether does not exist, did you mean weather?');
  expect(await check('`a\u0000b`')).toBe('a\u0000b is not declared');
});

test('each answer tells the version, which every change raises', async () => {
  const version = async (): Promise<number> => (await catalog.reader.answer(namespace, [])).version;
  const before = await version();
  await put('views', 'v', '1');
  await put('views', 'v', '2', { replace: true });
  await catalog.views.delete({ namespace }, 'v');
  await failure(catalog.views.delete({ namespace }, 'v'));
  expect([await version(), await catalog.reader.version(namespace)]).toEqual([before + 3, before + 3]);
});
