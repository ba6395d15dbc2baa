import type { Plan, Select } from '@svc/query-language';

import { somePart } from '../analysis/variables.ts';
import { planOf } from '../testing/check-text.ts';
import { environmentOf } from '../testing/lower-over-tables.ts';
import { connectSources } from './connect-sources.ts';

const row = 'record(id: int, k: int, s: string)';
const environment = environmentOf(Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, { type: row, sql: '' }])));

/** Returns the outermost SELECT over three sources or more: the names of their tables, each with its join if that is no cross join. */
function orderOf(text: string): string {
  let found: Select | null = null;
  somePart(connectSources(planOf(text, environment)), (part) => {
    if (found === null && part.kind === 'Select' && part.sources.length > 2) found = part;
    return found !== null;
  });
  const { sources } = found ?? { sources: [] as Select['sources'] };
  const nameOf = (plan: Plan): string => (plan.kind === 'TableScan' ? plan.table : plan.kind);
  return sources.map(({ collection, join }) => `${nameOf(collection)}${join === 'cross' ? '' : ` ${join}`}`).join(', ');
}

test.each([
  ['FROM a, b, c WHERE a.id = c.id AND b.id = c.k', 'a, c, b'],
  ['FROM a, b, c, d WHERE c.id = d.id AND d.k = a.k AND b.id = c.k', 'a, d, c, b'],
  ['FROM a CROSS JOIN b JOIN c ON a.id = c.id AND b.id = c.k', 'a, c, b'],
  ['FROM a, b, c WHERE a.s > "x" AND a.id = c.id AND b.id = c.k AND a.id + 1 > 0', 'a, c, b'],
  ['FROM a, b, c, d WHERE a.id = d.id', 'a, d, b, c'],
])('%s is joined in the order %s', (from, order) => {
  expect(orderOf(`SELECT a.s ${from}`)).toBe(order);
  expect(orderOf(`SELECT a.s, COUNT(*) AS n ${from} GROUP BY a.s`)).toBe(order);
});

test.each([
  ['each is connected to those before it', 'FROM a, b, c WHERE a.id = b.id AND b.id = c.k', 'a, b, c'],
  ['nothing connects them', 'FROM a, b, c WHERE a.id < c.id', 'a, b, c'],
  ['an equality needs a source that is not there yet', 'FROM a, b, c WHERE a.id + b.id = c.id', 'a, b, c'],
  ['an outer join keeps rows', 'FROM a CROSS JOIN b LEFT JOIN c ON a.id = c.id AND b.id = c.k', 'a, b, c left'],
  ['a condition of a join can fail', 'FROM a CROSS JOIN b JOIN c ON a.id = c.id AND 1 / b.id = c.k', 'a, b, c inner'],
  ['a source depends on another', 'FROM a, b, [a.id] c WHERE a.id = c', 'a, b, CollectionLiteral'],
])('sources stay as they are where %s', (_, from, order) => {
  expect(orderOf(`SELECT a.s ${from}`)).toBe(order);
});

test('a query within a row keeps its order', () => {
  expect(orderOf('SELECT (SELECT a.s FROM a, b, c WHERE a.id = c.id AND b.id = c.k AND a.k = d.k) AS l FROM d')).toBe('a, b, c');
});
