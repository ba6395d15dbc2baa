import { printPlan } from '@svc/query-language';

import { planOf } from '../testing/check-text.ts';
import { environmentOf } from '../testing/lower-over-tables.ts';
import { extractAggregates } from './extract-aggregates.ts';

const environment = environmentOf({ t: { type: 'record(a: int, b: int, l: collection(int))', sql: '' } });

test.each([
  ['SELECT a, SUM(b) FROM t GROUP BY a', ['SUM'], []],
  ['SELECT a, SUM(b), SUM(b) + 1, MAX(b) FROM t GROUP BY a', ['SUM', 'MAX'], []],
  ['SELECT a FROM t GROUP BY a HAVING COUNT(*) > 1 ORDER BY MIN(b)', ['COUNT', 'MIN'], []],
  ['SELECT a, SUM(b + 1), SUM(b) FROM t GROUP BY a', ['SUM', 'SUM'], []],
  ['SELECT a, (SELECT k, COUNT(*) FROM * AS r GROUP BY r.b AS k) FROM t GROUP BY a', ['COLLECT'], ['COUNT']],
  ['SELECT a, (SELECT SUM(x) FROM l x) AS s, MAX(b) AS m FROM t GROUP BY a, l', ['MAX'], ['SUM']],
])('of %s each aggregate is extracted once: %j, and those of nested queries stay: %j', (text, extracted, left) => {
  const plan = planOf(text, environment);
  if (plan.kind !== 'Select') throw new Error('a SELECT was expected');
  let last = 0;
  const { aggregates, replace } = extractAggregates(plan, () => (last -= 1));
  expect(aggregates.map(({ aggregate, id }) => [aggregate.function, id])).toEqual(extracted.map((name, i) => [name, -1 - i]));
  const parts = [plan.item, ...(plan.having === null ? [] : [plan.having]), ...plan.orderBy.map((key) => key.value)];
  const rest = parts.map((part) => printPlan(replace(part))).join('\n');
  expect([...rest.matchAll(/Aggregate function="(\w+)"/g)].map(([, name]) => name)).toEqual(left);
  expect(aggregates.filter(({ id }) => !rest.includes(`Variable id=${id} `))).toEqual([]);
});
