import { isRepeatable, isSameSql, usesColumn, withoutRepeats } from './inspect-sql.ts';
import {
  castTo,
  columnRef,
  joinSql,
  located,
  memberOf,
  NULL,
  numberLiteral,
  SQL,
  textLiteral,
  TRUE,
  type Sql,
  variableRef,
} from './sql.ts';

const c = columnRef('c1');

describe('isRepeatable', () => {
  it.each<[string, Sql, boolean]>([
    ['a column', c, true],
    ["a lambda's variable", variableRef('x'), true],
    ['a member of a variable', memberOf(variableRef('x'), 'v'), true],
    ['a member of a call', memberOf(SQL`f(${c})`, 'v'), false],
    ['a short text', textLiteral('a'.repeat(40)), true],
    ['a long text', textLiteral('a'.repeat(41)), false],
    ['a number', numberLiteral('9'.repeat(20)), true],
    ['a long number', numberLiteral('9'.repeat(21)), false],
    ['NULL', NULL, true],
    ['TRUE', TRUE, true],
    ['a cast of a constant', castTo(textLiteral('1.5'), 'DECIMAL(38,18)'), true],
    ['a cast to a struct', castTo(NULL, 'STRUCT(a INTEGER)'), false],
    ['a cast of a column', castTo(c, 'INTEGER'), false],
    ['a call', SQL`f(${c})`, false],
    ['finished SQL', SQL`random()`, false],
    ['a list', joinSql([c]), false],
  ])('of %s', (_, sql, expected) => {
    expect(isRepeatable(sql)).toBe(expected);
  });
});

describe('isSameSql', () => {
  const span = { start: 0, end: 1 };
  const make = (name: string): Sql =>
    SQL`f(${columnRef(name)}, ${joinSql([castTo(textLiteral('a'), 'JSON'), located(memberOf(variableRef('x'), 'v'), span)])})`;

  it('compares trees that were built apart', () => {
    expect(isSameSql(make('a'), make('a'))).toBe(true);
  });
  it.each<[string, Sql, Sql]>([
    ['names', make('a'), make('b')],
    ['kinds', columnRef('x'), variableRef('x')],
    ['texts', textLiteral('a'), textLiteral('b')],
    ['types', castTo(c, 'DATE'), castTo(c, 'TIME')],
    ['separators', joinSql([c, c], ' + '), joinSql([c, c], ' - ')],
    ['templates', SQL`f(${c})`, SQL`g(${c})`],
    ['members', memberOf(c, 'a'), memberOf(c, 'b')],
  ])('finds different %s', (_, a, b) => {
    expect(isSameSql(a, b)).toBe(false);
  });
});

test('withoutRepeats keeps the first of each', () => {
  expect(withoutRepeats([c, NULL, columnRef('c1'), NULL, columnRef('c2')])).toEqual([c, NULL, columnRef('c2')]);
});

describe('usesColumn', () => {
  it.each<[string, Sql]>([
    ['a template', SQL`f(${c})`],
    ['a cast', castTo(c, 'DATE')],
    ['a member', memberOf(c, 'v')],
    ['a list', joinSql([NULL, c])],
    ['located SQL', located(c, { start: 0, end: 1 })],
  ])('looks into %s', (_, sql) => {
    expect(usesColumn(sql, new Set(['c1']))).toBe(true);
    expect(usesColumn(sql, new Set(['c2']))).toBe(false);
  });
  it('takes no text or variable for a column', () => {
    expect(usesColumn(SQL`f(${textLiteral('c1')}, ${variableRef('c1')})`, new Set(['c1']))).toBe(false);
  });
});
