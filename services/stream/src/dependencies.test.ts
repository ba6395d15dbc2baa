import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startStreamProcess } from './testing/stream-process.ts';
import { openStreamService } from './testing/stream-under-test.ts';

test('the files of a process that was killed are removed at the next start', async () => {
  const service = await openStreamService();
  const directory = await mkdtemp(join(tmpdir(), 'svc-stream-test-'));
  const env = { ...service.env, SVC_SPOOL_DIR: directory };
  const killed = await startStreamProcess(env);
  const left = await readdir(directory);
  expect(left).toHaveLength(1);
  await killed.signal('SIGKILL');
  const next = await startStreamProcess(env);
  const now = await readdir(directory);
  expect(now).toHaveLength(1);
  expect(now).not.toEqual(left);
  await next.signal('SIGTERM');
  expect(await readdir(directory)).toEqual([]);
  await rm(directory, { recursive: true });
  await service.close();
});
