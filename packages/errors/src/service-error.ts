import { ERROR_CATALOG, type ErrorCode } from './error-catalog.ts';

/** Optional parts of a coded error. */
export interface ServiceErrorOptions {
  /** For the log only: never shown to a caller. */
  readonly cause?: unknown;
  /** Response headers of the error: `Retry-After`, `Allow`, `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Public members besides `code` and `message`, such as `validationErrors`. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/**
 * An error that a caller can cause or must be told of: answered as `{code, message}` with the status of its code. `subject`
 * is the parameter of the catalogue's text; for most codes it is the whole public text.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, subject: string, options: ServiceErrorOptions = {}) {
    const spec = ERROR_CATALOG[code];
    super(spec.message(subject), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = spec.status;
    this.headers = options.headers ?? {};
    this.members = options.members ?? {};
  }
}

const RETRY_AFTER_SECONDS = '5';

/** Creates a `service_unavailable` error for a temporary condition, with the time to wait. `cause` is for the log only. */
export function serviceUnavailable(message: string, cause?: unknown): ServiceError {
  return new ServiceError('service_unavailable', message, { cause, headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
}

/** Returns whether a thrown value is a coded error. */
export function isServiceError(thrown: unknown): thrown is ServiceError {
  return thrown instanceof ServiceError;
}
