import { mock } from 'node:test';

import { watchMemory } from './memory-watch.ts';

beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
afterEach(() => mock.timers.reset());

const MEGABYTE = 2 ** 20;
/** 1.3 times 100 MB, plus the tolerance for the process itself. */
const MOST = 130e6 + 128 * MEGABYTE;

test('a statement ends when the process has grown by more than the shares of those that ran beside it', () => {
  let [held, leased] = [1000 * MEGABYTE, 1];
  const { signal, stop } = watchMemory({ shareMegabytes: 100, leased: () => leased, held: () => held });
  held += MOST;
  mock.timers.tick(1000);
  expect(signal.aborted).toBe(false);
  leased = 3;
  held += 2 * 130e6;
  mock.timers.tick(1000);
  leased = 1;
  mock.timers.tick(1000);
  expect(signal.aborted).toBe(false);
  held += 1;
  mock.timers.tick(1000);
  expect(signal.reason).toMatchObject({
    failureClass: 'out-of-memory',
    message: 'the query needs more memory than the 95.4 MiB that it may use',
  });
  stop();
});

test('a watch that is stopped ends nothing', () => {
  const held = mock.fn(() => 0);
  const { signal, stop } = watchMemory({ shareMegabytes: 100, leased: () => 1, held });
  stop();
  held.mock.mockImplementation(() => 10 * MOST);
  mock.timers.tick(1000);
  expect([signal.aborted, held.mock.callCount()]).toEqual([false, 1]);
});
