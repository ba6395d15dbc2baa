/** A place in a source text. Lines and columns count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A stretch of a source text; `end` is the place just after its last character. */
export interface PositionRange {
  readonly begin: Position;
  readonly end: Position;
}

/** A diagnostic of a query, in its wire form. */
export interface QueryError {
  readonly message: string;
  readonly positions: readonly PositionRange[];
}

/** The body of an answer to a query, view or package code that is invalid or failed while it ran. */
export interface QueryFailureBody {
  readonly validationErrors: readonly QueryError[];
  readonly runtimeError: QueryError | null;
}

/**
 * A query that is invalid or failed while running: answered with status 400 and `{validationErrors, runtimeError}`. `cause`
 * is for the log only.
 */
export class QueryFailure extends Error {
  readonly validationErrors: readonly QueryError[];
  readonly runtimeError: QueryError | null;

  constructor(body: QueryFailureBody, options: { readonly cause?: unknown } = {}) {
    super(
      body.runtimeError?.message ?? body.validationErrors[0]?.message ?? 'The query is invalid.',
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'QueryFailure';
    this.validationErrors = body.validationErrors;
    this.runtimeError = body.runtimeError;
  }
}

/** A failure found before the query ran; `errors` has at least one entry. */
export function invalidQuery(errors: readonly QueryError[]): QueryFailure {
  return new QueryFailure({ validationErrors: errors, runtimeError: null });
}

/** Creates a run-time failure of a query; `cause` is for the log only. */
export function failedQuery(error: QueryError, options: { readonly cause?: unknown } = {}): QueryFailure {
  return new QueryFailure({ validationErrors: [], runtimeError: error }, options);
}

/** Returns whether a thrown value is the failure of a query. */
export function isQueryFailure(thrown: unknown): thrown is QueryFailure {
  return thrown instanceof QueryFailure;
}
