import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { migrate } from '@svc/database';
import { createTestDatabase, eventually, testAuthorization } from '@svc/test-kit';

import { startExecutorProcess } from './testing/executor-process.ts';

const SPILLING = 'SELECT x FROM RANGE(0, 5000000) x, RANGE(0, 200) y ORDER BY x * 7919 % 1000003, y';

async function spilled(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && entry.name !== 'lock').map(({ parentPath, name }) => join(parentPath, name));
}

test('what an executor spilled when it was killed is gone once another has started, and a stop leaves nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-killed-'));
  const database = await createTestDatabase({ migrate });
  const authorization = await testAuthorization();
  const env = {
    SVC_DATABASE_URL: database.url,
    SVC_TOKEN_ISSUER: authorization.issuer,
    SVC_TOKEN_AUDIENCE: authorization.audience,
    SVC_SPOOL_DIR: folder,
    SVC_QUERY_MEMORY_MB: '512',
  };
  const killed = await startExecutorProcess(env);
  const headers = { Authorization: `Bearer ${await authorization.mint({ sub: 'ann' })}`, 'Content-Type': 'text/plain' };
  const answer = fetch(`${killed.url}/query`, { method: 'POST', body: SPILLING, headers }).catch(() => null);
  await eventually(async () => expect(await spilled(folder)).not.toEqual([]));
  await killed.end('SIGKILL');
  await answer;
  expect(await spilled(folder)).not.toEqual([]);
  const next = await startExecutorProcess(env);
  expect(await spilled(folder)).toEqual([]);
  await next.end();
  expect(await readdir(folder)).toEqual([]);
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});
