/** An answer of the gateway that is no success. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;

  constructor(
    status: number,
    { code, message, requestId }: { readonly code: string; readonly message: string; readonly requestId: string | null },
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

/** Reads the error of an answer, whatever its body turned out to be. */
export function toApiError({ status, headers }: Response, body: unknown): ApiError {
  const { code, message } = (typeof body === 'object' && body !== null ? body : {}) as {
    readonly code?: unknown;
    readonly message?: unknown;
  };
  return new ApiError(status, {
    code: typeof code === 'string' ? code : 'unknown',
    message: typeof message === 'string' ? message : `The gateway answered with status ${status}.`,
    requestId: headers.get('X-Request-Id'),
  });
}

/** Returns a text for somebody who has just seen something fail. */
export function explainError(error: unknown): string {
  if (error instanceof ApiError) {
    const id = error.status >= 500 && error.requestId !== null ? ` The request was ${error.requestId}.` : '';
    return `${error.message}${id}`;
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'The gateway did not answer in time. Try again.';
  if (error instanceof TypeError) return 'The gateway could not be reached. Check your connection and try again.';
  return error instanceof Error ? error.message : 'Something went wrong.';
}
