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
  const arrivals = [1, 2, 3].map(() => admission.expect());
  expect(admission.refuses('ann')).toBe(false);
  arrivals.push(admission.expect());
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
