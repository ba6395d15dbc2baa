import { findFunction } from './find-function.ts';
import { adviceOfSql, SQL_ADVICE } from './sql-advice.ts';

const CALLED = /\b([A-Z][A-Z_0-9]+)\(/g;
/** Constructs that look like calls but are not functions. */
const FORMS = ['CAST', 'TRY_CAST', 'EXTRACT', 'READ', 'READ_CSV', 'READ_JSON', 'READ_PARQUET'];

test('a function of other systems that has advice is none here', () => {
  expect(SQL_ADVICE.flatMap(([name]) => (findFunction(name) === undefined ? [] : [name]))).toEqual([]);
});

test('advice names functions that there are', () => {
  const named = SQL_ADVICE.flatMap(([, advice]) => [...advice.matchAll(CALLED)].map(([, name]) => name ?? ''));
  expect(new Set(named).size).toBeGreaterThan(20);
  expect(named.filter((name) => findFunction(name) === undefined && !FORMS.includes(name))).toEqual([]);
});

test('advice is found in any case', () => {
  expect([adviceOfSql('dateAdd'), adviceOfSql('UPPER'), adviceOfSql('constructor')]).toEqual([
    'write t + interval "30 days"',
    undefined,
    undefined,
  ]);
});
