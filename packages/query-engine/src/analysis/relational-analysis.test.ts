import type { Plan, Select } from '@svc/query-language';

import { planOf } from '../testing/check-text.ts';
import { environmentOf } from '../testing/lower-over-tables.ts';
import { hasWindows, isGuardable, isRelational, keepsRight, needsSubquery } from './relational-analysis.ts';
import type { ScopeVariables } from './scope-bindings.ts';

const environment = environmentOf({ t: { type: 'record(a: int, l: collection(int))', sql: '' } });
const NONE: ScopeVariables = new Map();

/** Returns the SELECT of a program. */
function selectOf(text: string): Select {
  const plan = planOf(text, environment);
  if (plan.kind !== 'Select') throw new Error('a SELECT was expected');
  return plan;
}

/** Returns the query in the item of a program's SELECT. */
function itemOf(text: string): Plan {
  const { item } = selectOf(text);
  return item.kind === 'RecordLiteral' ? (item.values[0] ?? item) : item;
}

test.each([
  ['t', true],
  ['SELECT a FROM t', true],
  ['SELECT x FROM [1, 2] x', false],
  ['[1, 2]', false],
  ['TAKE([1, 2], 2)', false],
  ['REVERSE(SELECT a FROM t)', false],
  ['t UNION ALL t', true],
  ['IF LEN("a") = 1 THEN t ELSE []', true],
  ['SELECT SUM(a) FROM t', false],
])('%s is a relation: %s', (text, expected) => {
  expect(isRelational(planOf(text, environment), NONE)).toBe(expected);
});

test.each([
  ['over one collection', '(SELECT x + 1 FROM t.l x)', false],
  ['over a relation', '(SELECT u.a FROM t u)', true],
  ['with a join', '(SELECT x FROM t.l x, [1, 2] y)', true],
  ['with groups', '(SELECT x FROM t.l x GROUP BY x)', true],
  ['with windows', '(SELECT ROW_NUMBER() OVER () FROM t.l x)', true],
  ['over one with windows', '(SELECT n FROM (SELECT ROW_NUMBER() OVER () AS n FROM t.l x) y)', true],
  ['over an aggregate query of one collection', '(SELECT n FROM (SELECT COUNT(*) AS n FROM t.l x) y)', false],
  ['with a correlated query that joins', '(SELECT (SELECT y FROM [x] y, [1] z) FROM t.l x)', true],
])('a nested query %s needs a subquery: %s', (_, query, expected) => {
  expect(needsSubquery(itemOf(`SELECT ${query} FROM t`), NONE)).toBe(expected);
});

test('a variable of rows is a relation', () => {
  const { type, span } = planOf('SELECT a FROM t', environment);
  const use: Plan = { kind: 'Variable', type, span, id: 9 };
  expect(isRelational(use, new Map([[9, { kind: 'relation' }]]))).toBe(true);
  expect(isRelational(use, new Map([[9, { kind: 'column' }]]))).toBe(false);
});

test('windows, right sides and guards are found', () => {
  expect(hasWindows(selectOf('SELECT a, SUM(a) OVER () FROM t'))).toBe(true);
  expect(hasWindows(selectOf('SELECT a, (SELECT SUM(x) OVER () FROM t.l x) FROM t'))).toBe(false);
  expect(keepsRight(selectOf('SELECT u.a FROM t RIGHT JOIN t u ON u.a = t.a'))).toBe(true);
  expect(keepsRight(selectOf('SELECT u.a FROM t LEFT JOIN t u ON u.a = t.a'))).toBe(false);
  expect(isGuardable(planOf('SELECT x FROM [1] x', environment), { variables: NONE })).toBe(true);
  expect(isGuardable(planOf('SELECT a FROM t', environment), { variables: NONE })).toBe(false);
});
