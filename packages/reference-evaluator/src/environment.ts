import type { Value } from './value.ts';
import type { Sampler } from './sample.ts';
import { RunTimeError } from './value.ts';

/** The rows of a group, in blocks as those of a collection. */
export type RowBlocks = readonly (readonly Environment[])[];

/** The values of names and `*` during the evaluation of an expression. */
export interface Environment {
  readonly values: ReadonlyMap<number, Value | (() => Value)>;
  /** The rows of the group, by the number of its SELECT. */
  readonly groups: ReadonlyMap<number, RowBlocks>;
  /** The rows that windows are over, and which of them this is, by the number of the SELECT. */
  readonly windows: ReadonlyMap<number, { readonly rows: readonly Environment[]; readonly row: Environment }>;
  readonly progress: Progress;
}

/** State of an evaluation. */
export interface Progress {
  /** True if an unneeded expression failed: both a result and the failure are correct then. */
  hasFailed: boolean;
  stepsLeft: number;
  /** Replaces the value of a failing expression; null if failures count. */
  sample: Sampler | null;
}

/** The environment of a program. */
export function emptyEnvironment(sample: Sampler | null): Environment {
  return { values: new Map(), groups: new Map(), windows: new Map(), progress: { hasFailed: false, stepsLeft: 200_000, sample } };
}

/** Returns whether there are no rows. */
export function isEmpty(rows: RowBlocks): boolean {
  return rows.every((block) => block.length === 0);
}

/** Returns the environment with further variables; a function is a value that is computed when it is used. */
export function bind(environment: Environment, bindings: readonly (readonly [id: number, value: Value | (() => Value)])[]): Environment {
  return { ...environment, values: new Map([...environment.values, ...bindings]) };
}

/** Evaluates an unneeded expression that the engine may evaluate: if it fails, the program may fail. */
export function attempt(environment: Environment, run: () => void): void {
  try {
    run();
  } catch (thrown) {
    if (!(thrown instanceof RunTimeError)) throw thrown;
    environment.progress.hasFailed = true;
  }
}
