import { uniqueNames } from './unique-names.ts';

test.each([
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  [
    ['a', 'a', 'a'],
    ['a', 'a_2', 'a_3'],
  ],
  [
    ['a', 'a_2', 'a'],
    ['a', 'a_2', 'a_3'],
  ],
  [
    ['', '', '_1'],
    ['_1', '_2', '_1_2'],
  ],
  [
    ['constructor', '__proto__', '__proto__'],
    ['constructor', '__proto__', '__proto___2'],
  ],
])('%j become %j', (cells, names) => {
  expect(uniqueNames(cells)).toEqual(names);
});

test('100,000 columns of one name take no long', () => {
  const names = uniqueNames(new Array<string>(100_000).fill('a'));
  expect(names.at(-1)).toBe('a_100000');
});
