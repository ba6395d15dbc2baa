import { migrate } from '@svc/database';
import { createTestDatabase, testAuthorization, type TestDatabase } from '@svc/test-kit';

import { startExecutorProcess, type ExecutorProcess } from './testing/executor-process.ts';
import { forgetPeak, memoryOf } from './testing/process-memory.ts';

/**
 * Maximum growth of the process: the query's share of 122 MiB times 1.3, 128 MB, and what is added between two looks, in which vectors of
 * values double. Measured: 290 (MODE) to 560 (a window).
 */
const MOST_MORE_MEGABYTES = 700;
/** Maximum growth for what a window collects. Measured: 10; 200 and more if the engine works on a whole vector at a time. */
const MOST_MORE_OF_A_PART = 100;
const TOO_MUCH = { status: 400, text: expect.stringMatching(/needs more memory than the 122\.[01] MiB that it may use/) };

let database: TestDatabase;
let executor: ExecutorProcess;
let headers: Readonly<Record<string, string>>;
beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  const { issuer, audience, mint } = await testAuthorization();
  executor = await startExecutorProcess({
    SVC_DATABASE_URL: database.url,
    SVC_TOKEN_ISSUER: issuer,
    SVC_TOKEN_AUDIENCE: audience,
    SVC_QUERY_MEMORY_MB: '512',
    SVC_QUERY_CONCURRENCY: '4',
  });
  headers = { Authorization: `Bearer ${await mint({ sub: 'mallory' })}`, 'Content-Type': 'text/plain' };
});
afterAll(async () => {
  await executor.end();
  await database.drop();
});

async function post(body: string): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(`${executor.url}/query`, { method: 'POST', body, headers });
  return { status: answer.status, text: await answer.text() };
}

const LARGE = 'RANGE(0, 8000) a, RANGE(0, 5000) b';
/** The rows of one vector of the engine. */
const ONE_VECTOR = 'x < 2048';
const SMALLER = 'RANGE(0, 600) a, RANGE(0, 5000) b';

test.each<[string, string, object, number?]>([
  ['MODE', `SELECT MODE(a * 5000 + b) FROM ${LARGE}`, TOO_MUCH],
  [
    'MODE of a window',
    `SELECT MAX(m), COUNT(DISTINCT m) FROM (SELECT MODE(a * 5000 + b) OVER (PARTITION BY a % 2) AS m FROM ${SMALLER}) x`,
    { status: 200, text: '{"_1":5000,"_2":2}\n' },
  ],
  [
    'COUNT_DISTINCT of what a window collects',
    `SELECT MAX(n) FROM (SELECT (SELECT COUNT_DISTINCT(v) FROM l v) AS n FROM (SELECT x, COLLECT(x) OVER () AS l FROM RANGE(0, 3000) x) y WHERE ${ONE_VECTOR}) z`,
    { status: 200, text: '3000\n' },
    MOST_MORE_OF_A_PART,
  ],
  [
    'SORT of what a window collects',
    `SELECT MAX(LEN(SORT(l))) FROM (SELECT x, COLLECT(x) OVER () AS l FROM RANGE(0, 6000) x) y WHERE ${ONE_VECTOR}`,
    { status: 200, text: '6000\n' },
    MOST_MORE_OF_A_PART,
  ],
  ['MEDIAN', `SELECT MEDIAN(a * 5000 + b) FROM ${LARGE}`, TOO_MUCH],
  ['QUANTILE', `SELECT QUANTILE(a * 5000 + b, 0.9) FROM ${LARGE}`, TOO_MUCH],
  ['QUANTILE of fewer values', `SELECT QUANTILE(a * 5000 + b, 0.5) FROM ${SMALLER}`, { status: 200, text: '1499999.5\n' }],
  ['COLLECT', `SELECT LEN(COLLECT(a * 5000 + b)) FROM ${LARGE}`, TOO_MUCH],
  ['STRING_AGG', `SELECT LEN(STRING_AGG(CAST(a * 5000 + b AS string), ",")) FROM ${LARGE}`, TOO_MUCH],
  ['COUNT_DISTINCT', `SELECT COUNT_DISTINCT(a * 5000 + b) FROM ${SMALLER}`, { status: 200, text: '3000000\n' }],
])('%s of many values stays within its share, or fails', async (_, query, expected, most = MOST_MORE_MEGABYTES) => {
  expect(await post('1 + 1')).toEqual({ status: 200, text: '2\n' });
  const { now } = await memoryOf(executor.pid);
  await forgetPeak(executor.pid);
  expect(await post(query)).toEqual(expected);
  expect((await memoryOf(executor.pid)).peak - now).toBeLessThan(most);
  expect(await post('SELECT MODE(x % 3) FROM RANGE(0, 1000) x')).toEqual({ status: 200, text: '0\n' });
});
