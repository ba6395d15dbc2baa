import type { Value } from './value.ts';
import type { Sampler } from './sample.ts';
import { RunTimeError } from './value.ts';

/** The rows of a group, in blocks as those of a collection. */
export type RowBlocks = readonly (readonly Environment[])[];

/** What names and `*` stand for where an expression is evaluated. */
export interface Environment {
  readonly values: ReadonlyMap<number, Value | (() => Value)>;
  /** The rows of the group, by the number of its SELECT. */
  readonly groups: ReadonlyMap<number, RowBlocks>;
  /** The rows that windows are over, and which of them this is, by the number of the SELECT. */
  readonly windows: ReadonlyMap<number, { readonly rows: readonly Environment[]; readonly row: Environment }>;
  readonly progress: Progress;
}

/** What was seen on the way. */
export interface Progress {
  /** What nobody asked for failed: then both a result and the failure are right. */
  hasFailed: boolean;
  stepsLeft: number;
  /** Gives a value in place of one that fails; null where failures count. */
  sample: Sampler | null;
}

/** The environment of a program. */
export function emptyEnvironment(sample: Sampler | null): Environment {
  return { values: new Map(), groups: new Map(), windows: new Map(), progress: { hasFailed: false, stepsLeft: 200_000, sample } };
}

/** Whether there are no rows. */
export function isEmpty(rows: RowBlocks): boolean {
  return rows.every((block) => block.length === 0);
}

/** With values bound to variables; a function is a value that is computed when it is used. */
export function bind(environment: Environment, bindings: readonly (readonly [id: number, value: Value | (() => Value)])[]): Environment {
  return { ...environment, values: new Map([...environment.values, ...bindings]) };
}

/** Runs what nobody asked for, but the engine may: if it fails, the program may. */
export function attempt(environment: Environment, run: () => void): void {
  try {
    run();
  } catch (thrown) {
    if (!(thrown instanceof RunTimeError)) throw thrown;
    environment.progress.hasFailed = true;
  }
}
