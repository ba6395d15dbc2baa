import { eventually } from './eventually.ts';

test('answers as soon as an attempt works', async () => {
  let attempts = 0;
  const value = await eventually(() => {
    attempts += 1;
    if (attempts < 3) throw new Error('not yet');
    return 'done';
  });
  expect([value, attempts]).toEqual(['done', 3]);
});

test('rejects as the last attempt did when time is up', async () => {
  const attempt = (): never => {
    throw new Error('never');
  };
  await expect(eventually(attempt, { timeoutMs: 50 })).rejects.toThrow('never');
});
