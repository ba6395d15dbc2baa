import type { Plan, Reduce, Type } from '@svc/query-language';
import { collectionOf, int, nullable, string } from '@svc/query-language';

import { openQueryRunner, type QueryRunner } from '../testing/query-runner.ts';

let runner: QueryRunner;
beforeAll(async () => {
  runner = await openQueryRunner({});
});
afterAll(async () => runner.close());

const span = { start: 0, end: 0 };
const constant = (type: Type, value: string | null): Plan => ({ kind: 'Constant', type, span, value });
const variable = (type: Type, id: number): Plan => ({ kind: 'Variable', type, span, id });
const list = (type: Type, values: readonly string[]): Plan => ({
  kind: 'CollectionLiteral',
  type: collectionOf(type),
  span,
  elements: values.map((value) => constant(type, value)),
});

/** `REDUCE(collection, start, \\(acc, x) -> acc || x)` over ints, into a text. */
function joining(collection: Plan, start: Plan): Reduce {
  const element: Plan = { kind: 'Cast', type: string, span, isTry: false, operand: variable(int, 2) };
  return {
    kind: 'Reduce',
    type: start.type,
    span,
    collection,
    start,
    accumulator: 1,
    element: 2,
    body: { kind: 'Arithmetic', type: string, span, operator: 'concatenate', operands: [variable(string, 1), element] },
  };
}

describe('REDUCE', () => {
  it('takes the elements from left to right, into a type of its own', async () => {
    expect(await runner.runPlan(joining(list(int, ['1', '2', '3']), constant(string, '0')))).toEqual(['"0123"']);
  });
  it('of nothing is its start', async () => {
    expect(await runner.runPlan(joining(list(int, []), constant(string, '0')))).toEqual(['"0"']);
  });
  it('of NULL is NULL', async () => {
    const none = constant(nullable(collectionOf(int)), null);
    expect(await runner.runPlan({ ...joining(none, constant(string, '0')), type: nullable(string) })).toEqual(['null']);
  });
});
