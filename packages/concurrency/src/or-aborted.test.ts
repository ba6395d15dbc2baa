import { orAborted } from './or-aborted.ts';

const REASON = new Error('stopped');

test('the result of work comes through, and is not discarded', async () => {
  const discarded: number[] = [];
  const { signal } = new AbortController();
  expect(await orAborted(Promise.resolve(1), { signal, discard: (late) => discarded.push(late) })).toBe(1);
  await expect(orAborted(Promise.reject(REASON), { signal, discard: (late) => discarded.push(late) })).rejects.toBe(REASON);
  expect(discarded).toEqual([]);
});

test('an abort does not wait for the work, whose result is discarded', async () => {
  const controller = new AbortController();
  const work = Promise.withResolvers<number>();
  const discarded = Promise.withResolvers<number>();
  const waiting = orAborted(work.promise, { signal: controller.signal, discard: discarded.resolve });
  controller.abort(REASON);
  await expect(waiting).rejects.toBe(REASON);
  work.resolve(2);
  expect(await discarded.promise).toBe(2);
});

test('nothing is waited for where the signal is aborted already', async () => {
  const never = new Promise<never>(() => undefined);
  await expect(orAborted(never, { signal: AbortSignal.abort(REASON), discard: () => undefined })).rejects.toBe(REASON);
});
