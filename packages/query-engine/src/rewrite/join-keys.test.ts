import { printPlan } from '@svc/query-language';

import { planOf } from '../testing/check-text.ts';
import { environmentOf } from '../testing/lower-over-tables.ts';
import { prepareJoinKeys } from './join-keys.ts';

const environment = environmentOf({
  t: { type: 'record(a: int, b: collection(int))', sql: '' },
  u: { type: 'record(a: int)', sql: '' },
  v: { type: 'record(a: int)', sql: '' },
});
const rewritten = (text: string): string => printPlan(prepareJoinKeys(planOf(text, environment)));
const asWritten = (text: string): string => printPlan(planOf(text, environment));
/** Without the places in the text. */
const bare = (printed: string): string => printed.replaceAll(/ ?@?\d+[-–]\d+/g, '');

test.each([
  ['SELECT 1 FROM t, u WHERE t.a = u.a + 1', 'SELECT 1 FROM t JOIN u ON t.a = u.a + 1'],
  ['SELECT 1 FROM t, u, v WHERE t.a + u.a = v.a AND t.a > 1', 'SELECT 1 FROM t, u JOIN v ON t.a + u.a = v.a AND t.a > 1'],
  ['SELECT 1 FROM t, u, v WHERE t.a = u.a + 1 AND v.a > 1', 'SELECT 1 FROM t JOIN u ON t.a = u.a + 1, v WHERE v.a > 1'],
  ['SELECT 1 FROM t, u WHERE t.a > u.a AND t.a < u.a + 5', 'SELECT 1 FROM t JOIN u ON t.a < u.a + 5 AND t.a > u.a'],
  ['SELECT 1 FROM t, u WHERE t.a > u.a - 1 AND t.a < u.a + 5', 'SELECT 1 FROM t JOIN u ON t.a > u.a - 1 AND t.a < u.a + 5'],
  [
    'SELECT 1 FROM t, u, v WHERE t.a = u.a + 1 AND u.a <> v.a + 2 AND v.a = t.a + 3',
    'SELECT 1 FROM t JOIN u ON t.a = u.a + 1, v WHERE u.a <> v.a + 2 AND v.a = t.a + 3',
  ],
  ['SELECT 1 FROM t, u, v WHERE t.a = u.a + 1 AND v.a = t.a + 3', 'SELECT 1 FROM t JOIN u ON t.a = u.a + 1 JOIN v ON v.a = t.a + 3'],
])('an equality that can fail is the condition of the join: %s', (text, expected) => {
  expect(bare(rewritten(text))).toBe(bare(asWritten(expected)));
});

test.each([
  ['SELECT 1 FROM t, u WHERE t.a > 0 AND t.a = u.a + 1', 'SELECT 1 FROM t JOIN u ON t.a = u.a + 1 AND t.a > 0'],
  [
    'SELECT 1 FROM t JOIN u ON t.a > 0 AND u.a > 2 AND t.a + 1 = u.a',
    'SELECT 1 FROM t JOIN u ON CASE WHEN t.a > 0 THEN t.a + 1 END = u.a AND t.a > 0 AND u.a > 2',
  ],
  [
    'SELECT 1 FROM t LEFT JOIN u ON t.a = u.a AND t.a > 0 AND u.a > 2',
    'SELECT 1 FROM t LEFT JOIN u ON CASE WHEN t.a > 0 THEN t.a END = u.a AND u.a > 2',
  ],
  [
    'SELECT 1 FROM t RIGHT JOIN u ON t.a = u.a AND t.a > 0 AND u.a > 2',
    'SELECT 1 FROM t RIGHT JOIN u ON t.a = CASE WHEN u.a > 2 THEN u.a END AND t.a > 0',
  ],
  [
    'SELECT 1 FROM t FULL JOIN u ON t.a > 0 AND u.a > 2 AND t.a = u.a',
    'SELECT 1 FROM t FULL JOIN u ON CASE WHEN t.a > 0 THEN t.a END = CASE WHEN u.a > 2 THEN u.a END',
  ],
  [
    'SELECT (SELECT u.a FROM u WHERE t.a > 0 AND u.a > 2 AND u.a = t.a + 1) AS l FROM t',
    'SELECT (SELECT u.a FROM u WHERE u.a = CASE WHEN t.a > 0 THEN t.a + 1 END AND t.a > 0 AND u.a > 2) AS l FROM t',
  ],
])('conditions guard the sides of a key: %s', (text, expected) => {
  expect(bare(rewritten(text))).toBe(bare(asWritten(expected)));
});

test.each([
  ['an equality that cannot fail, which the engine moves', 'SELECT 1 FROM t, u WHERE t.a = u.a'],
  ['an equality behind a condition of a later source', 'SELECT 1 FROM t, u, v WHERE v.a > 1 AND t.a = u.a + 1'],
  ['an equality behind a query', 'SELECT 1 FROM t, u WHERE EXISTS (SELECT 1 FROM v WHERE v.a = t.a) AND t.a = u.a + 1'],
  ['a comparison behind a condition of chance', 'SELECT 1 FROM t, u WHERE RANDOM() < 0.5 AND t.a = u.a + 1'],
  ['a comparison with chance', 'SELECT 1 FROM t, u WHERE t.a < u.a + RANDOM()'],
  ['a condition of chance, of the rows that are kept', 'SELECT 1 FROM t LEFT JOIN u ON t.a = u.a AND t.a > RANDOM()'],
  ['another comparison', 'SELECT 1 FROM t, u WHERE t.a <> u.a + 1'],
  ['an equality of both sources with one', 'SELECT 1 FROM t, u WHERE t.a + u.a = u.a'],
  ['an equality with a constant', 'SELECT 1 FROM t, u WHERE u.a + 1 = 2'],
  ['an equality with the elements of an earlier source', 'SELECT 1 FROM t, t.b x WHERE t.a = x + 1'],
  ['an equality beside an outer join', 'SELECT 1 FROM t LEFT JOIN u ON t.a = u.a, v WHERE t.a = v.a + 1'],
  ['an equality before the condition of a later join', 'SELECT 1 FROM t, u JOIN v ON t.a < v.a WHERE t.a = u.a + 1'],
  ['an equality after a condition of the join', 'SELECT 1 FROM t JOIN u ON t.a < u.a WHERE t.a = u.a + 1'],
  ['an outer join by no key', 'SELECT 1 FROM t LEFT JOIN u ON t.a <> u.a AND t.a > 0'],
  ['a condition that can fail, of the rows that are kept', 'SELECT 1 FROM t LEFT JOIN u ON t.a = u.a AND t.a + 1 > 0'],
])('%s stays where it is', (_, text) => {
  expect(rewritten(text)).toBe(asWritten(text));
});
