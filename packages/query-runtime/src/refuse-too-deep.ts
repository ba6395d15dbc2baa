import { types } from 'node:util';

import { invalidQuery } from '@svc/errors';
import type { SourceText } from '@svc/query-language';

/**
 * Runs work that recurses into a program. The parser bounds the depth of the source, but not of the chains that declarations
 * and operators build: one that overflows the stack is rejected as too large.
 */
export async function refuseTooDeep<Result>({ text, positionOf }: SourceText, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    if (!isStackOverflow(thrown)) throw thrown;
    throw invalidQuery([
      {
        message: 'the program is too large: its parts depend on each other too deeply',
        positions: [positionOf({ start: 0, end: text.length })],
      },
    ]);
  }
}

/** Node has no other mark of it than its words. */
function isStackOverflow(thrown: unknown): boolean {
  return types.isNativeError(thrown) && thrown.message === 'Maximum call stack size exceeded';
}
