import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { FileFinder } from './find-files.ts';

let folder: string;
let roots: readonly string[];
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-find-')));
  roots = [join(folder, 'one'), join(folder, 'two')];
  for (const name of [
    'one/a.csv',
    'one/d/b.csv',
    'one/d/e/c.csv',
    'one/.h/x.csv',
    'two/a.csv',
    'two/only.txt',
    'two/d/z.csv',
    'secret/s.csv',
  ]) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), 'x');
  }
  await symlink(join(folder, 'secret/s.csv'), join(folder, 'one/leaves.csv'));
  await symlink(join(folder, 'secret'), join(folder, 'one/away'));
  await symlink(join(folder, 'one/a.csv'), join(folder, 'one/stays.csv'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const locations = async (path: string): Promise<readonly string[]> =>
  (await new FileFinder(roots).files(path)).map((file) => file.location);

test.each([
  ['a.csv', ['file:a.csv']],
  ['./d//b.csv', ['file:d/b.csv']],
  ['only.txt', ['file:only.txt']],
  ['*.csv', ['file:a.csv', 'file:stays.csv']],
  ['**/*.csv', ['file:a.csv', 'file:d/b.csv', 'file:d/e/c.csv', 'file:stays.csv']],
  ['d/**/c.csv', ['file:d/e/c.csv']],
  ['d/*.csv', ['file:d/b.csv']],
  ['*.txt', ['file:only.txt']],
  ['.h/*.csv', ['file:.h/x.csv']],
  ['leaves.csv', []],
  ['away/s.csv', []],
  ['away/*', []],
  ['../secret/s.csv', []],
  ['d/../../secret/s.csv', []],
  ['**/**/*.csv', ['file:a.csv', 'file:d/b.csv', 'file:d/e/c.csv', 'file:stays.csv']],
  ['d/**/**/**/c.csv', ['file:d/e/c.csv']],
  ['**/d/**/*.csv', ['file:d/b.csv', 'file:d/e/c.csv']],
  ['**/e/../*.csv', []],
  ['d/**', ['file:d/b.csv', 'file:d/e/c.csv']],
  ['**/away/*', []],
  ['*/s.csv', []],
  ['a.csv/', []],
  ['a.csv/.', []],
  ['*.csv/', []],
  ['d', []],
  ['', []],
  ['a.csv\0', []],
])('%j names %j', async (path, found) => {
  expect(await locations(path)).toEqual(found);
});

test('an absolute path must lie below a root', async () => {
  expect(await locations(join(folder, 'two/only.txt'))).toEqual(['file:only.txt']);
  expect(await locations(join(folder, 'secret/s.csv'))).toEqual([]);
  expect(await locations('/etc/hostname')).toEqual([]);
});

test('a folder is listed, with its folders, and what is not there is null', async () => {
  const entries = await new FileFinder(roots).entries('d');
  expect(entries?.map(({ location, isFile }) => ({ location, isFile }))).toEqual([
    { location: 'file:d/b.csv', isFile: true },
    { location: 'file:d/e/', isFile: false },
  ]);
  expect(await new FileFinder(roots).entries('none')).toBeNull();
  expect(await new FileFinder(roots).entries('away')).toBeNull();
});

test('a path that ends in a slash names folders only', async () => {
  const finder = new FileFinder(roots);
  expect(await finder.entries('a.csv/')).toBeNull();
  expect((await finder.entries('*/'))?.map(({ location }) => location)).toEqual(['file:d/']);
  expect(await finder.entries('d/')).toHaveLength(2);
});

test('a folder outside the roots is neither listed nor counted', async () => {
  const far = join(folder, 'secret/many');
  await mkdir(far);
  await Promise.all(Array.from({ length: 20 }, (_, index) => mkdir(join(far, `f${index}`))));
  expect(await new FileFinder(roots).files('away/many/*/x')).toEqual([]);
  expect(await new FileFinder(roots).entries('away/**/f1')).toBeNull();
});

test('each folder is visited once, however many ways a pattern has to reach it', async () => {
  const deep = Array.from({ length: 40 }, () => 'n').join('/');
  await mkdir(join(folder, 'two', deep), { recursive: true });
  const began = performance.now();
  expect(await new FileFinder([join(folder, 'two')]).files(`${'**/'.repeat(30)}none.csv`)).toEqual([]);
  expect(performance.now() - began).toBeLessThan(5000);
  await rm(join(folder, 'two/n'), { recursive: true });
});

test('a walk ends when it is aborted', async () => {
  await expect(new FileFinder(roots).files('**/*.csv', AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
});

test('the identity of a file changes with its content', async () => {
  const finder = new FileFinder(roots);
  const path = join(folder, 'two/changes.csv');
  await writeFile(path, 'x');
  const [before] = await finder.files('changes.csv');
  await writeFile(path, 'xy');
  const [after] = await finder.files('changes.csv');
  expect(after?.identity).not.toBe(before?.identity);
});

test('a path that led to a file below the root and leads out of it now names nothing', async () => {
  const finder = new FileFinder(roots);
  const link = join(folder, 'one/swapped.csv');
  await symlink(join(folder, 'one/a.csv'), link);
  expect(await finder.files('swapped.csv')).toHaveLength(1);
  await rm(link);
  await symlink(join(folder, 'secret/s.csv'), link);
  expect(await finder.files('swapped.csv')).toEqual([]);
  await rm(link);
});

test('a file that was replaced is found where it is now', async () => {
  const finder = new FileFinder(roots);
  const link = join(folder, 'one/current.csv');
  await symlink(join(folder, 'one/a.csv'), link);
  const [before] = await finder.files('current.csv');
  await rm(link);
  await symlink(join(folder, 'one/d/b.csv'), link);
  const [after] = await finder.files('current.csv');
  expect([before?.path, after?.path]).toEqual([join(folder, 'one/a.csv'), join(folder, 'one/d/b.csv')]);
  await rm(link);
});
