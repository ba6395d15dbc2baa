import { createRandom } from '@svc/test-kit';

import { sortInTurns } from './sort-in-turns.ts';

const random = createRandom(1);

test.each([0, 1, 2, 999, 1000, 1001, 2000, 12_345])(
  '%i things are sorted as an array sorts them, equal ones as they stood',
  async (count) => {
    const things = Array.from({ length: count }, (_, at) => ({ key: random.below(count / 2 + 1), at }));
    const compare = (a: { readonly key: number }, b: { readonly key: number }): number => a.key - b.key;
    expect(await sortInTurns(things, compare)).toEqual(things.toSorted(compare));
  },
);

test('others get their turn while many are sorted', async () => {
  const things = Array.from({ length: 200_000 }, () => random.below(1_000_000));
  let turns = 0;
  let isOver = false;
  const take = (): void => {
    turns += 1;
    if (!isOver) setImmediate(take);
  };
  setImmediate(take);
  await sortInTurns(things, (a, b) => a - b);
  isOver = true;
  expect(turns).toBeGreaterThan(3);
});
