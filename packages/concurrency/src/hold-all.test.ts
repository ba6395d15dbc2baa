import { holdAll } from './hold-all.ts';

it('holds all until it is told, once', async () => {
  const held: string[] = [];
  const release = await holdAll(['a', 'b'], async (name) => {
    held.push(name);
    return () => void held.splice(held.indexOf(name), 1);
  });
  expect(held).toEqual(['a', 'b']);
  release();
  expect(held).toEqual([]);
  held.push('a');
  release();
  expect(held).toEqual(['a']);
});

it('holds none where one cannot be held', async () => {
  const held = new Set<string>();
  const holding = holdAll(['a', 'b', 'c'], async (name) => {
    if (name === 'b') throw new Error('no b');
    held.add(name);
    return () => held.delete(name);
  });
  await expect(holding).rejects.toThrow('no b');
  expect(held.size).toBe(0);
});

it('holds some at once, in their order, and none where one of them cannot be held', async () => {
  const held: string[] = [];
  let [running, most] = [0, 0];
  const hold = async (name: string): Promise<() => void> => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    if (name === 'd') throw new Error('no d');
    held.push(name);
    return () => void held.splice(held.indexOf(name), 1);
  };
  const release = await holdAll(['a', 'b', 'c'], hold, 2);
  expect([held, most]).toEqual([['a', 'b', 'c'], 2]);
  release();
  await expect(holdAll(['a', 'c', 'd', 'e'], hold, 3)).rejects.toThrow('no d');
  expect(held).toEqual([]);
});

test('others get their turn while many that are there already are acquired', async () => {
  let [turns, isOver] = [0, false];
  const take = (): void => {
    turns += 1;
    if (!isOver) setImmediate(take);
  };
  setImmediate(take);
  const release = await holdAll(Array(200_000).keys(), async () => () => undefined, 64);
  isOver = true;
  release();
  expect(turns).toBeGreaterThan(3);
});
