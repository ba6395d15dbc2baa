import type { Call, Plan, Select, Type, VariableId } from '@svc/query-language';
import { assertNever } from '@svc/query-language';

import { walkPlan } from '../variables.ts';

/** What the values of the data are taken to have of bytes: only what a program makes of them is looked at. */
const OF_DATA = 256;

/** More than anything can have. */
const ENDLESS = 2 ** 50;

/** Of a number, a moment, a truth value. */
const FIXED = 16;

/** From so many bytes on, by the program alone, it is asked at run time how many there are. */
export const LONG = 65_536;

/** How large the values of a plan may become by what the plan does, in bytes of the order of magnitude. */
export interface ValueSizes {
  readonly sizeOf: (plan: Plan) => number;
  /** The same of the rows that a SELECT looks at. */
  readonly sizeOfRows: (plan: Select) => number;
  /** How many parts of the plan make something long. */
  readonly makers: number;
}

/** Functions whose result may be longer than what they are given. Of all others it is as long as that. */
const GROWING: Readonly<Record<string, (sizes: readonly number[], args: readonly Plan[]) => number>> = {
  RANGE: (_, [from, to, step]) => ((numberOf(to) - numberOf(from)) / Math.abs(numberOf(step))) * 8,
  TIMESTAMP_RANGE: () => NaN,
  REPLICATE: ([text = 0], [, count]) => text * numberOf(count),
  LPAD: ([text = 0], [, length]) => Math.max(text, numberOf(length)),
  RPAD: ([text = 0], [, length]) => Math.max(text, numberOf(length)),
  REPLACE: ([text = 0, , by = 0], [, what, replacement]) => (isNoLonger(replacement, what) ? text : text * Math.max(1, by)),
  MKSTRING: ([list = 0, by = 0]) => list * Math.max(1, by / 8),
  SPLIT: ([text = 0]) => text * 4,
  TO_JSON: ([value = 0]) => value * 2,
  HEX: ([value = 0]) => value * 2,
  URL_ENCODE: ([value = 0]) => value * 3,
};

/** The sizes of the parts of a plan, and of what is put in their place later. */
export function valueSizes(whole: Plan): ValueSizes {
  const variables = new Map<VariableId, () => number>();
  const known = new WeakMap<Plan, number>();
  const sizeOf = (plan: Plan): number => {
    const found = known.get(plan);
    if (found !== undefined) return found;
    // Met again before it is known: it is what a step makes of itself.
    known.set(plan, ENDLESS);
    const size = fixedSize(plan.type) ?? Math.min(ENDLESS, Math.max(FIXED, ofKind(plan)));
    known.set(plan, size);
    return size;
  };
  const most = (plans: readonly Plan[]): number => Math.max(0, ...plans.map(sizeOf));
  const sum = (plans: readonly Plan[]): number => plans.reduce((all, plan) => all + sizeOf(plan), 0);
  const ofCall = (plan: Call): number => {
    const grown = GROWING[plan.function]?.(plan.arguments.map(sizeOf), plan.arguments);
    if (grown === undefined) return sum(plan.arguments);
    return Number.isNaN(grown) ? ENDLESS : grown;
  };
  const ofElement = (plan: Plan): number => {
    if (plan.type.kind !== 'CollectionType') return sizeOf(plan);
    const fixed = fixedSize(plan.type.element);
    if (fixed !== null) return fixed;
    if (plan.kind === 'Select') return sizeOf(plan.item);
    if (plan.kind === 'CollectionLiteral') return most(plan.elements);
    if (plan.kind === 'SetOperation') return Math.max(...plan.operands.map(ofElement));
    return sizeOf(plan);
  };
  const rowsOf = ({ sources }: Select): number =>
    sources.reduce((rows, { collection }) => Math.min(ENDLESS, rows * Math.max(1, sizeOf(collection) / ofElement(collection))), 1);
  const ofKind = (plan: Plan): number => {
    switch (plan.kind) {
      case 'Constant':
        return typeof plan.value === 'string' ? plan.value.length : OF_DATA;
      case 'Variable':
        return variables.get(plan.id)?.() ?? OF_DATA;
      case 'Let':
        return sizeOf(plan.body);
      case 'Convert':
      case 'Try':
        return sizeOf(plan.operand);
      case 'Cast':
        return sizeOf(plan.operand) * 2;
      case 'Arithmetic':
        return sum(plan.operands);
      case 'Case':
        return most([...plan.branches.map(({ then }) => then), plan.otherwise]);
      case 'Coalesce':
        return most(plan.operands);
      case 'RecordLiteral':
        return sum(plan.values);
      case 'CollectionLiteral':
        return sum(plan.elements);
      case 'Field':
      case 'Navigate':
      case 'Element':
        return sizeOf(plan.target);
      case 'Call':
        return ofCall(plan);
      case 'Reduce':
        return ENDLESS;
      case 'Select':
        return sizeOf(plan.item) * (plan.isSingle ? 1 : rowsOf(plan));
      case 'SetOperation':
        return sum(plan.operands);
      case 'Aggregate':
      case 'WindowCall':
        return Math.max(OF_DATA, sum(plan.arguments));
      case 'Read':
      case 'TableScan':
        return plan.type.kind === 'CollectionType' ? OF_DATA : LONG;
      case 'Parameter':
      case 'Comparison':
      case 'Logical':
      case 'Not':
      case 'IsNull':
      case 'In':
      case 'Like':
        return OF_DATA;
      default:
        return assertNever(plan);
    }
  };
  const bind = (plan: Plan): void => {
    if (plan.kind === 'Let') variables.set(plan.id, () => sizeOf(plan.value));
    if (plan.kind === 'Reduce') {
      variables.set(plan.accumulator, () => ENDLESS);
      variables.set(plan.element, () => ofElement(plan.collection));
    }
    if (plan.kind === 'Select') {
      for (const { row, collection } of plan.sources) variables.set(row, () => ofElement(collection));
      for (const { id, value } of plan.grouping?.keys ?? []) variables.set(id, () => sizeOf(value));
      variables.set(plan.itemVariable, () => sizeOf(plan.item));
    }
  };
  walkPlan(whole, bind);
  let makers = 0;
  walkPlan(whole, (plan) => {
    if (isMaking(plan) && sizeOf(plan) > LONG) makers += 1;
  });
  return { sizeOf, makers, sizeOfRows: (plan) => rowsOf(plan) * FIXED };
}

/** Whether a plan is more than the place where a value is taken from. */
export function isMaking({ kind }: Plan): boolean {
  return kind !== 'Variable' && kind !== 'Let' && kind !== 'Field' && kind !== 'Read' && kind !== 'TableScan' && kind !== 'Convert';
}

/** What a value of the type has, if each has the same; null where there is no saying. */
export function fixedSize(type: Type): number | null {
  if (type.kind === 'PrimitiveType') return type.name === 'string' || type.name === 'binary' ? null : FIXED;
  if (type.kind !== 'RecordType') return null;
  return type.fields.reduce<number | null>((all, field) => {
    const size = fixedSize(field.type);
    return all === null || size === null ? null : all + size;
  }, 0);
}

function isNoLonger(by: Plan | undefined, what: Plan | undefined): boolean {
  if (by?.kind !== 'Constant' || typeof by.value !== 'string') return false;
  if (by.value === '') return true;
  const isText = what?.kind === 'Constant' && what.type.kind === 'PrimitiveType' && what.type.name === 'string';
  return isText && typeof what.value === 'string' && by.value.length <= what.value.length;
}

/** The number that a constant is; NaN for all else. */
export function numberOf(plan: Plan | undefined): number {
  if (plan?.kind === 'Convert') return numberOf(plan.operand);
  return plan?.kind === 'Constant' && plan.value !== null ? Number(plan.value) : NaN;
}
