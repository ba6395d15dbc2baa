import { checkProgram } from '../check/check-program.ts';
import { parseProgram } from '../syntax/parse.ts';
import { childrenOfPlan } from './children-of-plan.ts';
import { mapChildren } from './map-children.ts';
import type { Plan } from './plan.ts';

/** Programs that hold plans of every kind which has parts. */
const PROGRAMS = [
  'a := 1 + 2; b := a; [a + b, -a, CAST("1" AS int)][0]',
  'SELECT x, SUM(x + 1) FILTER (WHERE x > 1) AS s FROM [1, 2] x LEFT JOIN [3] y ON x = y WHERE x IN [1] AND NOT (x IS NULL) GROUP BY x HAVING COUNT(*) > 0 ORDER BY x LIMIT 3 OFFSET 0',
  'SELECT SUM(x) FILTER (WHERE x > 0) OVER (PARTITION BY x ORDER BY x ROWS BETWEEN 1 PRECEDING AND 2 FOLLOWING) AS w, STRING_AGG(UPPER("a"), ",") OVER () AS t FROM [1] x',
  'SELECT STRING_AGG(x, "," ORDER BY x) AS all FROM ["a"] x',
  'CASE WHEN "a" LIKE "b" ESCAPE "c" OR TRUE THEN (a: 1).a ELSE 2 END',
  'COALESCE(REDUCE([1, 2], 0, \\(sum: int, x: int) -> sum + x), 1)',
  '[1] UNION ALL [2] EXCEPT [3]',
  'PARSE_JSON(UPPER("{}"))["A"]',
  'TRY(1 / 0)',
];

function planOf(text: string): Plan {
  const { tree } = parseProgram(text);
  if (tree === null) throw new Error(`not a program: ${text}`);
  const checked = checkProgram(
    tree,
    {
      findRead: () => undefined,
      findName: () => ({ kind: 'nothing', candidates: [] }),
      findPackage: () => ({ kind: 'nothing', candidates: [] }),
      inferText: () => ({ problem: 'no text is looked at here' }),
    },
    { arguments: null },
  );
  if (checked.plan === null) throw new Error(`${text}: ${checked.diagnostics.map(({ message }) => message).join()}`);
  return checked.plan;
}

test.each(PROGRAMS)('the parts of %s are those that a map of it meets, in their order', (text) => {
  const compare = (plan: Plan): void => {
    const met: Plan[] = [];
    mapChildren(plan, (child) => {
      met.push(child);
      return child;
    });
    const children = childrenOfPlan(plan);
    expect(children).toHaveLength(met.length);
    for (const [i, child] of children.entries()) {
      expect(child).toBe(met[i]);
      compare(child);
    }
  };
  compare(planOf(text));
});
