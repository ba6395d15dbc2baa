/** A mutant that means the same as the code, looked at by somebody: no test can kill it. */
export interface EquivalentMutant {
  readonly file: string;
  /** The line it begins in, without the spaces around it: where that one changes, the mutant is looked at again. */
  readonly line: string;
  /** What stands there; a part of the line, or the beginning of what goes on below it. */
  readonly before: string;
  /** What the mutant has in its place; null where it removes the statement. */
  readonly after: string | null;
  readonly reason: string;
}

/**
 * All of them, by file. They are run like the others and counted apart: a run fails at one that a test kills, and at one that is no
 * mutant any more. What only costs time or could be removed from the code does not belong here.
 */
export const EQUIVALENT_MUTANTS: readonly EquivalentMutant[] = [];
