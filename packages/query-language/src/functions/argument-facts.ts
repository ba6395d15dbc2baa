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
export const REPLACING: Required<Pick<FunctionFacts, 'canFailFor' | 'growth'>> = {
  canFailFor: (args) => searchFor(1).canFailFor(args) || (isPrimitive(args[1]?.type, 'regex') && args[2]?.kind !== 'Constant'),
  growth: 'product',
};

/** Facts about a text as long, or as often, as the second argument says. */
export const REPEATING: Required<Pick<FunctionFacts, 'outputCount'>> = { outputCount: ([, count]) => constantNumber(count) };

/** Facts about a range of numbers: from, to and step. */
export const RANGING: Required<Pick<FunctionFacts, 'outputCount'>> = {
  outputCount: ([from, to, step]) => Math.abs((constantNumber(to) - constantNumber(from)) / constantNumber(step)),
};
