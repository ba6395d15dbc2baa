import { getEventListeners } from 'node:events';

import { Permits, type Permit } from './permits.ts';

const never = new AbortController().signal;

/** Takes permits for callers in turn, and notes the order in which they get them. */
function takeAll(permits: Permits, callers: string, got: string[]): readonly Promise<Permit>[] {
  return [...callers].map(async (caller) => {
    const permit = await permits.take(caller, never);
    got.push(caller);
    return permit;
  });
}

test('as many permits are out as there are, and one that is released twice counts once', () => {
  const permits = new Permits(2);
  const first = permits.tryTake();
  expect([first, permits.tryTake()]).not.toContain(null);
  expect(permits.tryTake()).toBeNull();
  first?.release();
  first?.release();
  expect(permits.tryTake()).not.toBeNull();
  expect(permits.tryTake()).toBeNull();
});

test('callers take turns, however many of one wait', async () => {
  const permits = new Permits(1);
  const got: string[] = [];
  for (const taken of takeAll(permits, 'aaaabbc', got)) void taken.then(({ release }) => setImmediate(release));
  while (got.length < 7) await new Promise(setImmediate);
  expect(got.join('')).toBe('abcabaa');
});

test('the caller with the fewest permits comes first', async () => {
  const permits = new Permits(3);
  const got: string[] = [];
  const [first] = takeAll(permits, 'aabbc', got);
  await new Promise(setImmediate);
  expect(got.join('')).toBe('aab');
  (await first)?.release();
  await new Promise(setImmediate);
  expect(got.join('')).toBe('aabc');
});

test('a caller never takes more than it may, even if nobody else wants them', async () => {
  const permits = new Permits(3, 2);
  const got: string[] = [];
  const [first] = takeAll(permits, 'aaab', got);
  await new Promise(setImmediate);
  expect(got.join('')).toBe('aab');
  expect(permits.tryTake('a')).toBeNull();
  (await first)?.release();
  await new Promise(setImmediate);
  expect(got.join('')).toBe('aaba');
});

test('who leaves the queue takes no permit', async () => {
  const permits = new Permits(1);
  const held = permits.tryTake('a');
  const leaving = new AbortController();
  const left = permits.take('b', leaving.signal);
  const waits = permits.take('c', never);
  leaving.abort(new Error('enough'));
  await expect(left).rejects.toThrow('enough');
  await expect(permits.take('d', leaving.signal)).rejects.toThrow('enough');
  held?.release();
  (await waits).release();
  expect(permits.tryTake('e')).not.toBeNull();
});

test('who waits longer than its limit is rejected for its reason, and takes no permit', async () => {
  const permits = new Permits(1);
  const held = permits.tryTake('a');
  const client = new AbortController();
  await expect(permits.take('b', client.signal, { millis: 5, reason: () => new Error('late') })).rejects.toThrow('late');
  expect([permits.waiting(), getEventListeners(client.signal, 'abort')]).toEqual([new Map(), []]);
  held?.release();
  expect([permits.held, permits.hasFree('c')]).toEqual([0, true]);
});

test('the latest of a caller that waits can be rejected', async () => {
  const permits = new Permits(1);
  const held = permits.tryTake('a');
  const [first, last] = [permits.take('b', never), permits.take('b', never)];
  expect(permits.waiting()).toEqual(new Map([['b', 2]]));
  permits.refuseLast('b', new Error('full'));
  permits.refuseLast('c', new Error('full'));
  await expect(last).rejects.toThrow('full');
  expect(permits.waiting()).toEqual(new Map([['b', 1]]));
  held?.release();
  (await first).release();
  expect(permits.held).toBe(0);
});
