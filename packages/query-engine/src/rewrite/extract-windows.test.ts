import { printPlan } from '@svc/query-language';

import { planOf } from '../testing/check-text.ts';
import { environmentOf } from '../testing/lower-over-tables.ts';
import { extractWindows } from './extract-windows.ts';

const environment = environmentOf({ t: { type: 'record(a: int, b: int, l: collection(int))', sql: '' } });

test.each([
  ['SELECT a, SUM(b) OVER () AS s FROM t', ['SUM'], []],
  ['SELECT SUM(b) OVER () AS s, SUM(b) OVER () + 1 AS n FROM t ORDER BY ROW_NUMBER() OVER ()', ['SUM', 'ROW_NUMBER'], []],
  ['SELECT SUM(b) OVER () AS s, SUM(b) OVER (PARTITION BY a) AS n FROM t', ['SUM', 'SUM'], []],
  ['SELECT a, (SELECT SUM(x) OVER () FROM t.l x) FROM t', [], ['SUM']],
])('of %s each window call is extracted once: %j, and those of nested queries stay: %j', (text, extracted, left) => {
  const plan = planOf(text, environment);
  if (plan.kind !== 'Select') throw new Error('a SELECT was expected');
  let last = 0;
  const { calls, item, orderBy } = extractWindows(plan, () => (last -= 1));
  expect(calls.map(({ call, id }) => [call.function, id])).toEqual(extracted.map((name, i) => [name, -1 - i]));
  const rest = [item, ...orderBy.map((key) => key.value)].map((part) => printPlan(part)).join('\n');
  expect([...rest.matchAll(/WindowCall function="(\w+)"/g)].map(([, name]) => name)).toEqual(left);
  expect(calls.filter(({ id }) => !rest.includes(`Variable id=${id} `))).toEqual([]);
});
