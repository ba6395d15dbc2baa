import { setTimeout as delay } from 'node:timers/promises';

import { TimeLimit } from './time-limit.ts';

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve());
  });

/** Work without a pause, in which no timer can fire. */
async function spend(millis: number): Promise<void> {
  for (const end = performance.now() + millis; performance.now() < end;);
}

test('time counts while somebody works, not in between', async () => {
  const limit = new TimeLimit(400);
  await limit.during(() => delay(1));
  await delay(450);
  expect(limit.signal.aborted).toBe(false);
  await limit.during(() => aborted(limit.signal));
});

test('what one took the next does not have, and failed work counts too', async () => {
  const limit = new TimeLimit(1000);
  const failing = limit.during(async () => {
    await spend(600);
    throw new Error('failed');
  });
  await expect(failing).rejects.toThrow('failed');
  expect(limit.signal.aborted).toBe(false);
  const isLeftLess = aborted(limit.signal).then(() => true);
  expect(await limit.during(() => Promise.race([isLeftLess, delay(900, false)]))).toBe(true);
});

test('a next step has all of the time again', async () => {
  const limit = new TimeLimit(400);
  await limit.during(() => spend(410));
  limit.restart();
  await limit.during(() => delay(1));
  expect(limit.signal.aborted).toBe(false);
});
