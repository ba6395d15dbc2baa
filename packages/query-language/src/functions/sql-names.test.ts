import { findFunction } from './find-function.ts';
import { functionOfSql, SQL_NAMES } from './sql-names.ts';

test('names of other dialects are no functions here, and lead to one', () => {
  expect(SQL_NAMES.filter((name) => findFunction(name) !== undefined)).toEqual([]);
  expect(SQL_NAMES.filter((name) => findFunction(functionOfSql(name) ?? '') === undefined)).toEqual([]);
});

test('they are found in any case', () => {
  expect([functionOfSql('substr'), functionOfSql('Array_Agg'), functionOfSql('SUBSTRING'), functionOfSql('constructor')]).toEqual([
    'SUBSTRING',
    'COLLECT',
    undefined,
    undefined,
  ]);
});
