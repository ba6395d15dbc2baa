import { findFunction, FUNCTIONS } from './find-function.ts';
import { functionOfSql, SQL_NAMES } from './sql-names.ts';

test('names of other dialects are no functions here, and lead to one', () => {
  expect(SQL_NAMES.filter((name) => findFunction(name) !== undefined)).toEqual([]);
  expect(SQL_NAMES.filter((name) => findFunction(functionOfSql(name) ?? '') === undefined)).toEqual([]);
});

test('they are found in any case', () => {
  expect([functionOfSql('instr'), functionOfSql('Group_Concat'), functionOfSql('SUBSTRING'), functionOfSql('constructor')]).toEqual([
    'CHARINDEX',
    'STRING_AGG',
    undefined,
    undefined,
  ]);
});

test('another name for a function is no function of its own, and finds it in any case', () => {
  const names = FUNCTIONS.flatMap(({ name, aliases }) => [name, ...aliases]);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  expect(findFunction('substr')?.name).toBe('SUBSTRING');
});
