import { isPrimitive } from '../types/types.ts';
import { constantNumber } from '../plan/constant-number.ts';
import type { Plan } from '../plan/plan.ts';
import type { FunctionFacts } from './function-facts.ts';

/** Facts about a search of a text for the argument at an index, which takes too long if both are long. */
export function searchFor(index: number): Required<Pick<FunctionFacts, 'canFailFor'>> {
  return { canFailFor: (args) => args[0]?.type.kind === 'PrimitiveType' && isLongText(args[index]) };
}

/** Returns whether a constant is not a text, or so short that every search for it is fast. */
export function isShortText(constant: unknown): boolean {
  return constant === null || (typeof constant === 'string' && constant.length <= 400);
}

function isLongText(plan: Plan | undefined): boolean {
  return isPrimitive(plan?.type, 'string') && !(plan?.kind === 'Constant' && isShortText(plan.value));
}

/** Facts about replacing in a text: a computed replacement may name a group that the regex does not have. */
export const REPLACING: Required<Pick<FunctionFacts, 'canFailFor' | 'resultBytes'>> = {
  canFailFor: (args) => searchFor(1).canFailFor(args) || (isPrimitive(args[1]?.type, 'regex') && args[2]?.kind !== 'Constant'),
  resultBytes: ([text = 0, , by = 0], [, what, replacement]) => (isNoLonger(replacement, what) ? text : text * by),
};

function isNoLonger(by: Plan | undefined, what: Plan | undefined): boolean {
  if (by?.kind !== 'Constant' || typeof by.value !== 'string') return false;
  if (by.value === '') return true;
  return (
    what?.kind === 'Constant' && isPrimitive(what.type, 'string') && typeof what.value === 'string' && by.value.length <= what.value.length
  );
}

/** Facts about padding a text to the length in the second argument. */
export const PADDING: Required<Pick<FunctionFacts, 'outputCount' | 'resultBytes'>> = {
  outputCount: ([, length]) => constantNumber(length),
  resultBytes: ([text = 0], [, length]) => Math.max(text, constantNumber(length)),
};

/** Facts about repeating a text as often as the second argument. */
export const REPEATING: Required<Pick<FunctionFacts, 'outputCount' | 'resultBytes'>> = {
  outputCount: ([, count]) => constantNumber(count),
  resultBytes: ([text = 0], [, count]) => text * constantNumber(count),
};

/** Facts about a range of numbers: from, to and step. */
export const RANGING: Required<Pick<FunctionFacts, 'outputCount' | 'resultBytes'>> = {
  outputCount: countOfRange,
  resultBytes: (_, args) => countOfRange(args) * 8,
};

function countOfRange([from, to, step]: readonly Plan[]): number {
  return Math.abs((constantNumber(to) - constantNumber(from)) / constantNumber(step));
}
