import { printPlan } from '@svc/query-language';

import { planOf } from '../testing/check-text.ts';
import { environmentOf } from '../testing/lower-over-tables.ts';
import { joinByWhere } from './join-by-where.ts';

const environment = environmentOf({
  t: { type: 'record(a: int, b: collection(int))', sql: '' },
  u: { type: 'record(a: int)', sql: '' },
  v: { type: 'record(a: int)', sql: '' },
});
const rewritten = (text: string): string => printPlan(joinByWhere(planOf(text, environment)));
const asWritten = (text: string): string => printPlan(planOf(text, environment));
/** Without the places in the text. */
const bare = (printed: string): string => printed.replaceAll(/ ?@?\d+[-–]\d+/g, '');

test('an equality that can fail at the beginning of WHERE is the condition of the join', () => {
  expect(bare(rewritten('SELECT 1 FROM t, u WHERE t.a = u.a + 1'))).toBe(bare(asWritten('SELECT 1 FROM t JOIN u ON t.a = u.a + 1')));
  expect(bare(rewritten('SELECT 1 FROM t, u, v WHERE t.a + u.a = v.a AND t.a > 1'))).toBe(
    bare(asWritten('SELECT 1 FROM t, u JOIN v ON t.a + u.a = v.a WHERE t.a > 1')),
  );
});

test.each([
  ['an equality that cannot fail, which the engine moves', 'SELECT 1 FROM t, u WHERE t.a = u.a'],
  ['an equality behind another condition, which guards it', 'SELECT 1 FROM t, u WHERE t.a > 0 AND t.a = u.a + 1'],
  ['another comparison', 'SELECT 1 FROM t, u WHERE t.a < u.a + 1'],
  ['an equality of both sources with one', 'SELECT 1 FROM t, u WHERE t.a + u.a = u.a'],
  ['an equality of earlier sources', 'SELECT 1 FROM t, u, v WHERE t.a = u.a + 1'],
  ['an equality with a constant', 'SELECT 1 FROM t, u WHERE u.a + 1 = 2'],
  ['an equality with the elements of an earlier source', 'SELECT 1 FROM t, t.b x WHERE t.a = x + 1'],
  ['an equality beside an outer join', 'SELECT 1 FROM t LEFT JOIN u ON t.a = u.a, v WHERE t.a = v.a + 1'],
  ['an equality after a condition of the join', 'SELECT 1 FROM t JOIN u ON t.a < u.a WHERE t.a = u.a + 1'],
])('%s stays where it is', (_, text) => {
  expect(rewritten(text)).toBe(asWritten(text));
});
