import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { eventually, type ServiceChild } from '@svc/test-kit';

import { startStreamProcess } from '../testing/stream-process.ts';
import { openStreamService, SOON_REPLACED, type StreamUnderTest } from '../testing/stream-under-test.ts';
import { createTopic, type TestTopic } from '../testing/test-topic.ts';
import { INJECTION_POINTS } from './injection.ts';

const TRANSFORM =
  '\\(key: binary nullable, value: binary, topic: string, partitionNo: int, offset: long, timestamp: timestamp, timestampType: int) -> PARSE_JSON(DECODE(value) AS record(id: long)) ++ (part: partitionNo, at: offset)';
const PARTITIONS = 2;
/**
 * After the rows and before the commit, and after the commit and before the offset commit to Kafka; all points if the
 * environment requests it.
 */
const KILL_POINTS = process.env['SVC_EVERY_POINT'] === '1' ? INJECTION_POINTS : (['after-rows', 'after-commit'] as const);

const run = promisify(execFile);

let service: StreamUnderTest;
let topic: TestTopic;
let sent = 0;

beforeAll(async () => {
  topic = await createTopic({ partitions: PARTITIONS });
});

beforeEach(async () => {
  service = await openStreamService({ env: SOON_REPLACED });
  await produce(40);
});

afterEach(() => service.close());
afterAll(() => topic.close());

/** Sends messages, some of which are poisoned. */
async function produce(count: number): Promise<void> {
  const messages = Array.from({ length: count }, (_, i) => {
    const id = sent + i;
    return { value: id % 10 === 9 ? `poison ${id}` : JSON.stringify({ id }), partition: id % PARTITIONS };
  });
  sent += count;
  await topic.send(messages);
}

/** Returns the expected outcome of every message sent: the topic itself is the ledger. */
function ledger() {
  const all = Array.from({ length: sent }, (_, id) => id);
  return { rows: all.filter((id) => id % 10 !== 9), poisoned: all.filter((id) => id % 10 === 9).length };
}

/** Returns the actual outcome: the ids of the rows, and the number of dead letters. */
async function outcome() {
  const rows = (await service.rows('ledger', 'c1')).map((row) => (JSON.parse(row) as { readonly c1: number }).c1);
  const { json } = await service.call('GET', '/stream/ledger/dead-letters?limit=1000');
  const letters = (json as readonly { readonly value: string }[]).map(({ value }) => value);
  return { rows: rows.toSorted((a, b) => a - b), poisoned: new Set(letters).size };
}

/** A process that reads the stream, with another one that only serves. */
async function startWorkers(...stops: readonly Parameters<typeof startStreamProcess>[1][]): Promise<readonly ServiceChild[]> {
  return Promise.all(stops.map((stop) => startStreamProcess(service.env, stop)));
}

/** Sends messages until a process has reached a point; the test's own process may hold more of the partitions. */
async function produceUntil(reached: Promise<unknown> | undefined): Promise<void> {
  const more = setInterval(() => void produce(2), 100);
  await reached?.finally(() => clearInterval(more));
}

/** Waits until a signal has stopped a process. */
async function untilPaused({ pid }: ServiceChild): Promise<void> {
  await eventually(async () => expect((await run('ps', ['-o', 'state=', '-p', String(pid)])).stdout).toMatch(/^T/));
}

test.each(KILL_POINTS)('a process that is killed at %s neither loses nor repeats a message', async (point) => {
  const [victim] = await startWorkers({ point, count: 2 });
  await service.create('ledger', topic, TRANSFORM);
  await produce(10);
  await produceUntil(victim?.ended);
  await produce(10);
  await eventually(async () => expect(await outcome()).toEqual(ledger()));
});

test('a process that is paused in its transaction, and woken when another has gone on, writes nothing', async () => {
  const [sleeper] = await startWorkers({ point: 'before-commit', count: 1, signal: 'SIGSTOP' });
  await service.create('ledger', topic, TRANSFORM);
  await produceUntil(sleeper && untilPaused(sleeper));
  await eventually(async () => expect((await service.rows('ledger')).length).toBeGreaterThan(0));
  await produce(20);
  await sleeper?.signal('SIGCONT');
  await eventually(async () => expect(await outcome()).toEqual(ledger()));
  await sleeper?.signal('SIGTERM');
});

test('several processes share the partitions, and one that leaves is replaced', async () => {
  const [first, second] = await startWorkers(undefined, undefined);
  await service.create('ledger', topic, TRANSFORM);
  await produce(20);
  await first?.signal('SIGTERM');
  await produce(20);
  await second?.signal('SIGKILL');
  await produce(20);
  await eventually(async () => expect(await outcome()).toEqual(ledger()));
});

test('a process that is told to stop while it waits for messages leaves at once, and closes all that it holds', async () => {
  const [reader] = await startWorkers(undefined);
  await service.create('ledger', topic, TRANSFORM, { intervalMillis: 20_000 });
  await eventually(async () => expect(await outcome()).toEqual(ledger()));
  await reader?.signal('SIGTERM');
  expect(reader?.output()).toContain('service stopped');
  expect(reader?.output()).not.toContain('did not close');
});
