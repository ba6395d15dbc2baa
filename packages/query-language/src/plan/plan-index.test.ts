import { primitive } from '../types/types.ts';
import type { Plan } from './plan.ts';
import { PlanIndex } from './plan-index.ts';

const span = { start: 0, end: 1 };

/** Numbers are kept as written. */
function constant(value: number | string, start = 0): Plan {
  return {
    kind: 'Constant',
    type: typeof value === 'string' ? primitive('string') : primitive('int'),
    span: { start, end: start + 1 },
    value: String(value),
  };
}

function variable(id: number): Plan {
  return { kind: 'Variable', type: primitive('int'), span, id };
}

test('a plan is found by what it computes, wherever it stands', () => {
  const index = new PlanIndex<string>();
  index.add(constant(1), 'one');
  index.add(constant(1, 7), 'one again');
  index.add(constant('1'), 'a text');
  index.add(variable(3), 'a variable');

  expect([constant(1, 40), constant('1'), variable(3), variable(4), constant(2)].map((plan) => index.find(plan))).toEqual([
    'one',
    'a text',
    'a variable',
    undefined,
    undefined,
  ]);
});

test('what is looked for among very many is found without looking at each', () => {
  const index = new PlanIndex<number>();
  const plans = Array.from({ length: 20_000 }, (_, i) => constant(i));
  for (const [i, plan] of plans.entries()) index.add(plan, i);

  expect(plans.map((_, i) => index.find(constant(i, 5)))).toEqual(plans.map((_, i) => i));
});
