import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';

import { TimeLimit } from './time-limit.ts';

let now = 0;
beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  mock.method(performance, 'now', () => now);
});
afterEach(() => mock.reset());

async function pass(millis: number): Promise<void> {
  now += millis;
  mock.timers.tick(millis);
  await setImmediate();
}

/** Simulates work of the given milliseconds on a clock that only the test advances. */
const work = (millis: number) => (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, millis);
  });

/** Returns whether the limit expires after exactly so many milliseconds of further work. */
async function isOverAfter(limit: TimeLimit, millis: number): Promise<boolean> {
  const working = limit.during(work(millis));
  await pass(millis - 1);
  const isOverBefore = limit.signal.aborted;
  await pass(1);
  await working;
  return !isOverBefore && limit.signal.aborted;
}

test('time counts while somebody works, not in between', async () => {
  const limit = new TimeLimit(400);
  const working = limit.during(work(300));
  await pass(300);
  await working;
  await pass(10_000);
  expect(limit.signal.aborted).toBe(false);
  expect(await isOverAfter(limit, 100)).toBe(true);
});

test('what one took the next does not have, and failed work counts too', async () => {
  const limit = new TimeLimit(1000);
  const failing = limit.during(async () => {
    await work(600)();
    throw new Error('failed');
  });
  const failure = failing.catch(String);
  await pass(600);
  expect(await failure).toBe('Error: failed');
  expect(await isOverAfter(limit, 400)).toBe(true);
});

test('a next step has all of the time again', async () => {
  const limit = new TimeLimit(400);
  const working = limit.during(work(390));
  await pass(390);
  await working;
  limit.restart();
  expect(await isOverAfter(limit, 400)).toBe(true);
});
