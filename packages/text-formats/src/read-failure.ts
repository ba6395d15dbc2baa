/** Class of a failure of reading: of a format, of the file, or of the process that reads it. */
export type ReadFailureClass = 'csv' | 'json' | 'missing-file' | 'unreadable' | 'interrupted' | 'out-of-memory' | 'spool-full';

/** Further properties of a failure. */
export interface ReadFailureDetails {
  /** The file, by its path on this server: not for callers. */
  readonly sourcePath?: string | undefined;
  readonly cause?: unknown;
}

/** Failure of reading a source. `message` is public: it contains no path of the server. */
export class ReadFailure extends Error {
  readonly failureClass: ReadFailureClass;
  readonly sourcePath: string | undefined;

  constructor(failureClass: ReadFailureClass, message: string, details: ReadFailureDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'ReadFailure';
    this.failureClass = failureClass;
    this.sourcePath = details.sourcePath;
  }
}

/** Creates the failure of a read that was cancelled or ran out of time: its source has no fault. */
export function interrupted(cause: unknown): ReadFailure {
  return new ReadFailure('interrupted', 'the query was cancelled', { cause });
}

/** Returns whether a thrown value is a ReadFailure. */
export function isReadFailure(thrown: unknown): thrown is ReadFailure {
  return thrown instanceof ReadFailure;
}
