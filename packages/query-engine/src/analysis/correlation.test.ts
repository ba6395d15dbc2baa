import type { Plan } from '@svc/query-language';

import { planOf } from '../testing/check-text.ts';
import { environmentOf } from '../testing/lower-over-tables.ts';
import { capturedVariables, dependsOnLambda, dependsOnRow, isWithinRow } from './correlation.ts';
import type { ScopeVariables } from './scope-bindings.ts';

const environment = environmentOf({ t: { type: 'record(a: int, b: int)', sql: '' } });
const ROW: ScopeVariables = new Map([[1, { kind: 'row' }]]);

/** Returns the item of a SELECT over `t`, whose row is variable 1. */
function itemOf(item: string): Plan {
  const plan = planOf(`SELECT ${item} FROM t`, environment);
  if (plan.kind !== 'Select' || plan.sources[0]?.row !== 1) throw new Error('the row of t is variable 1');
  return plan.item;
}

test('an expression depends on a row by its variables', () => {
  expect(dependsOnRow(itemOf('a + 1'), { variables: ROW })).toBe(true);
  expect(dependsOnRow(itemOf('1 + 1'), { variables: ROW })).toBe(false);
  expect(dependsOnRow(itemOf('a + 1'), { variables: new Map([[1, { kind: 'relation' }]]) })).toBe(false);
});

test('a scope is within a row if it binds a row or a column', () => {
  expect(isWithinRow({ variables: ROW })).toBe(true);
  expect(isWithinRow({ variables: new Map([[1, { kind: 'column' }]]) })).toBe(true);
  expect(isWithinRow({ variables: new Map([[1, { kind: 'shared' }]]) })).toBe(false);
});

test('an expression depends on a lambda by the variables that it binds', () => {
  expect(dependsOnLambda(itemOf('a'), { lambda: new Set([1]) })).toBe(true);
  expect(dependsOnLambda(itemOf('a'), { lambda: new Set([2]) })).toBe(false);
  expect(dependsOnLambda(itemOf('a'), { lambda: null })).toBe(false);
});

test('captured are the fields of outer rows that are used within lambdas', () => {
  const captured = (item: string, kinds: readonly Plan['kind'][]) =>
    capturedVariables({ plain: [itemOf(item)], inLambdas: [] }, ROW, (part) => kinds.includes(part.kind));
  expect(captured('a + b', [])).toEqual(new Map());
  expect(captured('a + b', ['Arithmetic'])).toEqual(new Map([[1, new Set([0, 1])]]));
  expect(captured('(x: a + 1, y: b)', ['Arithmetic'])).toEqual(new Map([[1, new Set([0])]]));
  expect(captured('(x: t, y: b)', ['RecordLiteral'])).toEqual(new Map([[1, 'all']]));
  expect(capturedVariables({ plain: [], inLambdas: [itemOf('b')] }, ROW, () => false)).toEqual(new Map([[1, new Set([1])]]));
});
