import { anyAborted } from './any-aborted.ts';

test('a signal is aborted with the first of others, once, for its reason', () => {
  const [a, b] = [new AbortController(), new AbortController()];
  const any = anyAborted(a.signal, b.signal);
  let count = 0;
  any.addEventListener('abort', () => (count += 1));
  expect(any.aborted).toBe(false);
  b.abort('b');
  a.abort('a');
  expect([any.aborted, any.reason, count]).toEqual([true, 'b', 1]);
});

test('a signal is aborted from the start where one of the others is', () => {
  const any = anyAborted(new AbortController().signal, AbortSignal.abort('over'), AbortSignal.abort('later'));
  expect([any.aborted, any.reason]).toEqual([true, 'over']);
});
