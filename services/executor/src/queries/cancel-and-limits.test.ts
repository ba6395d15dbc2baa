import { readdir, readlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '@svc/test-kit';

import type { ExecutorUnderTest } from '../testing/executor-under-test.ts';
import { startExecutorUnderTest } from '../testing/executor-under-test.ts';

const SLOW = 'SELECT COUNT(*) FROM RANGE(0, 1000000) x, RANGE(0, 1000000) y WHERE x * y % 7 = 3';
/** Maximum processing time spent on disconnected clients; generous, for busy machines. */
const MOST_MILLIS_OF_WORK = 1000;
/** Exceeds the memory and spool of a query. */
const HUGE = 'SELECT x FROM RANGE(0, 5000000) x, RANGE(0, 200) y ORDER BY x * 7919 % 1000003, y';

let executor: ExecutorUnderTest;
let bearer: string;

beforeAll(async () => {
  executor = await startExecutorUnderTest();
  bearer = `Bearer ${await executor.token()}`;
  const line = `${JSON.stringify({ id: 1, tags: ['a', 'b'], at: { x: 1.5, y: 'some text of a line' } })}\n`;
  await writeFile(join(executor.root, 'large.jsonl'), line.repeat(700_000));
  await writeFile(join(executor.root, 'large.csv'), `a,b,c\n${'1,some text,2024-01-01\n'.repeat(1_500_000)}`);
});
afterAll(() => executor.close());

/** Sends a query without reading the response. */
function begin(path: string, body: string, as = bearer): Socket {
  const socket = connect(Number(new URL(executor.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${as}\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return socket;
}

/** Returns the files below the executor's folders that this process holds open. */
async function openFiles(): Promise<readonly string[]> {
  const links = await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return links.filter((path) => path.startsWith(executor.root) || path.startsWith(executor.spool));
}

async function spoolFiles(): Promise<readonly string[]> {
  const entries = await readdir(executor.spool, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function post(body: string, as = bearer): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(`${executor.url}/query`, {
    method: 'POST',
    body,
    headers: { Authorization: as, 'Content-Type': 'text/plain' },
  });
  return { status: answer.status, text: await answer.text() };
}

test.each([
  ['computes', '/query', SLOW, false],
  ['makes much of constants', '/query', SLOW.replaceAll('1000000', '10000000'), false],
  ['reads a file', '/query', 'SELECT b, COUNT(*) FROM READ("file:large.csv"), RANGE(0, 1000) y GROUP BY b', true],
  ['infers a type', '/query', 'SELECT id FROM READ("file:large.jsonl", sample_size := -1)', true],
  ['infers a type without being run', '/query-validate', 'SELECT a FROM READ("file:large.csv", sample_size := -1)', true],
  ['spills', '/query', 'SELECT x FROM RANGE(0, 3000000) x, RANGE(0, 4) y ORDER BY x * 7919 % 1000003, y', false],
])('a client that goes away while its query %s is not waited for: all of it ends at once', async (_, path, query, isReading) => {
  const socket = begin(path, query);
  await eventually(async () => {
    expect(executor.admission.load().running).toBe(1);
    expect(isReading ? (await openFiles()).length : executor.engine.load().leased).toBeGreaterThan(0);
  });
  const before = process.cpuUsage();
  socket.destroy();
  await eventually(async () => {
    expect([executor.admission.load(), executor.engine.load().leased]).toEqual([{ running: 0, waiting: 0 }, 0]);
    expect(await openFiles()).toEqual([]);
  });
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(MOST_MILLIS_OF_WORK);
  expect(await spoolFiles()).toEqual([]);
});

test('a client that goes away while its query waits for a place leaves the queue', async () => {
  const running = [begin('/query', SLOW), begin('/query', SLOW)];
  await eventually(async () => expect(executor.admission.load().running).toBe(2));
  const waiting = begin('/query', SLOW);
  await eventually(async () => expect(executor.admission.load().waiting).toBe(1));
  waiting.destroy();
  await eventually(async () => expect(executor.admission.load()).toEqual({ running: 2, waiting: 0 }));
  for (const socket of running) socket.destroy();
  await eventually(async () => expect(executor.admission.load()).toEqual({ running: 0, waiting: 0 }));
});

test('a query past its memory spills, and past its spool it fails and says so; its neighbours never notice', async () => {
  const other = `Bearer ${await executor.token('bob')}`;
  let isOver = false;
  const huge = post(HUGE).finally(() => (isOver = true));
  const neighbours: unknown[] = [];
  let hasSpilled = false;
  while (!isOver) {
    neighbours.push(await post('SELECT COUNT(*) FROM RANGE(0, 1000) x', other));
    hasSpilled ||= (await spoolFiles()).length > 0;
    await sleep(20);
  }
  const { status, text } = await huge;
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({
    validationErrors: [],
    runtimeError: { message: expect.stringMatching(/^the query needs more (memory|spool space) than the [0-9.]+ [MG]iB that it may use$/) },
  });
  expect(hasSpilled).toBe(true);
  expect(neighbours.length).toBeGreaterThan(0);
  for (const each of neighbours) expect(each).toEqual({ status: 200, text: '1000\n' });
  expect(await spoolFiles()).toEqual([]);
  expect(await post('SELECT SUM(x) FROM RANGE(0, 1000) x')).toEqual({ status: 200, text: '499500\n' });
});
