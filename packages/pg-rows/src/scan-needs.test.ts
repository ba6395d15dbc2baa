import { assertNever, checkProgram, parseProgram, parseType } from '@svc/query-language';

import type { ScanCondition } from './scan-condition.ts';
import { scanNeeds } from './scan-needs.ts';
import type { ScanTop } from './row-needs.ts';

const ROW =
  'collection(record(id: int, name: string nullable, born: date, price: decimal, size: double, tags: collection(string), ok: bool))';

/** Returns a query's needs of the table t as text: fields, conditions, limit. */
function needsOf(text: string): readonly string[] {
  const parsed = parseType(ROW);
  const { tree } = parseProgram(text);
  if ('diagnostics' in parsed || tree === null) throw new Error(text);
  const { plan, diagnostics } = checkProgram(
    tree,
    {
      findRead: () => undefined,
      findName: ({ name }) =>
        ['t', 'u', 'v'].includes(name) ? { kind: 'table', name, type: parsed.type } : { kind: 'nothing', candidates: [] },
      findPackage: () => ({ kind: 'nothing', candidates: [] }),
      inferText: () => ({ problem: 'no text is looked at here' }),
    },
    { arguments: new Map() },
  );
  if (plan === null) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  return scanNeeds(plan, (node) => (node.kind === 'TableScan' ? { source: node.table, type: parsed.type } : null)).map(
    ({ source, fields, conditions, limit, top }) =>
      `${source} (${fields?.join(' ') ?? 'all'})${conditions.map((condition) => ` ${printed(condition)}`).join('')}${limit === null ? '' : ` limit ${limit}`}${top === null ? '' : ` top ${printedTop(top)}`}`,
  );
}

function printedTop({ rows, order }: ScanTop): string {
  return [
    rows,
    ...order.map(({ field, isDescending, areNullsFirst }) => `${field}${isDescending ? '-' : '+'}${areNullsFirst ? '^' : ''}`),
  ].join(' ');
}

function printed(condition: ScanCondition): string {
  switch (condition.kind) {
    case 'compare':
      return `[${condition.field} ${condition.operator} ${condition.value}]`;
    case 'in':
      return `[${condition.field} in ${condition.values.join(' ')}]`;
    case 'any':
      return `(${condition.alternatives.map((alternative) => alternative.map(printed).join('')).join(' or ')})`;
    case 'null':
      return `[${condition.field} is ${condition.isNull ? '' : 'not '}null]`;
    default:
      return assertNever(condition);
  }
}

test.each([
  ['SELECT id FROM t', ['t (0)']],
  ['t', ['t (all)']],
  ['SELECT * FROM t', ['t (all)']],
  ['COUNT(t)', ['t (all)']],
  ['SELECT COUNT(*) AS n FROM t', ['t ()']],
  ['SELECT name, COUNT(*) AS n FROM t WHERE id > 3 GROUP BY name', ['t (0 1) [0 > 3]']],
  ['SELECT id FROM t WHERE 3 <= id AND name = "a\'b" LIMIT 10', [`t (0 1) [0 >= 3] [1 = 'a''b'] limit 10`]],
  [
    'SELECT id FROM t WHERE name IS NULL AND born < DATE "2024-01-01" LIMIT 2 OFFSET 3',
    [`t (0 1 2) [1 is null] [2 < date '2024-01-01'] limit 5`],
  ],
  ['SELECT id FROM t WHERE id IN [1, 2] AND name IS NOT NULL', ['t (0 1) [0 in 1 2] [1 is not null]']],
  // PostgreSQL writes years before 1 in another way, and its years end earlier.
  ['SELECT id FROM t WHERE born = DATE "-0043-03-15"', ['t (0 2)']],
  ['SELECT id FROM t WHERE born IN [DATE "0000-12-31", DATE "2024-01-01"]', ['t (0 2)']],
  ['SELECT id FROM t WHERE born < DATE "9999-12-31" AND born < DATE "10000-01-01"', [`t (0 2) [2 < date '9999-12-31']`]],
  // A condition that only the engine evaluates leaves the others, and no limit; one that may fail also ends them.
  ['SELECT id FROM t WHERE LENGTH(name) > 2 AND id = 1', ['t (0 1) [0 = 1]']],
  ['SELECT id FROM t WHERE CAST(name AS int) > 2 AND id = 1', ['t (0 1)']],
  ['SELECT id FROM t WHERE id = 1 AND LENGTH(name) > 2 LIMIT 1', ['t (0 1) [0 = 1]']],
  // Texts with a beginning are a range of code points.
  ['SELECT id FROM t WHERE name LIKE "ab%" LIMIT 3', [`t (0 1) [1 >= 'ab'] [1 < 'ac'] limit 3`]],
  ['SELECT id FROM t WHERE STARTS_WITH(name, "it\'s") AND id < 9 LIMIT 3', [`t (0 1) [1 >= 'it''s'] [1 < 'it''t'] [0 < 9] limit 3`]],
  ['SELECT id FROM t WHERE name LIKE "ab_d%" LIMIT 3', [`t (0 1) [1 >= 'ab'] [1 < 'ac']`]],
  ['SELECT id FROM t WHERE name LIKE "ab" LIMIT 3', [`t (0 1) [1 = 'ab'] limit 3`]],
  ['SELECT id FROM t WHERE name LIKE "%ab" OR name = "x"', ['t (0 1)']],
  [
    'SELECT id FROM t WHERE (name LIKE "é%" OR name LIKE "a\u{10FFFF}%") AND id > 1',
    [`t (0 1) ([1 >= 'é'][1 < 'ê'] or [1 >= 'a\u{10FFFF}'][1 < 'b']) [0 > 1]`],
  ],
  [
    'SELECT id FROM t WHERE name LIKE "\uD7FF%" AND name LIKE "\u{10FFFF}%"',
    [`t (0 1) [1 >= '\uD7FF'] [1 < '\uE000'] [1 >= '\u{10FFFF}']`],
  ],
  ['SELECT id FROM t WHERE name ILIKE "ab%" AND name LIKE "a!%b%" ESCAPE "!" AND NOT name LIKE "ab%"', ['t (0 1)']],
  ['SELECT id FROM t WHERE id = 1 OR id = 2', ['t (0) ([0 = 1] or [0 = 2])']],
  [
    'SELECT id FROM t WHERE (id = 1 OR name = "a" AND price > 2) AND ok LIMIT 2',
    [`t (0 1 3 6) ([0 = 1] or [1 = 'a'][3 > 2]) [6 = true] limit 2`],
  ],
  ['SELECT id FROM t WHERE (id = 1 OR LENGTH(name) > 2) AND ok LIMIT 2', ['t (0 1 6) [6 = true]']],
  ['SELECT id FROM t WHERE id = 1 OR id = 2 AND LENGTH(name) > 2 LIMIT 2', ['t (0 1) ([0 = 1] or [0 = 2])']],
  ['SELECT id FROM t WHERE (id = 1 OR id = 2 AND CAST(name AS int) > 2) AND ok', ['t (0 1 6) ([0 = 1] or [0 = 2])']],
  ['SELECT id FROM t WHERE size > 1.5', ['t (0 4)']],
  ['SELECT id FROM t WHERE price = 1.5q AND price < 3', ['t (0 3) [3 = 1.5::numeric] [3 < 3]']],
  ['SELECT id FROM t WHERE ok AND NOT ok', ['t (0 6) [6 = true] [6 = false]']],
  // The first rows in an order.
  ['SELECT id FROM t ORDER BY id LIMIT 1', ['t (0) top 1 0+^']],
  ['SELECT * FROM t WHERE ok ORDER BY born DESC, name LIMIT 5 OFFSET 2', ['t (all) [6 = true] top 7 2- 1+^']],
  ['SELECT name AS n, born FROM t ORDER BY n NULLS LAST LIMIT 2', ['t (1 2) top 2 1+']],
  ['SELECT x.born FROM (SELECT name, born FROM t ORDER BY name) x LIMIT 3', ['t (1 2) top 3 1+^']],
  ['SELECT v.b FROM (SELECT born AS b, name FROM t WHERE id = 1) v ORDER BY v.b LIMIT 4', ['t (0 2) [0 = 1] top 4 2+^']],
  ['SELECT * FROM (SELECT id FROM t UNION ALL SELECT id FROM u) x ORDER BY x LIMIT 2', ['t (0) top 2 0+^', 'u (0) top 2 0+^']],
  ['SELECT x FROM (SELECT id FROM t UNION ALL SELECT price FROM u) x ORDER BY x LIMIT 2', ['t (0)', 'u (3) top 2 3+^']],
  ['SELECT id FROM t ORDER BY id + 1 LIMIT 1', ['t (0)']],
  ['SELECT id FROM t ORDER BY size LIMIT 1', ['t (0 4)']],
  ['SELECT id FROM t ORDER BY id, size LIMIT 1', ['t (0 4)']],
  ['SELECT id + 1 AS id FROM t ORDER BY id LIMIT 1', ['t (0)']],
  ['SELECT id FROM t WHERE LENGTH(name) > 2 ORDER BY id LIMIT 1', ['t (0 1)']],
  ['SELECT id, COUNT(*) OVER () AS n FROM t ORDER BY id LIMIT 1', ['t (0)']],
  ['SELECT id FROM t ORDER BY COUNT(*) OVER (PARTITION BY name) LIMIT 1', ['t (0 1)']],
  ['SELECT DISTINCT name FROM t ORDER BY name LIMIT 1', ['t (1)']],
  ['SELECT i, x.id FROM t x AT i ORDER BY x.id LIMIT 1', ['t (0)']],
  ['SELECT v.id FROM (SELECT i, x.id FROM t x AT i) v ORDER BY v.id LIMIT 1', ['t (0)']],
  ['SELECT v.id FROM (SELECT id FROM t LIMIT 5) v ORDER BY v LIMIT 1', ['t (0) limit 5']],
  ['SELECT v.id FROM (SELECT id, name FROM t ORDER BY name LIMIT 5) v ORDER BY v.id LIMIT 1', ['t (0 1) top 5 1+^']],
  ['SELECT v.id FROM (SELECT id, name FROM t ORDER BY name LIMIT 5) v WHERE v.id = 3', ['t (0 1) top 5 1+^']],
  ['SELECT v.id FROM (SELECT id, name FROM t ORDER BY name) v WHERE v.id = 3 LIMIT 2', ['t (0 1) [0 = 3] top 2 1+^']],
  ['SELECT a.id FROM t a JOIN u b ON a.id = b.id ORDER BY a.id LIMIT 1', ['t (0)', 'u (0)']],
  ['SELECT a.id, (SELECT b.name FROM u b WHERE b.id = a.id ORDER BY b.born LIMIT 1) AS n FROM t a', ['t (0)', 'u (0 1 2)']],
  // A limit on grouped or counted rows is not a limit on the rows of the table.
  ['SELECT DISTINCT id FROM t LIMIT 1', ['t (0)']],
  ['SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS n FROM t LIMIT 1', ['t (0)']],
  ['SELECT id FROM t LIMIT LENGTH("abc")', ['t (0)']],
  // Positions count all rows.
  ['SELECT i, x.id FROM t x AT i WHERE x.id = 3', ['t (0)']],
  ['SELECT i, x.id FROM t x AT i LIMIT 3', ['t (0) limit 3']],
  ['SELECT i, x.id FROM t x AT i WHERE x.id = 3 LIMIT 3', ['t (0)']],
  ['SELECT p.id FROM (SELECT i, x.id FROM t x AT i) p WHERE p.id = 3', ['t (0)']],
  ['SELECT p.id FROM (SELECT i, x.id FROM t x AT i) p WHERE p.id = 3 LIMIT 2', ['t (0)']],
  // A row may have several elements, or none.
  ['SELECT a.id, g FROM t a, a.tags g LIMIT 1', ['t (0 5)']],
  // Several uses of one table share its rows, and those of another are its own.
  ['SELECT a.id FROM t a JOIN t b ON a.id = b.id', ['t (0)']],
  ['SELECT a.id FROM t a JOIN t b ON a.born = b.born WHERE a.id = 1 AND b.name = "y"', [`t (0 1 2) ([0 = 1] or [1 = 'y'])`]],
  ['SELECT a.id FROM t a JOIN t b ON a.born = b.born WHERE a.id = 1', ['t (0 2)']],
  ['SELECT a.name FROM t a JOIN u b ON a.id = b.id WHERE a.name = "x"', ["t (0 1) [1 = 'x']", 'u (0)']],
  // Keys of joins are equal: a condition on one is one on the other.
  ['SELECT a.name FROM t a JOIN u b ON a.id = b.id WHERE a.id = 1', ['t (0 1) [0 = 1]', 'u (0) [0 = 1]']],
  ['SELECT a.name FROM t a, u b WHERE b.id = a.id AND b.id IN [1, 2]', ['t (0 1) [0 in 1 2]', 'u (0) [0 in 1 2]']],
  ['SELECT a.name FROM t a JOIN u b ON a.id = b.price WHERE a.id = 1', ['t (0 1) [0 = 1]', 'u (3)']],
  ['SELECT a.name FROM t a JOIN u b ON a.id < b.id WHERE a.id = 1', ['t (0 1) [0 = 1]', 'u (0)']],
  ['SELECT a.name FROM t a, u b LEFT JOIN v c ON a.id = b.id WHERE a.id = 1', ['t (0 1) [0 = 1]', 'u (0)', 'v ()']],
  ['SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.id = t.id AND u.name = "a")', ['t (0)', "u (0 1) [1 = 'a']"]],
  // Conditions and limits are followed into queries, declarations and unions.
  ['SELECT x.a FROM (SELECT id AS a, name FROM t WHERE id = 1) x', ['t (0) [0 = 1]']],
  ['SELECT x.a FROM (SELECT id AS a, name AS b FROM t) x WHERE x.b = "z" LIMIT 5', ["t (0 1) [1 = 'z'] limit 5"]],
  ['SELECT x.a FROM (SELECT id + 1 AS a, name AS b FROM t) x WHERE x.a = 2 LIMIT 5', ['t (0)']],
  ['SELECT * FROM (SELECT * FROM t WHERE name IS NULL) x WHERE x.id = 1', ['t (all) [1 is null] [0 = 1]']],
  ['SELECT x.name FROM (SELECT * FROM t) x', ['t (1)']],
  ['SELECT x.name FROM (SELECT DISTINCT * FROM t) x WHERE x.id = 1 LIMIT 2', ['t (all) [0 = 1]']],
  ['SELECT x.name FROM (SELECT name, id, born FROM t ORDER BY born) x WHERE x.id = 1 LIMIT 2', ['t (0 1 2) [0 = 1] top 2 2+^']],
  ['WITH v AS (SELECT id, name FROM t) SELECT v.name FROM v WHERE v.id = 3 LIMIT 2', ['t (0 1) [0 = 3] limit 2']],
  ['WITH v AS (SELECT id, name FROM t) SELECT a.name FROM v a JOIN v b ON a.id = b.id WHERE a.id = 3', ['t (0 1) ([0 = 3] or [0 = 3])']],
  [
    'SELECT x.id FROM (SELECT id FROM t UNION ALL SELECT id FROM u) x WHERE x.id = 3 LIMIT 2',
    ['t (0) [0 = 3] limit 2', 'u (0) [0 = 3] limit 2'],
  ],
  ['SELECT x.id FROM (SELECT id FROM t EXCEPT SELECT id FROM u) x WHERE x.id = 3 LIMIT 2', ['t (0) [0 = 3]', 'u (0) [0 = 3]']],
  [
    'SELECT x.id FROM (SELECT id FROM t UNION ALL SELECT CAST(id AS long) FROM u) x WHERE x.id = 3 LIMIT 2',
    ['t (0) [0 = 3] limit 2', 'u (0)'],
  ],
  ['SELECT x FROM (SELECT id FROM t UNION ALL SELECT price FROM u) x WHERE x = 3 LIMIT 2', ['t (0)', 'u (3) [3 = 3] limit 2']],
  ['SELECT x.name FROM (SELECT DISTINCT name, id FROM t) x', ['t (0 1)']],
  // Pages and windows are of all rows.
  ['SELECT x.id FROM (SELECT id FROM t LIMIT 5 OFFSET 1) x WHERE x.id = 1 LIMIT 3', ['t (0) limit 6']],
  ['SELECT x.id FROM (SELECT id FROM t LIMIT 5 OFFSET 1) x LIMIT 3', ['t (0) limit 4']],
  ['SELECT x.id FROM (SELECT id FROM t LIMIT 2) x LIMIT 3', ['t (0) limit 2']],
  ['SELECT x.id FROM (SELECT id, COUNT(*) OVER () AS n FROM t) x WHERE x.id = 1', ['t (0)']],
  ['SELECT x.id FROM (SELECT id FROM t ORDER BY COUNT(*) OVER (PARTITION BY name)) x WHERE x.id = 1', ['t (0 1)']],
  // Conditions on keys are conditions on the rows of groups.
  ['SELECT x.n FROM (SELECT name, COUNT(*) AS n FROM t GROUP BY name) x WHERE x.name = "a" AND x.n > 1', ["t (1) [1 = 'a']"]],
  ['SELECT x.n FROM (SELECT name, COUNT(*) AS n FROM t GROUP BY ROLLUP (name)) x WHERE x.name IS NULL', ['t (1)']],
  // Rows of an outer join that are NULL are kept by IS NULL, and dropped by comparisons.
  ['SELECT a.id FROM t a LEFT JOIN u b ON a.id = b.id WHERE a.id = 1 AND b.name = "z"', ['t (0) [0 = 1]', "u (0 1) [1 = 'z'] [0 = 1]"]],
  ['SELECT a.id FROM t a LEFT JOIN u b ON a.id = b.id WHERE b.name IS NULL', ['t (0)', 'u (0 1)']],
  ['SELECT a.id FROM t a LEFT JOIN u b ON a.id = b.id WHERE b.name IS NULL OR b.name = "y"', ['t (0)', 'u (0 1)']],
  ['SELECT a.id FROM t a LEFT JOIN u b ON a.id = b.id WHERE b.name = "x" OR b.name = "y"', ['t (0)', "u (0 1) ([1 = 'x'] or [1 = 'y'])"]],
  ['SELECT a.id FROM t a LEFT JOIN u b ON a.id = b.id AND b.name IS NULL AND a.id = 1', ['t (0)', 'u (0 1) [1 is null]']],
  ['SELECT a.id FROM t a JOIN u b ON a.id = b.id AND b.name IS NULL AND a.id = 1', ['t (0) [0 = 1]', 'u (0 1) [1 is null]']],
  ['SELECT a.id FROM t a RIGHT JOIN u b ON a.id = b.id AND b.name = "y" AND a.id = 1', ['t (0) [0 = 1]', 'u (0 1)']],
  ['SELECT a.id FROM t a FULL JOIN u b ON a.id = b.id AND b.name = "y" AND a.id = 1', ['t (0)', 'u (0 1)']],
  ['SELECT a.id FROM t a FULL JOIN u b ON a.id = b.id WHERE a.id = 1', ['t (0) [0 = 1]', 'u (0) [0 = 1]']],
  [
    'SELECT a.id FROM t a LEFT JOIN u b ON a.id = b.id JOIN v c ON a.id = c.id AND b.name IS NULL AND a.name = "x"',
    ["t (0 1) [1 = 'x']", 'u (0 1)', 'v (0)'],
  ],
  ['SELECT a.id FROM t a LEFT JOIN u b ON a.name = b.name WHERE b.name IS NULL', ['t (0 1)', 'u (1)']],
  ['SELECT a.id FROM t a ASOF JOIN u b ON a.name = b.name AND a.id >= b.id WHERE b.name = "x"', ["t (0 1) [1 = 'x']", 'u (0 1)']],
  // The nearest row is found among all.
  ['SELECT a.id FROM t a ASOF JOIN u b ON a.id >= b.id WHERE a.id = 1 AND b.name = "z"', ['t (0) [0 = 1]', 'u (0 1)']],
])('%s', (text, needs) => {
  expect(needsOf(text)).toEqual(needs);
});
