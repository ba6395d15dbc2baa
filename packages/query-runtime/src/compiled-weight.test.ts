import { weightOfPackage, weightOfQuery } from './compiled-weight.ts';

const small = { source: { text: 'v' }, runnable: { lowered: { sql: 'SELECT 1' } }, sources: [] };

test('a small query weighs about a kilobyte', () => {
  expect(weightOfQuery(small, 'key')).toBeLessThan(1200);
});

test('a short text weighs as the plan of the view that it names', () => {
  expect(weightOfQuery({ ...small, runnable: { lowered: { sql: 'x'.repeat(600_000) } } }, 'key')).toBeGreaterThan(6_000_000);
});

test.each([
  ['a query', (identity: string) => weightOfQuery({ ...small, sources: [{ identity }, { identity: null }] }, 'key')],
  ['a package', (identity: string) => weightOfPackage({ sources: [{ identity }] }, 'key')],
])('%s weighs as the files that it reads', (_, weigh) => {
  expect(weigh('/a/file.csv|1|2|3'.repeat(100_000))).toBeGreaterThan(6_000_000);
});

test('a package weighs as its text', () => {
  expect(weightOfPackage({ sources: [] }, 'x'.repeat(600_000))).toBeGreaterThan(12_000_000);
});
