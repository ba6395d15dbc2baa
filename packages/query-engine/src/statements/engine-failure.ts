/** Class of a failure, derived from the engine's message. */
export type EngineFailureClass =
  | 'overflow'
  | 'division-by-zero'
  | 'cast'
  | 'out-of-memory'
  | 'spool-full'
  | 'too-complex'
  | 'interrupted'
  | 'csv'
  | 'json'
  | 'parquet'
  | 'missing-file'
  | 'unreadable'
  | 'user-error'
  | 'internal';

/** JSON has a member that its type lacks, or bytes are not UTF-8. */
export type DataFault = 'unknown-member' | 'not-utf8';

/** Further properties of a failure. */
export interface EngineFailureDetails {
  /** Line of the SQL text where a cast failed, from 1. */
  readonly line?: number | undefined;
  /** The id that `error('E17…')` carried. */
  readonly errorId?: string | undefined;
  /** Line of the file that was read, from 1; Infinity if any line of any file may have failed. */
  readonly sourceLine?: number | undefined;
  /** Name of the column that was read. */
  readonly sourceColumn?: string | undefined;
  /** The file, by the engine's path: not for callers. */
  readonly sourcePath?: string | undefined;
  /** Fault of the data that callers treat apart. */
  readonly fault?: DataFault | undefined;
  /** True if the engine is broken: its instance must be replaced. */
  readonly isFatal?: boolean | undefined;
  readonly cause?: unknown;
}

/** Failure of a statement. `message` is public: it contains no SQL, no path and no hint on settings. */
export class EngineFailure extends Error {
  readonly failureClass: EngineFailureClass;
  readonly line: number | undefined;
  readonly errorId: string | undefined;
  readonly sourceLine: number | undefined;
  readonly sourceColumn: string | undefined;
  readonly sourcePath: string | undefined;
  readonly fault: DataFault | undefined;
  readonly isFatal: boolean;

  constructor(failureClass: EngineFailureClass, message: string, details: EngineFailureDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'EngineFailure';
    this.failureClass = failureClass;
    this.line = details.line;
    this.errorId = details.errorId;
    this.sourceLine = details.sourceLine;
    this.sourceColumn = details.sourceColumn;
    this.sourcePath = details.sourcePath;
    this.fault = details.fault;
    this.isFatal = details.isFatal ?? false;
  }
}

/** Returns the failure of a statement that its signal has ended. */
export function interrupted({ reason }: AbortSignal): EngineFailure {
  return new EngineFailure('interrupted', 'the query was cancelled', { cause: reason });
}

/** Returns whether a thrown value is an EngineFailure. */
export function isEngineFailure(thrown: unknown): thrown is EngineFailure {
  return thrown instanceof EngineFailure;
}
