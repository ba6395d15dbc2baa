import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

const READS = Number(process.env['SVC_SWAPPED_READS'] ?? 1000);
const AT_ONCE = 4;
const SECRET = 'c4n4ry';

/** Replaces a file by a link to the secret and back, and likewise a folder, until ended. */
const SWAPPER = `
  import { linkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
  const [root, secret] = process.argv.slice(1);
  console.log('swapping');
  for (let i = 0; ; i += 1) {
    symlinkSync(secret + '/people.csv', root + '/next');
    renameSync(root + '/next', root + '/people.csv');
    linkSync(root + '/.people', root + '/next');
    renameSync(root + '/next', root + '/people.csv');
    renameSync(root + '/folder', root + '/.folder');
    symlinkSync(secret, root + '/folder');
    rmSync(root + '/folder');
    renameSync(root + '/.folder', root + '/folder');
    if (process.ppid === 1) process.exit();
  }`;

let at: ReadingRuntime;
let secret: string;
let swapper: ChildProcess;
beforeAll(async () => {
  at = await openReadingRuntime();
  secret = await mkdtemp(join(tmpdir(), 'svc-secret-'));
  await writeFile(join(secret, 'people.csv'), `name,age\n${SECRET},1000001\n`);
  await writeFile(join(secret, 'hidden.csv'), `name,age\n${SECRET},1000001\n`);
  for (const name of ['.people', 'people.csv', 'folder/people.csv']) await at.write(name, 'name,age\nann,1\n');
  await mkdir(join(at.root, 'links'));
  await symlink(join(secret, 'people.csv'), join(at.root, 'links/people.csv'));
  swapper = spawn(process.execPath, ['--input-type=module', '-e', SWAPPER, at.root, secret], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (swapper.stdout !== null) await once(swapper.stdout, 'data');
});
afterAll(async () => {
  swapper.kill('SIGKILL');
  await at.close();
  await rm(secret, { recursive: true, force: true });
});

const QUERIES = [
  'READ_CSV("file:people.csv")',
  'READ_LINES("file:folder/people.csv")',
  'READ_TEXT("file:people.csv")',
  'READ_CSV("file:folder/*.csv")',
  'SELECT l.url, l.size FROM LL("file:**/*.csv") l',
  'SELECT d.col_name FROM DESCRIBE("file:people.csv").columns d',
];

test('no read sees what a link leads to outside the roots, however quickly it is put in the place of a file or a folder', async () => {
  const seen = { leaks: [] as string[], whole: 0 };
  for (let i = 0; i < READS; i += AT_ONCE) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => at.run(QUERIES[(i + n) % QUERIES.length] ?? '')));
    for (const answer of answers) {
      const text = answer.join(' ');
      if (/c4n4ry|hidden|"size":2[0-9]/.test(text)) seen.leaks.push(text);
      if (!text.startsWith('!')) seen.whole += 1;
    }
  }
  expect(seen.leaks).toEqual([]);
  expect(seen.whole).toBeGreaterThan(READS / 10);
  expect(swapper.exitCode).toBeNull();
}, 300_000);
