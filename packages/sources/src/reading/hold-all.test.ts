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
