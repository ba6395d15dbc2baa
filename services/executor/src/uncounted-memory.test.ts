import { migrate } from '@svc/database';
import { createTestDatabase, testAuthorization } from '@svc/test-kit';

import { startExecutorProcess } from './testing/executor-process.ts';
import { forgetPeak, memoryOf } from './testing/process-memory.ts';

/** Maximum growth of the process: the query's share of 122 MiB times 1.3, 128 MB, and what is added between two looks. Measured: 290. */
const MOST_MORE_MEGABYTES = 400;

test('a query whose memory the engine does not count ends when the process has grown past its share', async () => {
  const database = await createTestDatabase({ migrate });
  const { issuer, audience, mint } = await testAuthorization();
  const executor = await startExecutorProcess({
    SVC_DATABASE_URL: database.url,
    SVC_TOKEN_ISSUER: issuer,
    SVC_TOKEN_AUDIENCE: audience,
    SVC_QUERY_MEMORY_MB: '512',
    SVC_QUERY_CONCURRENCY: '4',
  });
  const headers = { Authorization: `Bearer ${await mint({ sub: 'mallory' })}`, 'Content-Type': 'text/plain' };
  const post = async (body: string) => {
    const answer = await fetch(`${executor.url}/query`, { method: 'POST', body, headers });
    return { status: answer.status, text: await answer.text() };
  };
  expect(await post('1 + 1')).toEqual({ status: 200, text: '2\n' });
  const { now } = await memoryOf(executor.pid);
  await forgetPeak(executor.pid);
  expect(await post('SELECT MODE(a * 5000 + b) FROM RANGE(0, 4000) a, RANGE(0, 5000) b')).toEqual({
    status: 400,
    text: expect.stringContaining('needs more memory than the 122.1 MiB that it may use'),
  });
  expect((await memoryOf(executor.pid)).peak - now).toBeLessThan(MOST_MORE_MEGABYTES);
  expect(await post('SELECT MODE(x % 3) FROM RANGE(0, 1000) x')).toEqual({ status: 200, text: '0\n' });
  await executor.end();
  await database.drop();
});
