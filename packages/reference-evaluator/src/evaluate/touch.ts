import type { Term } from '../program/term.ts';
import { boundValues, outermostTerms, partsOf } from '../program/tree.ts';
import { unguardedTerms } from '../program/unguarded.ts';
import { RunTimeError } from '../values/value.ts';
import type { Environment } from './environment.ts';
import { UnboundVariable, evaluate } from './environment.ts';

/** Evaluates an unneeded expression that the engine may evaluate: if it fails, the program may fail. */
export function attempt(environment: Environment, run: () => void): void {
  try {
    run();
  } catch (thrown) {
    if (!(thrown instanceof RunTimeError)) throw thrown;
    environment.progress.hasFailed = true;
  }
}

/** Evaluates the parts of unneeded terms that do not depend on a row: the engine may compute them once for all rows, and fail. */
export function touch(terms: unknown, environment: Environment): void {
  for (const term of outermostTerms(terms, ({ kind }) => typeof kind === 'string' && kind in environment.rules)) {
    try {
      attempt(environment, () => evaluate(term as unknown as Term, environment));
      touch(boundValues(term), environment);
    } catch (thrown) {
      if (!(thrown instanceof UnboundVariable)) throw thrown;
      touch(partsOf(term), environment);
      touchBounds(term, environment);
    }
  }
}

/** LIMIT and OFFSET use no row of their SELECT: the engine may check them for negative values even if there are no rows. */
function touchBounds({ kind, limit, offset }: Readonly<Record<string, unknown>>, environment: Environment): void {
  if (kind !== 'select' && kind !== 'ordered-chain') return;
  for (const bound of [limit, offset] as readonly (Term | null)[]) {
    try {
      attempt(environment, () => {
        const value = bound === null ? null : evaluate(bound, environment);
        if (typeof value === 'bigint' && value < 0n) throw new RunTimeError('negative LIMIT or OFFSET');
      });
    } catch (thrown) {
      if (!(thrown instanceof UnboundVariable)) throw thrown;
    }
  }
}

/** Evaluates the unguarded parts of terms whose branch may not be taken: if one fails, the program may fail. */
export function touchBranches(terms: unknown, environment: Environment): void {
  for (const term of unguardedTerms(terms)) {
    try {
      attempt(environment, () => void evaluate(term as unknown as Term, environment));
    } catch (thrown) {
      if (!(thrown instanceof UnboundVariable)) throw thrown;
      touchBranches(partsOf(term), environment);
    }
  }
}
