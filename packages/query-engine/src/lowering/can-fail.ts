import type { Call, FrameEdge, Let, Plan, Variable } from '@svc/query-language';
import { canWideningFail, castKind, childrenOfPlan, findFunction, notNullable } from '@svc/query-language';

import { isFloating } from './scalars/number-types.ts';
import { substitute } from './variables.ts';

const known = new WeakMap<Plan, boolean>();

/**
 * Returns whether evaluating a plan may raise an error, conservatively: such a plan must stay behind the conditions that
 * guard it. Reading is infallible here, since an unreadable source fails the query in any case.
 */
export function canFail(plan: Plan): boolean {
  if (plan.kind === 'Constant') return false;
  if (plan.kind === 'Variable') return failingUses.has(plan);
  const found = known.get(plan);
  if (found !== undefined) return found;
  const canPlanFail = partCanFail(plan) || childrenOfPlan(plan).some(canFail);
  known.set(plan, canPlanFail);
  return canPlanFail;
}

/** Uses of declared values that can fail. */
const failingUses = new WeakSet<Plan>();

/** Returns the body of a Let whose value is fallible, with its uses marked as such. */
export function withFailingUses(body: Plan, { id, value }: Let): Plan {
  const use: Variable = { kind: 'Variable', type: value.type, span: value.span, id };
  failingUses.add(use);
  return substitute(body, id, use);
}

function partCanFail(part: Plan): boolean {
  if (part.kind === 'Cast') return !part.isTry && castKind(notNullable(part.operand.type), notNullable(part.type)) === 'may-fail';
  if (part.kind === 'Convert') return canWideningFail(part.operand.type, part.type);
  if (part.kind === 'Arithmetic') return part.operator !== 'concatenate' && !isFloating(part.type);
  if (part.kind === 'Call') return findFunction(part.function)?.canFail !== false || isComputedReplacement(part) || isLongSearch(part);
  if (part.kind === 'Like') return part.escape !== null;
  if (part.kind === 'Select') return [part.limit, part.offset].some((bound) => bound !== null && !isCount(bound));
  if (part.kind === 'WindowCall' && part.frame !== null && [part.frame.start, part.frame.end].some(mayBeNegative)) return true;
  return (part.kind === 'Aggregate' || part.kind === 'WindowCall') && findFunction(part.function)?.canFail === true;
}

/** A computed replacement may name a group that the regex does not have. */
function isComputedReplacement({ function: name, arguments: [, what, by] }: Call): boolean {
  return name === 'REPLACE' && what?.type.kind === 'PrimitiveType' && what.type.name === 'regex' && by?.kind !== 'Constant';
}

/** Functions that search a text, with the argument that is searched for. */
const SEARCHES: ReadonlyMap<string, number> = new Map([
  ...['REPLACE', 'SPLIT', 'CONTAINS', 'COUNT_SUBSTRING', 'SPLIT_PART'].map((name) => [name, 1] as const),
  ['CHARINDEX', 0],
]);

/** Returns whether a search for a possibly long text in a possibly long text could take too long. */
function isLongSearch({ function: name, arguments: args }: Call): boolean {
  const place = SEARCHES.get(name);
  if (place === undefined || args[0]?.type.kind !== 'PrimitiveType') return false;
  const what = args[place];
  return what?.type.kind === 'PrimitiveType' && what.type.name === 'string' && !(what.kind === 'Constant' && isShortText(what.value));
}

/** Returns whether a constant is not a text, or so short that every search for it is fast. */
export function isShortText(constant: unknown): boolean {
  return constant === null || (typeof constant === 'string' && constant.length <= 400);
}

function mayBeNegative({ offset }: FrameEdge): boolean {
  return offset !== null && !isCount(offset);
}

/** Returns whether LIMIT or OFFSET is a constant that is not negative, or NULL. */
export function isCount(bound: Plan): boolean {
  if (bound.kind === 'Convert') return isCount(bound.operand);
  return bound.kind === 'Constant' && !(typeof bound.value === 'string' && bound.value.startsWith('-'));
}
