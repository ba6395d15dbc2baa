import { assertNever, checkProgram, parseProgram, parseType } from '@svc/query-language';

import { scanNeeds, type ScanCondition } from './scan-needs.ts';

const ROW = 'collection(record(id: int, name: string nullable, born: date, price: decimal, size: double, tags: collection(string)))';

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
        name === 't' || name === 'u' ? { kind: 'table', name, type: parsed.type } : { kind: 'nothing', candidates: [] },
      findPackage: () => ({ kind: 'nothing', candidates: [] }),
      inferText: () => ({ problem: 'no text is looked at here' }),
    },
    { arguments: new Map() },
  );
  if (plan === null) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  return scanNeeds(plan, (node) => (node.kind === 'TableScan' ? node.table : null)).map(
    ({ source, fields, conditions, limit }) =>
      `${source} (${fields?.join(' ') ?? 'all'})${conditions.map((condition) => ` ${printed(condition)}`).join('')}${limit === null ? '' : ` limit ${limit}`}`,
  );
}

function printed(condition: ScanCondition): string {
  switch (condition.kind) {
    case 'compare':
      return `[${condition.field} ${condition.operator} ${condition.value}]`;
    case 'in':
      return `[${condition.field} in ${condition.values.join(' ')}]`;
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
  // A limit after a condition that only the engine evaluates is not pushed down: later conditions may be meant to fail.
  ['SELECT id FROM t WHERE LENGTH(name) > 2 AND id = 1', ['t (0 1)']],
  ['SELECT id FROM t WHERE id = 1 AND LENGTH(name) > 2 LIMIT 1', ['t (0 1) [0 = 1]']],
  ['SELECT id FROM t WHERE id = 1 OR id = 2', ['t (0)']],
  ['SELECT id FROM t WHERE size > 1.5', ['t (0 4)']],
  // A limit on ordered, grouped or counted rows is not a limit on the rows of the table.
  ['SELECT id FROM t ORDER BY id LIMIT 1', ['t (0)']],
  ['SELECT DISTINCT id FROM t LIMIT 1', ['t (0)']],
  ['SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS n FROM t LIMIT 1', ['t (0)']],
  // Several uses of one table share its rows, and those of another are its own.
  ['SELECT a.id FROM t a JOIN t b ON a.id = b.id', ['t (0)']],
  ['SELECT a.name FROM t a JOIN u b ON a.id = b.id WHERE a.id = 1', ['t (0 1)', 'u (0)']],
  ['SELECT x.a FROM (SELECT id AS a, name FROM t WHERE id = 1) x', ['t (0 1) [0 = 1]']],
  ['SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.id = t.id)', ['t (0)', 'u (0)']],
])('%s', (text, needs) => {
  expect(needsOf(text)).toEqual(needs);
});
