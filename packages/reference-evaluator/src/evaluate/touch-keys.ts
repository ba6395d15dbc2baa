import type { Term } from '../program/term.ts';
import { someNode, usesVariables } from '../program/tree.ts';
import type { Value } from '../values/value.ts';
import { evaluate, type Environment } from './environment.ts';
import { attempt } from './touch.ts';

/**
 * Evaluates a condition of ON or WHERE that is not true for a row as far as the engine may: a comparison of two sources, by which it may
 * join, guards none after it. If one of these fails, the program may fail. `sources`: the variables of each source.
 */
export function touchKeys(condition: Term, row: Environment, sources: readonly (readonly number[])[]): void {
  for (const part of conjunctsOf(condition)) {
    let value: Value = null;
    attempt(row, () => {
      value = evaluate(part, row);
    });
    if (value !== true && !isOfTwo(part, [...sources, sources.flat()])) return;
  }
}

function conjunctsOf(condition: Term): readonly Term[] {
  return condition.kind === 'binary' && condition.operator === 'AND' ? [condition.left, condition.right].flatMap(conjunctsOf) : [condition];
}

function isOfTwo(part: Term, sources: readonly (readonly number[])[]): boolean {
  if (part.kind !== 'binary' || ![part.left, part.right].every((side) => someNode(side, ({ kind }) => kind === 'variable'))) return false;
  return sources.map((ids) => new Set(ids)).some((ids) => usesVariables(part.left, ids) !== usesVariables(part.right, ids));
}
