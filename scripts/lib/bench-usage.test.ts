import { execFile } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { PROJECT } from './project.js';

const run = promisify(execFile);
const bench = async (...args: readonly string[]): Promise<string> =>
  (await run(process.execPath, [join(PROJECT, 'scripts', 'bench.js'), ...args])).stdout;

test('--help tells what each benchmark measures, and one of them what it alone does', async () => {
  const names: string[] = [];
  for await (const path of glob('bench/src/*.ts', { cwd: PROJECT })) {
    const [, name] = /^\/\*\*[\s*]*`npm run bench -- (\w+)/.exec(await readFile(join(PROJECT, path), 'utf8')) ?? [];
    if (name !== undefined) names.push(name);
  }
  expect(names.length).toBeGreaterThan(10);
  const lines = (await bench('--help')).trimEnd().split('\n');
  expect(lines.map((line) => /^npm run bench -- (\w+).*: \S+/.exec(line)?.[1])).toEqual(names.toSorted());
  expect(await bench('query', '--help')).toMatch(/^npm run bench -- query \[--small\]: queries through POST \/query[^\n]*\n$/);
});

test('a benchmark that there is not is an error that names those that there are', async () => {
  await expect(bench('queries')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('query, results') });
});
