import { checkText } from '../check/testing/plain-environment.ts';
import { isCount, isFallible } from './fallibility.ts';
import type { Plan } from './plan.ts';

function planOf(text: string): Plan {
  const { plan } = checkText(text, { tables: { t: 'collection(record(a: int, s: string))' } });
  if (plan === null) throw new Error(text);
  return plan;
}

test.each([
  ['a number that is added', 'SELECT a + 1 FROM t', true],
  ['doubles that are added', 'SELECT CAST(a AS DOUBLE) + 1.5 FROM t', false],
  ['texts that are joined', 'SELECT s || s FROM t', false],
  ['a cast to text', 'SELECT CAST(a AS STRING) FROM t', false],
  ['a cast of text', 'SELECT CAST(s AS INT) FROM t', true],
  ['a TRY_CAST of text', 'SELECT TRY_CAST(s AS INT) FROM t', false],
  ['a search for a short text', 'SELECT CONTAINS(s, "x") FROM t', false],
  ['a search for any text', 'SELECT CONTAINS(s, s) FROM t', true],
  ['a search for a long text', `SELECT CHARINDEX("${'x'.repeat(401)}", s) FROM t`, true],
  ['a search for an element', 'SELECT CONTAINS([s], s) FROM t', false],
  ['a constant replacement of a regex', 'SELECT REPLACE(s, r"(a)", "$1") FROM t', false],
  ['a computed replacement of a regex', 'SELECT REPLACE(s, r"(a)", s) FROM t', true],
  ['a pattern with an escape', 'SELECT s LIKE "a" ESCAPE "$" FROM t', true],
  ['a sum', 'SELECT SUM(a) FROM t', true],
  ['a greatest value', 'SELECT MAX(a) FROM t', false],
  ['a constant bound', 'SELECT a FROM t LIMIT 3', false],
  ['a computed bound', 'SELECT a FROM t LIMIT LEN("abc")', true],
])('of %s, the fallibility is known', (_, text, expected) => {
  expect(isFallible(planOf(text))).toBe(expected);
});

test.each([
  ['0', true],
  ['3', true],
  ['-1', false],
])('LIMIT %s is a count: %s', (value, expected) => {
  const plan = planOf(`SELECT a FROM t LIMIT ${value}`);
  if (plan.kind !== 'Select' || plan.limit === null) throw new Error('a bound was expected');
  expect(isCount(plan.limit)).toBe(expected);
});
