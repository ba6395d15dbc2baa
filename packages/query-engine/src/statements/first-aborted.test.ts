import { firstAborted } from './first-aborted.ts';

test('a signal is aborted with the first of others, once, for its reason', () => {
  const [a, b] = [new AbortController(), new AbortController()];
  const first = firstAborted(a.signal, b.signal);
  let count = 0;
  first.addEventListener('abort', () => (count += 1));
  expect(first.aborted).toBe(false);
  b.abort('b');
  a.abort('a');
  expect([first.aborted, first.reason, count]).toEqual([true, 'b', 1]);
});

test('a signal is aborted from the start where one of the others is', () => {
  const first = firstAborted(new AbortController().signal, AbortSignal.abort('over'), AbortSignal.abort('later'));
  expect([first.aborted, first.reason]).toEqual([true, 'over']);
});
