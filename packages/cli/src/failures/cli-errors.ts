import type { SourceText } from './draw-problem.ts';

/** A failure explained by its message alone; exit code 1. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** A command line that cannot be used; the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The user interrupted; the exit code is 130. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/** A failure in a text that the user has sent: its errors are drawn below the lines of the text. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly source: SourceText;

  constructor(source: SourceText, cause: Error) {
    super(cause.message, { cause });
    this.source = source;
  }
}
