import type { Call, Plan, Select, Type, VariableId } from '@svc/query-language';
import { childrenOfPlan, findFunction } from '@svc/query-language';

import { freeVariables, somePart, walkPlan } from './variables.ts';

/**
 * Number of values of the data from which a value that the program makes of them is long. The size of a long value is checked
 * before it is built, and few rows have theirs at once: without either, a text eight times itself, eight times, for each of
 * 2,048 rows takes gigabytes within one vector of the engine, which it neither accounts for nor can interrupt.
 */
const MANY = 256;

/** Number of characters, of numbers, and of the numbers that a generator makes, that count as one value of the data. */
const CHARACTERS = 256;
const NUMBERS = 16;
const MADE_NUMBERS = 32;

/** The long values of a plan: texts and collections that generators, loops and repetition make. */
export interface LongValues {
  readonly isLong: (plan: Plan) => boolean;
  /** Number of parts of the plan that build one, other than those that are written out. */
  readonly count: number;
}

/** Finds the long values of a plan, and of later replacements of its parts. */
export function findLongValues(whole: Plan): LongValues {
  const copies = new Copies(whole);
  const isLong = (plan: Plan): boolean => copies.of(plan) > MANY;
  let count = 0;
  walkPlan(whole, (plan) => {
    if (BUILDING.has(plan.kind) && isLong(plan) && !isWrittenOut(plan)) count += 1;
  });
  return { isLong, count };
}

const BUILDING = new Set<Plan['kind']>(['Call', 'Arithmetic', 'RecordLiteral', 'CollectionLiteral', 'SetOperation']);

const WRITTEN_OUT = new Set<Plan['kind']>(['RecordLiteral', 'CollectionLiteral', 'Convert', 'Cast']);

/** Returns whether a value is a literal whose texts are constants: the program is as long as the value, whose size needs no check. */
export function isWrittenOut(plan: Plan): boolean {
  if (plan.kind === 'Constant' || fixedSize(plan.type) !== null) return true;
  return WRITTEN_OUT.has(plan.kind) && childrenOfPlan(plan).every(isWrittenOut);
}

/** Counts the values of the data that a value is made of; Infinity if that is unknown before the run. */
class Copies {
  readonly #values = new Map<VariableId, Plan>();
  readonly #rows = new Set<VariableId>();
  readonly #known = new WeakMap<Plan, number>();

  constructor(whole: Plan) {
    walkPlan(whole, (plan) => this.#bind(plan));
  }

  of(plan: Plan): number {
    const found = this.#known.get(plan);
    if (found !== undefined) return found;
    // Met again before it is known: the step of a REDUCE refers to its own result.
    this.#known.set(plan, Infinity);
    const copies = fixedSize(plan.type) === null ? this.#ofKind(plan) : 1 / NUMBERS;
    this.#known.set(plan, copies);
    return copies;
  }

  #bind(plan: Plan): void {
    if (plan.kind === 'Let') this.#values.set(plan.id, plan.value);
    if (plan.kind === 'Reduce') {
      this.#values.set(plan.accumulator, plan);
      this.#bindRow(plan.element, plan.collection);
    }
    if (plan.kind !== 'Select') return;
    for (const { row, collection } of plan.sources) this.#bindRow(row, collection);
    for (const { id, value } of plan.grouping?.keys ?? []) this.#values.set(id, value);
    this.#values.set(plan.itemVariable, plan.item);
  }

  #bindRow(row: VariableId, collection: Plan): void {
    this.#rows.add(row);
    if (!this.#isOfSource(collection)) this.#values.set(row, this.#elementOf(collection));
  }

  /** Returns whether the elements of a collection are values of a source, like its rows: the document that holds them may be long. */
  #isOfSource(plan: Plan): boolean {
    if (plan.kind === 'Read') return true;
    if (plan.kind === 'Field' || plan.kind === 'Navigate' || plan.kind === 'Element') return this.#isOfSource(plan.target);
    if (plan.kind === 'Variable') {
      const value = this.#rows.has(plan.id) ? undefined : this.#values.get(plan.id);
      return value !== undefined && this.#isOfSource(value);
    }
    if (plan.kind !== 'Call') return false;
    const { outputCount, growth = 1 } = findFunction(plan.function) ?? {};
    const makesMore = outputCount !== undefined || growth !== 1;
    return !makesMore && plan.arguments.every((argument) => argument.kind === 'Constant' || this.#isOfSource(argument));
  }

  /** Returns the plan of each element of a collection; the collection itself if there is none. */
  #elementOf(collection: Plan): Plan {
    const value = collection.kind === 'Variable' ? this.#values.get(collection.id) : undefined;
    if (value !== undefined) return this.#elementOf(value);
    return collection.kind === 'Select' && !collection.isSingle ? collection.item : collection;
  }

  sum(plans: readonly Plan[]): number {
    return plans.reduce((all, plan) => all + this.of(plan), 0);
  }

  ofVariable(id: VariableId): number {
    const value = this.#values.get(id);
    return value === undefined ? 1 : this.of(value);
  }

  usesRow(plan: Plan): boolean {
    return [...freeVariables(plan)].some((id) => this.#rows.has(id));
  }

  #ofKind(plan: Plan): number {
    const copiesOf = COPIES[plan.kind] as CopiesOf<Plan> | undefined; // each is called for plans of its kind
    return copiesOf?.(plan, this) ?? Math.max(1, this.sum(childrenOfPlan(plan)));
  }
}

type CopiesOf<P> = (plan: P, copies: Copies) => number;

/** Copies in a plan of each kind; those of other kinds have what their parts have. */
const COPIES: { readonly [K in Plan['kind']]?: CopiesOf<Plan & { readonly kind: K }> } = {
  Constant: ({ value }) => (typeof value === 'string' ? value.length / CHARACTERS : 1 / NUMBERS),
  Variable: ({ id }, copies) => copies.ofVariable(id),
  Let: ({ body }, copies) => copies.of(body),
  Read: ({ type }) => (type.kind === 'CollectionType' ? 1 : Infinity),
  Reduce: () => Infinity,
  Aggregate: () => 1,
  WindowCall: (plan) => (joinsValues(plan) ? Infinity : 1),
  Select: copiesOfSelect,
  Call: copiesOfCall,
};

/** A text or collection of all rows of a source is long if it depends on no row around it: each of those has a copy. */
function copiesOfSelect(plan: Select, copies: Copies): number {
  if (plan.isSingle) return !copies.usesRow(plan) && somePart(plan.item, joinsValues) ? Infinity : copies.of(plan.item);
  return plan.sources.reduce((all, { collection }) => all * Math.max(1, copies.of(collection)), Math.max(1, copies.of(plan.item)));
}

function copiesOfCall(plan: Call, copies: Copies): number {
  const { outputCount, growth = 1 } = findFunction(plan.function) ?? {};
  const made = outputCount?.(plan.arguments) ?? 0;
  if (Number.isNaN(made)) return Infinity;
  if (growth !== 'product') return Math.max(copies.sum(plan.arguments) * growth, made / MADE_NUMBERS);
  const [first, ...others] = plan.arguments.map((argument) => copies.of(argument));
  return (first ?? 1) * Math.max(1, made, (others.at(-1) ?? 1) * MADE_NUMBERS);
}

/** Returns whether a plan is an aggregate whose value has all values of its rows. */
function joinsValues(plan: Plan): boolean {
  if (plan.kind !== 'Aggregate' && plan.kind !== 'WindowCall') return false;
  return plan.type.kind === 'CollectionType' || findFunction(plan.function)?.joinsValues === true;
}

/** Returns the size in bytes of a type whose values all have the same size; null for others. */
export function fixedSize(type: Type): number | null {
  if (type.kind === 'PrimitiveType') return type.name === 'string' || type.name === 'binary' ? null : 16;
  if (type.kind !== 'RecordType') return null;
  return type.fields.reduce<number | null>((all, field) => {
    const size = fixedSize(field.type);
    return all === null || size === null ? null : all + size;
  }, 0);
}
