/** A place in a text: lines and columns count from 1, and the end is exclusive. */
export interface SourceRange {
  readonly begin: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
}

/** An error in a query, a view, a package or a transform. */
export interface SourceProblem {
  readonly message: string;
  readonly positions: readonly SourceRange[];
}

/** A fault in the definition of an application, at a JSON pointer. */
export interface DefinitionProblem {
  readonly message: string;
  readonly path: string;
}

/** The members of an error that a client shows. */
export interface ApiErrorDetails {
  /** Undefined for query errors, which have no code. */
  readonly code: string | undefined;
  readonly message: string;
  readonly requestId: string | null;
  readonly problems: readonly SourceProblem[];
  readonly definitionProblems: readonly DefinitionProblem[];
}

/** A response of a service other than a success. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string | undefined;
  readonly requestId: string | null;
  /** The errors of a query: those of its check, or the one of its run. */
  readonly problems: readonly SourceProblem[];
  /** The errors of an application's definition. */
  readonly definitionProblems: readonly DefinitionProblem[];

  constructor(status: number, { code, message, requestId, problems, definitionProblems }: ApiErrorDetails) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.problems = problems;
    this.definitionProblems = definitionProblems;
  }
}

/** Reads the error of a response, whatever its body is. */
export function toApiError({ status, headers }: Response, body: unknown): ApiError {
  const {
    code,
    message,
    validationErrors,
    runtimeError,
    problems: faults,
  } = (typeof body === 'object' && body !== null ? body : {}) as {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly validationErrors?: unknown;
    readonly runtimeError?: unknown;
    readonly problems?: unknown;
  };
  const problems = [...listOf(validationErrors), runtimeError].filter(isSourceProblem);
  return new ApiError(status, {
    code: typeof code === 'string' ? code : undefined,
    message: typeof message === 'string' ? message : (problems[0]?.message ?? `The service answered with status ${status}.`),
    requestId: headers.get('X-Request-Id'),
    problems,
    definitionProblems: listOf(faults).filter(isDefinitionProblem),
  });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isSourceProblem(value: unknown): value is SourceProblem {
  return typeof value === 'object' && value !== null && 'message' in value && 'positions' in value && Array.isArray(value.positions);
}

function isDefinitionProblem(value: unknown): value is DefinitionProblem {
  return typeof value === 'object' && value !== null && 'message' in value && 'path' in value && typeof value.path === 'string';
}
