import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { openSpoolFolder } from './spool-folder.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'spool-folder-'));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

/** Opens a folder in a separate process; returns its path, and how to kill it. */
async function openElsewhere(): Promise<{ readonly path: string; readonly kill: () => Promise<void> }> {
  const source = `
    import { openSpoolFolder } from ${JSON.stringify(fileURLToPath(new URL('./spool-folder.ts', import.meta.url)))};
    console.log((await openSpoolFolder(${JSON.stringify(parent)})).path);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--conditions=@svc/source', '--input-type=module-typescript', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const exited = once(child, 'exit');
  return {
    path: line.toString().trim(),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

test('the files of a process that was killed are removed at the next start, those of one that lives are not', async () => {
  const [dying, living] = await Promise.all([openElsewhere(), openElsewhere()]);
  for (const { path } of [dying, living]) {
    await mkdir(join(path, 'copies'));
    await writeFile(join(path, 'copies/file'), 'x'.repeat(1000));
  }
  await dying.kill();
  const own = await openSpoolFolder(parent);
  await expect(access(dying.path)).rejects.toThrow('ENOENT');
  await access(join(living.path, 'copies/file'));
  await own.close();
  expect(await readdir(parent)).toEqual([living.path.slice(parent.length + 1)]);
  await living.kill();
});

test('two folders of one process do not remove each other', async () => {
  const first = await openSpoolFolder(parent);
  const second = await openSpoolFolder(parent);
  await Promise.all([access(first.path), access(second.path)]);
  await Promise.all([first.close(), second.close()]);
  expect(await readdir(parent)).toEqual([]);
});

test('what is not ours, and what is about to be, stays', async () => {
  const old = new Date(Date.now() - 3_600_000);
  const names = ['svc-spool-file', 'svc-spool-link', 'other', 'svc-spool.new-young', 'svc-spool.new-old', 'svc-spool-unlocked'];
  await writeFile(join(parent, 'svc-spool-file'), '');
  await mkdir(join(parent, 'other'));
  await symlink(join(parent, 'other'), join(parent, 'svc-spool-link'));
  for (const name of names.slice(3)) await mkdir(join(parent, name));
  for (const name of ['svc-spool.new-old', 'svc-spool-unlocked']) await utimes(join(parent, name), old, old);
  await (await openSpoolFolder(parent)).close();
  expect((await readdir(parent)).toSorted()).toEqual(names.slice(0, 4).toSorted());
});
