import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { migrate } from '@svc/database';
import type { TestDatabase } from '@svc/test-kit';
import { createTestDatabase, testAuthorization, workbook } from '@svc/test-kit';

import type { ExecutorProcess } from './testing/executor-process.ts';
import { startExecutorProcess } from './testing/executor-process.ts';
import { memoryOf } from './testing/process-memory.ts';

/** The threads that decode may have a quarter of it: two with 512 MB each. */
const QUERY_MEGABYTES = 4096;
/** Limit of the memory of the process. Measured: 670. */
const MOST_MEGABYTES = 1200;
/** Limit of waits for the event loop, which decoding in it blocked for seconds. Measured: 170, on a busy machine. */
const MOST_WAITING_MILLIS = 1000;
const WORKBOOKS = 8;
const DOCUMENTS = 2;

let folder: string;
let database: TestDatabase;
let executor: ExecutorProcess;
let bearer: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-decoding-')));
  const [root, spool] = [join(folder, 'root'), join(folder, 'spool')];
  await Promise.all([mkdir(root), mkdir(spool)]);
  const texts = `<si><t>${'x'.repeat(1_000_000)}</t></si>`.repeat(68);
  const shared = workbook('<row><c t="s"><v>0</v></c></row><row><c t="s"><v>1</v></c></row>', { strings: texts });
  for (let i = 0; i < WORKBOOKS; i += 1) await writeFile(join(root, `${i}.xlsx`), shared);
  const names = gzipSync(`<r>${Array.from({ length: 1_000_000 }, (_, i) => `<n${i}/>`).join('')}</r>`, { level: 1 });
  for (let i = 0; i < DOCUMENTS; i += 1) await writeFile(join(root, `${i}.xml.gz`), names);
  await writeFile(join(root, 'right.xml'), '<r><a>1</a></r>');
  database = await createTestDatabase({ migrate });
  const { issuer, audience, mint } = await testAuthorization();
  executor = await startExecutorProcess({
    SVC_DATABASE_URL: database.url,
    SVC_TOKEN_ISSUER: issuer,
    SVC_TOKEN_AUDIENCE: audience,
    SVC_FILE_ROOTS: root,
    SVC_SPOOL_DIR: spool,
    SVC_QUERY_MEMORY_MB: String(QUERY_MEGABYTES),
    SVC_QUERY_CONCURRENCY: '16',
    SVC_QUERY_CONCURRENCY_PER_SUBJECT: '16',
  });
  bearer = `Bearer ${await mint({ sub: 'mallory' })}`;
});
afterAll(async () => {
  await executor.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function post(query: string): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { Authorization: bearer, 'Content-Type': 'text/plain' };
  const answer = await fetch(`${executor.url}/query`, { method: 'POST', body: query, headers });
  return { status: answer.status, text: await answer.text() };
}

test('eight workbooks and two documents of XML that are huge side by side leave the event loop free, and fail alone', async () => {
  const right = 'DESCRIBE("file:right.xml").type';
  const fits = { status: 200, text: '"record(a: int)"\n' };
  expect(await post(right)).toEqual(fits);
  let [isOver, longest] = [false, 0];
  const watching = (async () => {
    while (!isOver) {
      const begun = performance.now();
      await (await fetch(`${executor.adminUrl}/live`)).text();
      longest = Math.max(longest, performance.now() - begun);
      await sleep(5);
    }
  })();
  const answers = await Promise.all([
    ...Array.from({ length: WORKBOOKS }, (_, i) => post(`SELECT COUNT(*) FROM READ("file:${i}.xlsx")`)),
    ...Array.from({ length: DOCUMENTS }, (_, i) => post(`DESCRIBE("file:${i}.xml.gz").type`)),
  ]);
  isOver = true;
  await watching;
  for (const [i, { status, text }] of answers.slice(0, WORKBOOKS).entries()) {
    expect(status).toBe(400);
    expect(text).toContain(`file:${i}.xlsx: the workbook holds more text than can be read`);
  }
  for (const { status, text } of answers.slice(WORKBOOKS)) expect([status, text]).toEqual([200, '"any nullable"\n']);
  expect(longest).toBeLessThan(MOST_WAITING_MILLIS);
  const { peak } = await memoryOf(executor.pid);
  expect(peak).toBeLessThan(MOST_MEGABYTES);
  expect(await post(right)).toEqual(fits);
  expect(executor.log.filter(({ level }) => level !== 'warn')).toEqual([]);
});
