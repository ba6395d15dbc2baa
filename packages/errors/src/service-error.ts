import { ERROR_CATALOG, type ErrorCode } from './error-catalog.ts';

/** What may go with a coded error beside its text. */
export interface ServiceErrorOptions {
  /** For the log only: never shown to a caller. */
  readonly cause?: unknown;
  /** Response headers that belong to the error: `Retry-After`, `Allow`, `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Public members beside `code` and `message`, such as `validationErrors`. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/**
 * An error that a caller can cause, or has to know of: answered as `{code, message}` with the status of its code.
 * `subject` is what the catalogue's text for the code is about; for most codes it is the whole public text.
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

/** What cannot be had now, and may be later: `service_unavailable` with the time to wait. `cause` is for the log only. */
export function serviceUnavailable(message: string, cause?: unknown): ServiceError {
  return new ServiceError('service_unavailable', message, { cause, headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
}

/** Whether something thrown is a coded error of ours. */
export function isServiceError(thrown: unknown): thrown is ServiceError {
  return thrown instanceof ServiceError;
}
