import { checkText } from '../testing/plain-environment.ts';

/** A query sorted by a query, that one by another, and so on; each also by a field that is no item. */
function sortedByQueries(depth: number): string {
  const own = 't.b';
  const value = depth === 0 ? own : `LEN(${sortedByQueries(depth - 1)}) + ${own}`;
  return `SELECT DISTINCT t.a AS v FROM t ORDER BY ${value}`;
}

test('what ORDER BY with DISTINCT refuses takes no time that doubles with each query within', () => {
  const { diagnostics } = checkText(sortedByQueries(20), { tables: { t: 'collection(record(a: int, b: int))' } });
  expect(diagnostics.map(({ code }) => code)).toEqual(['not-an-item']); // and not that the program has too many parts
});
