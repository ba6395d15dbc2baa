/** `npm run bench -- compile`: how long parsing and checking takes, warm. */
import { checkProgram, parseProgram } from '@svc/query-language';
import type { CheckEnvironment } from '@svc/query-language';
import { lowerPlan } from '@svc/query-engine';

import { median } from './table.ts';

const environment: CheckEnvironment = {
  findRead: () => undefined,
  findName: () => ({ kind: 'nothing', candidates: [] }),
  findPackage: () => ({ kind: 'nothing', candidates: [] }),
  inferText: () => ({ problem: 'no text is looked at here' }),
};

const THIRTY_LINES = `people := [(id: 1, name: "Ann", born: date "1990-02-03", tags: ["a", "b"]), (id: 2, name: "Bo", born: date "1985-07-09", tags: ["c"])];
orders := [
  (id: 10, person: 1, total: 12.5, lines: [(item: "tea", count: 2), (item: "jam", count: 1)]),
  (id: 11, person: 2, total: 7.25, lines: [(item: "tea", count: 5)])
];
discount(total: double, rate: double := 0.1) := total * (1 - rate);
label(name: string, n: long) := UPPER(LEFT(name, 3)) || "-" || n;

spent := SELECT o.person AS person, SUM(discount(o.total)) AS spent, COUNT(*) AS orders
         FROM orders o
         WHERE o.total > 1 AND o.id IN (10, 11, 12)
         GROUP BY o.person
         HAVING COUNT(*) > 0;
items := SELECT l.item AS item, SUM(l.count) AS sold, (SELECT person FROM * ORDER BY person) AS buyers
         FROM orders o, o.lines l
         GROUP BY l.item;
SELECT p.id,
       p.name,
       YEAR(p.born) AS year,
       CASE WHEN YEAR(p.born) < 1980 THEN "old" WHEN YEAR(p.born) < 1990 THEN "middle" ELSE "young" END AS age,
       COALESCE(s.spent, 0) AS spent,
       label(p.name, COALESCE(s.orders, 0)) AS label,
       (SELECT UPPER(t) FROM p.tags t WHERE LENGTH(t) > 0 ORDER BY t DESC) AS tags,
       (SELECT i.item FROM items i WHERE p.id IN i.buyers) AS items
FROM people p
LEFT JOIN spent s ON s.person = p.id
WHERE p.name LIKE "%" AND NOT (p.id < 0)
ORDER BY spent DESC, p.name
LIMIT 10`;

const THOUSAND_LINES = `${Array.from({ length: 998 }, (_, i) => `v${i} := ${i === 0 ? '1' : `v${i - 1} + ${i} % 7`};`).join('\n')}\nf(x: int) := x + v997;\nf(1)`;

for (const [name, text, runs, target] of [
  ['30 lines', THIRTY_LINES, 200, 3],
  ['1000 lines', THOUSAND_LINES, 20, 60],
] as const) {
  const checks: number[] = [];
  const whole: number[] = [];
  for (let i = 0; i < runs * 2; i += 1) {
    const began = performance.now();
    const parsed = parseProgram(text);
    if (parsed.tree === null) throw new Error(parsed.diagnostics[0].message);
    const checked = checkProgram(parsed.tree, environment, { arguments: null });
    const done = performance.now();
    if (checked.plan === null) throw new Error(checked.diagnostics.map((diagnostic) => diagnostic.message).join('; '));
    if (name === '30 lines') lowerPlan(checked.plan, { reader: noSource, tableScan: noSource });
    if (i < runs) continue; // warm-up
    checks.push(done - began);
    whole.push(performance.now() - began);
  }
  const checked = median(checks);
  console.log(
    `${name.padEnd(12)} parse + check ${checked.toFixed(2)} ms, with lowering ${median(whole).toFixed(2)} ms, target < ${target} ms: ${checked < target ? 'met' : 'MISSED'}`,
  );
}

function noSource(): never {
  throw new Error('the programs of this benchmark read nothing');
}
