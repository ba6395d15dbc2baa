/** A mutant equivalent to the code by review: no test can kill it. */
export interface EquivalentMutant {
  readonly file: string;
  /** The line in which it begins, trimmed. If the line changes, the mutant must be reviewed again. */
  readonly line: string;
  /** The original text: a part of the line, or the beginning of a longer construct. */
  readonly before: string;
  /** The mutated text; null if the statement is removed. */
  readonly after: string | null;
  readonly reason: string;
}

/**
 * All equivalent mutants, by file. They run like the others and are counted separately: a run fails at one that a test
 * kills, and at one that no longer exists. Mutants that only cost time, or code that could be removed, do not belong here.
 */
export const EQUIVALENT_MUTANTS: readonly EquivalentMutant[] = [];
