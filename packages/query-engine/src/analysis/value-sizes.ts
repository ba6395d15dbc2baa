import type { Call, Plan, Select, Type, VariableId, WindowCall } from '@svc/query-language';
import { findFunction, long } from '@svc/query-language';

import { walkPlan } from './variables.ts';

/** Assumed size of data values in bytes: only growth by the program is analyzed. */
const OF_DATA = 256;

/** Larger than any possible size. */
const ENDLESS = Number.MAX_SAFE_INTEGER;

/** Size of a number, a moment, a boolean. */
const FIXED = 16;

/** Size in bytes, by the program alone, from which the actual size is checked at run time. */
export const LONG = 65_536;

/** Estimated sizes of a plan's values, in bytes by order of magnitude. */
export interface ValueSizes {
  readonly sizeOf: (plan: Plan) => number;
  /** The same for the rows that a SELECT processes. */
  readonly sizeOfRows: (plan: Select) => number;
  /** Number of parts of the plan that produce long values. */
  readonly generators: number;
}

/** Computes the sizes of a plan's parts, and of later replacements. */
export function valueSizes(whole: Plan): ValueSizes {
  const sizes = new Sizes();
  walkPlan(whole, (plan) => sizes.bind(plan));
  let generators = 0;
  walkPlan(whole, (plan) => {
    if (isComputed(plan) && sizes.of(plan) > LONG) generators += 1;
  });
  return { generators, sizeOf: (plan) => sizes.of(plan), sizeOfRows: (plan) => sizes.rowsOf(plan) * FIXED };
}

/** Known sizes of plans, in bytes. */
class Sizes {
  readonly #variables = new Map<VariableId, () => number>();
  readonly #known = new WeakMap<Plan, number>();

  of(plan: Plan): number {
    const found = this.#known.get(plan);
    if (found !== undefined) return found;
    // Met again before it is known: the step of a REDUCE refers to its own result.
    this.#known.set(plan, ENDLESS);
    const sizeOf = SIZES[plan.kind] as SizeOf<Plan>; // each is asked for plans of its kind
    const size = fixedSize(plan.type) ?? Math.min(ENDLESS, Math.max(FIXED, sizeOf(plan, this)));
    this.#known.set(plan, size);
    return size;
  }

  ofVariable(id: VariableId): number {
    return this.#variables.get(id)?.() ?? OF_DATA;
  }

  most(plans: readonly Plan[]): number {
    return Math.max(0, ...plans.map((plan) => this.of(plan)));
  }

  sum(plans: readonly Plan[]): number {
    return plans.reduce((all, plan) => all + this.of(plan), 0);
  }

  /** Returns the number of rows that a SELECT processes. */
  rowsOf({ sources }: Select): number {
    return sources.reduce(
      (rows, { collection }) => Math.min(ENDLESS, rows * Math.max(1, this.of(collection) / this.#ofElement(collection))),
      1,
    );
  }

  /** Notes the sizes of the variables that a plan binds. */
  bind(plan: Plan): void {
    const variables = this.#variables;
    if (plan.kind === 'Let') variables.set(plan.id, () => this.of(plan.value));
    if (plan.kind === 'Reduce') {
      variables.set(plan.accumulator, () => ENDLESS);
      variables.set(plan.element, () => this.#ofElement(plan.collection));
    }
    if (plan.kind === 'Select') {
      for (const { row, collection } of plan.sources) variables.set(row, () => this.#ofElement(collection));
      for (const { id, rolledUp, value } of plan.grouping?.keys ?? []) {
        variables.set(id, () => this.of(value));
        if (rolledUp !== null) variables.set(rolledUp, () => fixedSize(long) ?? ENDLESS);
      }
      variables.set(plan.itemVariable, () => this.of(plan.item));
    }
  }

  #ofElement(plan: Plan): number {
    if (plan.type.kind !== 'CollectionType') return this.of(plan);
    const fixed = fixedSize(plan.type.element);
    if (fixed !== null) return fixed;
    if (plan.kind === 'Select') return this.of(plan.item);
    if (plan.kind === 'CollectionLiteral') return this.most(plan.elements);
    if (plan.kind === 'SetOperation') return Math.max(...plan.operands.map((operand) => this.#ofElement(operand)));
    return this.of(plan);
  }
}

type SizeOf<P> = (plan: P, sizes: Sizes) => number;

const ofData = (): number => OF_DATA;
const ofOperand: SizeOf<{ readonly operand: Plan }> = ({ operand }, sizes) => sizes.of(operand);
const ofTarget: SizeOf<{ readonly target: Plan }> = ({ target }, sizes) => sizes.of(target);
const ofOperands: SizeOf<{ readonly operands: readonly Plan[] }> = ({ operands }, sizes) => sizes.sum(operands);
const ofAggregated: SizeOf<{ readonly arguments: readonly Plan[] }> = (plan, sizes) => Math.max(OF_DATA, sizes.sum(plan.arguments));
const ofRead: SizeOf<{ readonly type: Type }> = ({ type }) => (type.kind === 'CollectionType' ? OF_DATA : LONG);

/** Size of a plan of each kind, by the sizes of its parts. */
const SIZES: { readonly [K in Plan['kind']]: SizeOf<Plan & { readonly kind: K }> } = {
  Constant: ({ value }) => (typeof value === 'string' ? value.length : 0),
  Variable: ({ id }, sizes) => sizes.ofVariable(id),
  Let: ({ body }, sizes) => sizes.of(body),
  Convert: ofOperand,
  Try: ofOperand,
  Noted: ofOperand,
  Cast: ({ operand }, sizes) => sizes.of(operand) * 2,
  Arithmetic: ofOperands,
  Case: ({ branches, otherwise }, sizes) => sizes.most([...branches.map(({ then }) => then), otherwise]),
  Coalesce: ({ operands }, sizes) => sizes.most(operands),
  RecordLiteral: ({ values }, sizes) => sizes.sum(values),
  CollectionLiteral: ({ elements }, sizes) => sizes.sum(elements),
  Field: ofTarget,
  Navigate: ofTarget,
  Element: ofTarget,
  Call: sizeOfCall,
  Reduce: () => ENDLESS,
  Select: (plan, sizes) => sizes.of(plan.item) * (plan.isSingle ? 1 : sizes.rowsOf(plan)),
  SetOperation: ofOperands,
  Aggregate: ofAggregated,
  WindowCall: (plan, sizes) => (joinsValues(plan) ? ENDLESS : ofAggregated(plan, sizes)),
  Read: ofRead,
  TableScan: ofRead,
  Parameter: ofData,
  Comparison: ofData,
  Logical: ofData,
  Not: ofData,
  IsNull: ofData,
  In: ofData,
  Like: ofData,
};

/** Returns whether each row gets all values of its frame. They are references, until a function of the row copies them. */
function joinsValues({ function: name, type }: WindowCall): boolean {
  return type.kind === 'CollectionType' || findFunction(name)?.joinsValues === true;
}

function sizeOfCall(plan: Call, sizes: Sizes): number {
  const grown = findFunction(plan.function)?.resultBytes?.(
    plan.arguments.map((argument) => sizes.of(argument)),
    plan.arguments,
  );
  if (grown === undefined) return sizes.sum(plan.arguments);
  return Number.isNaN(grown) ? ENDLESS : grown;
}

/** Returns whether a plan computes a value rather than only accessing one. */
export function isComputed({ kind }: Plan): boolean {
  return kind !== 'Variable' && kind !== 'Let' && kind !== 'Field' && kind !== 'Read' && kind !== 'TableScan' && kind !== 'Convert';
}

/** Returns the size of a type whose values all have the same size; null for others. */
export function fixedSize(type: Type): number | null {
  if (type.kind === 'PrimitiveType') return type.name === 'string' || type.name === 'binary' ? null : FIXED;
  if (type.kind !== 'RecordType') return null;
  return type.fields.reduce<number | null>((all, field) => {
    const size = fixedSize(field.type);
    return all === null || size === null ? null : all + size;
  }, 0);
}
