import { types } from 'node:util';

import { invalidQuery } from '@svc/errors';
import type { SourceText } from '@svc/query-language';

/**
 * Work that goes down a program. The parser bounds how deep one is written, but not the chains that declarations and operators make of it:
 * one for which the stack is too small is refused like any other that is too large.
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
