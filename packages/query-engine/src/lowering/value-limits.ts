import type { Plan } from '@svc/query-language';

import { isWrittenOut } from '../analysis/long-values.ts';
import type { LoweringContext } from './lowering-context.ts';
import { callContext } from './lowering-context.ts';
import type { CallContext, ValueLimits } from './lowering-types.ts';
import { evaluatedPer, type Scope } from './scope.ts';

type Most = Omit<ValueLimits, 'each'>;

/**
 * Limits of values made once for a statement, for each row, and for each element of a list: the attacks of the executor's
 * sandbox tests grow the process by less than 400 MB within them. Rows with long values are few at once
 * (`select/vector-splitting.ts`), elements are 2,048. With more than `few` long values in a program, all of which may exist at
 * once, each may be less long.
 */
const ONCE: Most = { elements: 10_000_000, characters: 10_000_000, kilobytes: 65_536 };
const PER_ROW: Most = { elements: 100_000, characters: 100_000, kilobytes: 1024 };
const PER_ELEMENT: Most = { elements: 1000, characters: 10_000, kilobytes: 64 };
const LEAST: Most = { elements: 100, characters: 1000, kilobytes: 16 };

const PLACES = {
  statement: { few: 4, most: ONCE, mostOfMany: PER_ROW, each: '' },
  row: { few: 32, most: PER_ROW, mostOfMany: PER_ELEMENT, each: ' for each row' },
  element: { few: 4, most: PER_ELEMENT, mostOfMany: LEAST, each: ' for each element' },
} as const;

/** Returns the limits of a long value; null for another, and for one that is written out. */
export function valueLimits({ longValues }: LoweringContext, plan: Plan, scope: Scope): ValueLimits | null {
  if (!longValues.isLong(plan) || isWrittenOut(plan)) return null;
  const { few, most, mostOfMany, each } = PLACES[evaluatedPer(scope)];
  if (longValues.count <= few) return { ...most, each };
  return { ...mostOfMany, each: `${each}, in a program that makes more than ${few} such values` };
}

/** Creates the context of a value with its limits, under the name that its failure has. */
export function limitedContext(context: LoweringContext, plan: Plan, functionName: string, scope: Scope): CallContext {
  return { ...callContext(context, plan, functionName, scope), limits: valueLimits(context, plan, scope) };
}

const ACCESSES = new Set<Plan['kind']>(['Variable', 'Let', 'Field', 'Read', 'TableScan', 'Convert']);

/** Records that a long value is made, or a long collection passed through, for each row: the vectors of the rows are split then. */
export function noteLongValue(context: LoweringContext, plan: Plan, scope: Scope): void {
  if (ACCESSES.has(plan.kind) || evaluatedPer(scope) === 'statement') return;
  const { isLong } = context.longValues;
  const loops = plan.kind === 'Reduce' ? [plan.collection] : plan.kind === 'Select' ? plan.sources.map(({ collection }) => collection) : [];
  if (isLong(plan) || loops.some(isLong)) context.makesLongValues = true;
}
