import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { StartError } from '@svc/service-kit';

import { buildConsole } from './build-console.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-console-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test('a build of the console can be served by another user of the machine', async () => {
  const built = await buildConsole(new AbortController().signal, folder);
  expect(await readFile(join(built, 'index.html'), 'utf8')).toContain('<!doctype html>');
  expect(((await stat(built)).mode & 0o777).toString(8)).toBe('755');
});

test('a folder that cannot hold a build is named in one line', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  const building = buildConsole(new AbortController().signal, file);
  await expect(building).rejects.toThrow(StartError);
  await expect(building).rejects.toThrow(`The console cannot be built in ${file}, which npm start writes as its user: E`);
});
