import type { Term, TermKind, Window } from '../program/term.ts';
import type { Value } from '../values/value.ts';
import { RunTimeError, Unpromised } from '../values/value.ts';
import type { Sampler } from './sampler.ts';

/** The rows of a group, in blocks as those of a collection. */
export type RowBlocks = readonly (readonly Environment[])[];

/** Evaluates the terms of one kind. */
export type Rule<Kind extends TermKind> = (term: Extract<Term, { readonly kind: Kind }>, environment: Environment) => Value;

/** Evaluation rule of each kind of term. */
export type Rules = { readonly [Kind in TermKind]: Rule<Kind> };

/** The values of names and `*` during the evaluation of an expression, and the rules by which its parts are evaluated. */
export interface Environment {
  readonly rules: Rules;
  readonly values: ReadonlyMap<number, Value | (() => Value)>;
  /** The rows of the group, by the number of its SELECT. */
  readonly groups: ReadonlyMap<number, RowBlocks>;
  /** The rows that windows are over, and which of them this is, by the number of the SELECT. */
  readonly windows: ReadonlyMap<number, WindowRows>;
  readonly progress: Progress;
}

/** The rows that the windows of a SELECT are over, and one of them. */
export interface WindowRows {
  readonly rows: readonly Environment[];
  readonly row: Environment;
  /** The values of the windows that have been computed: each is computed for all rows at once. */
  readonly known: Map<Window, ReadonlyMap<Environment, Value>>;
}

/** State of an evaluation. */
export interface Progress {
  /** True if an unneeded expression failed: both a result and the failure are correct then. */
  hasFailed: boolean;
  stepsLeft: number;
  /** Replaces the value of a failing expression; null if failures count. */
  sample: Sampler | null;
}

/** Creates the environment of a program. */
export function emptyEnvironment(rules: Rules, sample: Sampler | null): Environment {
  const progress: Progress = { hasFailed: false, stepsLeft: 200_000, sample };
  return { rules, values: new Map(), groups: new Map(), windows: new Map(), progress };
}

/** Returns whether there are no rows. */
export function isEmpty(rows: RowBlocks): boolean {
  return rows.every((block) => block.length === 0);
}

/** Returns the environment with further variables; a function is a value that is computed when it is used. */
export function bind(environment: Environment, bindings: readonly (readonly [id: number, value: Value | (() => Value)])[]): Environment {
  const values = new Map(environment.values);
  for (const [id, value] of bindings) values.set(id, value);
  return { ...environment, values };
}

/**
 * A term uses a variable that is not bound in its environment. It has no stack: most terms that are tried throw one, and stacks
 * took half the time.
 */
export class UnboundVariable extends Error {
  constructor(id: number) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(`nothing is bound to variable ${id}`);
    Error.stackTraceLimit = limit;
  }
}

/** Evaluates an expression. With a sampler it does not fail: a sample replaces a failing value. */
export function evaluate(term: Term, environment: Environment): Value {
  environment.progress.stepsLeft -= 1;
  if (environment.progress.stepsLeft < 0) throw new Unpromised('too long');
  const rule = environment.rules[term.kind] as Rule<TermKind>;
  try {
    return rule(term, environment);
  } catch (thrown) {
    if (environment.progress.sample === null || !(thrown instanceof RunTimeError)) throw thrown;
    return environment.progress.sample(term.shape);
  }
}

/** The number of the variable that an item of a SELECT is bound to in its ORDER BY; other variables have positive ones. */
export function itemId(select: number, index: number): number {
  return -(select * 100 + index + 1);
}

/** The number of the variable that is TRUE in the groups of a grouping that leaves out a key. */
export function leftOutId(key: number): number {
  return -key;
}

/** Returns the value of a variable; throws if nothing is bound to it. */
export function lookUp(environment: Environment, id: number): Value {
  const found = environment.values.get(id);
  if (found === undefined) throw new UnboundVariable(id);
  return typeof found === 'function' ? found() : found;
}
