import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { migrate } from '@svc/database';
import { createTestDatabase, eventually, testAuthorization } from '@svc/test-kit';

const PARENT = fileURLToPath(new URL('executor-parent.ts', import.meta.url));

test('an executor ends with the process that started it, which was killed, and leaves nothing', async () => {
  const [folder, database, { issuer, audience }] = await Promise.all([
    mkdtemp(join(tmpdir(), 'svc-orphan-')),
    createTestDatabase({ migrate }),
    testAuthorization(),
  ]);
  const parent = spawn(process.execPath, ['--conditions=@svc/source', PARENT], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { SVC_DATABASE_URL: database.url, SVC_TOKEN_ISSUER: issuer, SVC_TOKEN_AUDIENCE: audience, SVC_SPOOL_DIR: folder },
  });
  const [pid] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
  expect(await commandOf(pid)).toContain('main.ts');
  parent.kill('SIGKILL');
  await eventually(async () => expect(await commandOf(pid)).toBe(''));
  expect(await readdir(folder)).toEqual([]);
  await database.drop();
  await rm(folder, { recursive: true });
});

/** Returns the command line of a process, empty if it has ended. */
async function commandOf(pid: string): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}
