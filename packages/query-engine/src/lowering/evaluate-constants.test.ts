import type { Plan } from '@svc/query-language';

import { walkPlan } from '../analysis/variables.ts';
import { planOf } from '../testing/check-text.ts';
import { environmentOf } from '../testing/lower-over-tables.ts';
import { never, openTestEngine, type TestEngine } from '../testing/with-engine.ts';
import { evaluateConstants } from './evaluate-constants.ts';
import { preparePlan } from './lower-plan.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await openTestEngine();
});
afterAll(() => engine.close());

const environment = environmentOf({
  t: { type: 'record(n: long, m: decimal, s: string, day: date, at: timestamp, x: double)', sql: '' },
});

/** Returns the constants of a condition as they are after the evaluation, and the number of leases that it took. */
async function evaluated(condition: string) {
  let leases = 0;
  const plan = preparePlan(planOf(`SELECT t.n FROM t WHERE ${condition}`, environment));
  const found = await evaluateConstants(
    plan,
    (step) => {
      leases += 1;
      return engine.withLease(step);
    },
    never,
  );
  return { constants: found.kind === 'Select' && found.where !== null ? constantsOf(found.where) : [], leases };
}

function constantsOf(plan: Plan): readonly unknown[] {
  const found: unknown[] = [];
  walkPlan(plan, (part) => void (part.kind === 'Constant' && found.push(part.value)));
  return found;
}

test.each([
  ['n > 1 + 2', ['3']],
  ['n IN [1 + 1, 7, 2 * 2]', ['2', '7', '4']],
  ['m < 1.5q * 2', ['3.000000000000000000']],
  ['s = UPPER("it" || "\'s")', ["IT'S"]],
  ['s LIKE "a" || "b%" AND STARTS_WITH(s, UPPER("c"))', ['ab%', 'C']],
  ['day >= DATE_BUILD(2024, 2, 29)', ['2024-02-29']],
  ['day > DATE "2024-02-29" - INTERVAL "1 month"', ['2024-01-29 00:00:00']],
  ['at >= DATE "2024-02-29"', ['2024-02-29 00:00:00']],
  ['at < TIMESTAMP "2024-02-29 12:00:00.5" + INTERVAL "1 day"', ['2024-03-01 12:00:00.5']],
])('%s compares with %j', async (condition, constants) => {
  expect(await evaluated(condition)).toEqual({ constants, leases: 1 });
});

test.each([
  ['a constant, also a wider one', 'n = 3 AND m > 2', 0],
  ['a number whose text may be another', 'x > 1.0 + 0.1', 0],
  ['a value that differs at each evaluation', 'n = CAST(RANDOM() * 10 AS long)', 0],
  ['a value of rows', 'n = t.n + 1', 0],
  ['a value that fails', 'n = 1 + 2 AND n > 1 / 0', 1],
  ['a year that is printed in another way', 'day > DATE_BUILD(9999, 12, 31) + INTERVAL "1 year"', 1],
  ['NULL', 'n = NULLIF(1, 1) + 2', 1],
])('%s stays as it is', async (_, condition, leases) => {
  const plan = preparePlan(planOf(`SELECT t.n FROM t WHERE ${condition}`, environment));
  const before = plan.kind === 'Select' && plan.where !== null ? constantsOf(plan.where) : [];
  expect(await evaluated(condition)).toEqual({ constants: before, leases });
});
