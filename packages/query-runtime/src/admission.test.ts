import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';

import { Admission } from './admission.ts';

const never = new AbortController().signal;

function anAdmission(options: Partial<ConstructorParameters<typeof Admission>[0]> = {}): Admission {
  return new Admission({ concurrency: 2, concurrencyPerSubject: 1, waitMillis: 10_000, maxWaiting: 4, ...options });
}

/** Enters, and writes down who got in. */
function enter(admission: Admission, order: string[], who: string): Promise<() => void> {
  return admission.enter(who.slice(0, 3), never).then((leave) => {
    order.push(who);
    return leave;
  });
}

test('whoever has the fewest running is next, of those who waits longest', async () => {
  const admission = anAdmission({ concurrency: 4, concurrencyPerSubject: 3, maxWaiting: 10 });
  const order: string[] = [];
  const running = await Promise.all(['ann', 'ann', 'ann', 'bob'].map((who) => admission.enter(who, never)));
  const waiting = ['ann 1', 'bob 1', 'cyd 1', 'cyd 2', 'bob 2'].map((who) => enter(admission, order, who));
  for (const leave of running) {
    leave();
    await setImmediate();
  }
  for (const each of waiting) (await each)();
  expect(order).toEqual(['cyd 1', 'ann 1', 'bob 1', 'cyd 2', 'bob 2']);
  expect(admission.load()).toEqual({ running: 0, waiting: 0 });
});

test('callers are served in turns, however many of one wait', async () => {
  const admission = anAdmission({ concurrency: 1, maxWaiting: 10 });
  const order: string[] = [];
  const first = await admission.enter('ann', never);
  const waiting = ['ann 1', 'ann 2', 'ann 3', 'bob 1', 'bob 2', 'cyd 1'].map((who) =>
    enter(admission, order, who).then((leave) => leave()),
  );
  first();
  await Promise.all(waiting);
  expect(order).toEqual(['bob 1', 'cyd 1', 'ann 1', 'bob 2', 'ann 2', 'ann 3']);
});

test('a place that only others may have is left to them', async () => {
  const admission = anAdmission();
  const order: string[] = [];
  const first = await admission.enter('ann', never);
  const waiting = [enter(admission, order, 'ann 1'), enter(admission, order, 'bob 1')];
  const [ann, bob] = waiting;
  (await bob)?.();
  expect(admission.load()).toEqual({ running: 1, waiting: 1 });
  first();
  first();
  (await ann)?.();
  expect(order).toEqual(['bob 1', 'ann 1']);
});

test('a full queue refuses who has most in it, and the last of those makes room for who has at most half as many', async () => {
  const admission = anAdmission({ maxWaiting: 6 });
  const leaves = await Promise.all(['ann', 'bob'].map((who) => admission.enter(who, never)));
  const ended: string[] = [];
  const waiting = Array.from({ length: 6 }, (_, i) =>
    admission.enter('ann', never).then(
      (leave) => {
        ended.push(`${i} in`);
        leave();
      },
      (thrown: unknown) => ended.push(`${i} ${(thrown as { readonly code: string }).code}`),
    ),
  );
  expect([admission.refuses('ann'), admission.refuses('cyd')]).toEqual([true, false]);
  await expect(admission.enter('ann', never)).rejects.toMatchObject({ code: 'service_unavailable', headers: { 'Retry-After': '5' } });
  const cyd = admission.enter('cyd', never);
  expect(admission.load()).toEqual({ running: 2, waiting: 6 });
  expect(admission.refuses('cyd')).toBe(false);
  const again = admission.enter('cyd', never);
  // Four and two.
  expect(admission.refuses('cyd')).toBe(true);
  expect(admission.refuses('dan')).toBe(false);
  for (const leave of leaves) leave();
  (await cyd)();
  (await again)();
  await Promise.all(waiting);
  expect(ended.toSorted()).toEqual(['0 in', '1 in', '2 in', '3 in', '4 service_unavailable', '5 service_unavailable']);
  expect(admission.load()).toEqual({ running: 0, waiting: 0 });
});

test('who is expected counts among those that wait, beyond the places that are free', async () => {
  const admission = anAdmission({ concurrencyPerSubject: 2, maxWaiting: 2 });
  const arrivals = [1, 2, 3].map(() => admission.expect('ann'));
  expect(admission.refuses('ann')).toBe(false);
  arrivals.push(admission.expect('ann'));
  expect(admission.refuses('ann')).toBe(true);
  arrivals[0]?.();
  arrivals[0]?.();
  expect(admission.refuses('ann')).toBe(false);
  const leave = await admission.enter('ann', never);
  expect(admission.refuses('ann')).toBe(true);
  leave();
  for (const arrive of arrivals) arrive();
  const leaves = [await admission.enter('ann', never), await admission.enter('ann', never)];
  expect(admission.refuses('ann')).toBe(false);
  for (const each of leaves) each();
});

test('who is expected does not keep out who has at most half as many', async () => {
  const admission = anAdmission({ maxWaiting: 6 });
  const leaves = await Promise.all(['ann', 'bob'].map((who) => admission.enter(who, never)));
  const waiting = ['ann 1', 'ann 2', 'ann 3'].map((who) => enter(admission, [], who));
  const arrivals = [1, 2, 3].map(() => admission.expect('ann'));
  expect([admission.refuses('ann'), admission.refuses('cyd')]).toEqual([true, false]);
  arrivals.push(admission.expect('cyd'), admission.expect('cyd'));
  // Six and two.
  expect([admission.refuses('ann'), admission.refuses('cyd')]).toEqual([true, false]);
  arrivals.push(admission.expect('cyd'));
  expect([admission.refuses('ann'), admission.refuses('cyd'), admission.refuses('dan')]).toEqual([true, true, false]);
  for (const arrive of arrivals) for (const _twice of [1, 2]) arrive();
  expect([admission.refuses('ann'), admission.refuses('cyd')]).toEqual([false, false]);
  for (const leave of leaves) leave();
  for (const each of waiting) (await each)();
  expect(admission.load()).toEqual({ running: 0, waiting: 0 });
});

test('whatever comes, waits, is driven out or goes away, none is lost, and never do too many run or wait', async () => {
  const [concurrency, concurrencyPerSubject, maxWaiting] = [3, 2, 5];
  const admission = new Admission({ concurrency, concurrencyPerSubject, maxWaiting, waitMillis: 60_000 });
  const random = randomNumbers(7);
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  const running: { readonly who: string; readonly leave: () => void }[] = [];
  const clients = new Set<AbortController>();
  const ends = { ran: 0, refused: 0, gone: 0 };
  const all: Promise<void>[] = [];
  const come = (who: string): void => {
    const client = new AbortController();
    clients.add(client);
    const admitted = admission.enter(who, client.signal).then(
      (leave) => void running.push({ who, leave }),
      (thrown: unknown) => void (ends[(thrown as Error).message === 'gone' ? 'gone' : 'refused'] += 1),
    );
    all.push(admitted.finally(() => clients.delete(client)));
  };
  const end = (): void => {
    const [found] = running.splice(Math.floor(random() * running.length), 1);
    found?.leave();
    if (found !== undefined) ends.ran += 1;
  };
  const wrong: string[] = [];
  for (let step = 0; step < 2000; step += 1) {
    const chance = random();
    if (chance < 0.6) come(pick(['ann', 'ann', 'ann', 'bob', 'cyd']) ?? 'ann');
    else if (chance < 0.9) end();
    else pick([...clients])?.abort(new Error('gone'));
    await setImmediate();
    const load = admission.load();
    if (load.running !== running.length || load.waiting !== clients.size) wrong.push(`${step}: counts differ`);
    if (load.running > concurrency || load.waiting > maxWaiting) wrong.push(`${step}: too many`);
    if (load.running === 0 && load.waiting > 0) wrong.push(`${step}: a place is free, and somebody waits`);
    const mostOfOne = Math.max(...['ann', 'bob', 'cyd'].map((who) => running.filter((each) => each.who === who).length));
    if (mostOfOne > concurrencyPerSubject) wrong.push(`${step}: too many of one`);
  }
  for (; running.length > 0; await setImmediate()) end();
  await Promise.all(all);
  expect(wrong).toEqual([]);
  expect(ends.ran + ends.refused + ends.gone).toBe(all.length);
  expect(Math.min(ends.ran, ends.refused, ends.gone)).toBeGreaterThan(50);
  expect(admission.load()).toEqual({ running: 0, waiting: 0 });
});

test('who waits too long is refused, who goes away leaves nothing behind', async () => {
  const admission = anAdmission({ waitMillis: 20 });
  const leave = await admission.enter('ann', never);
  await expect(admission.enter('ann', never)).rejects.toMatchObject({ code: 'service_unavailable' });
  const client = new AbortController();
  const waiting = admission.enter('ann', client.signal);
  client.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  expect(getEventListeners(client.signal, 'abort')).toEqual([]);
  await expect(admission.enter('ann', client.signal)).rejects.toThrow('gone');
  leave();
  expect(admission.load()).toEqual({ running: 0, waiting: 0 });
});

/** Between 0 and 1, the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}
