import { findFunction } from '../functions/find-function.ts';
import { isFloating } from '../types/numeric-types.ts';
import { canWideningFail, castKind, notNullable } from '../types/types.ts';
import { childrenOfPlan } from './children-of-plan.ts';
import type { Call, FrameEdge, Plan } from './plan.ts';

const known = new WeakMap<Plan, boolean>();

/**
 * Returns whether evaluating a plan may raise an error, conservatively: such a plan must stay behind the conditions that
 * guard it. Reading is infallible here, since an unreadable source fails the query in any case.
 */
export function isFallible(plan: Plan): boolean {
  if (plan.kind === 'Constant' || plan.kind === 'Variable') return false;
  const found = known.get(plan);
  if (found !== undefined) return found;
  const isPlanFallible = canFailItself(plan) || childrenOfPlan(plan).some(isFallible);
  known.set(plan, isPlanFallible);
  return isPlanFallible;
}

/** Returns whether evaluating a plan may raise an error if its parts do not. */
export function canFailItself(part: Plan): boolean {
  if (part.kind === 'Cast') return !part.isTry && castKind(notNullable(part.operand.type), notNullable(part.type)) === 'may-fail';
  if (part.kind === 'Convert') return canWideningFail(part.operand.type, part.type);
  if (part.kind === 'Arithmetic') return part.operator !== 'concatenate' && !isFloating(part.type);
  if (part.kind === 'Call') return canCallFail(part);
  if (part.kind === 'Like') return part.escape !== null;
  if (part.kind === 'Select') return [part.limit, part.offset].some((bound) => bound !== null && !isCount(bound));
  if (part.kind === 'WindowCall' && part.frame !== null && [part.frame.start, part.frame.end].some(mayBeNegative)) return true;
  return (part.kind === 'Aggregate' || part.kind === 'WindowCall') && findFunction(part.function)?.canFail === true;
}

function canCallFail({ function: name, arguments: args }: Call): boolean {
  const definition = findFunction(name);
  return definition === undefined || definition.canFail || definition.canFailFor?.(args) === true;
}

function mayBeNegative({ offset }: FrameEdge): boolean {
  return offset !== null && !isCount(offset);
}

/** Returns whether LIMIT or OFFSET is a constant that is not negative, or NULL. */
export function isCount(bound: Plan): boolean {
  if (bound.kind === 'Convert') return isCount(bound.operand);
  return bound.kind === 'Constant' && !(typeof bound.value === 'string' && bound.value.startsWith('-'));
}
