import { types } from 'node:util';

/** No connection could be had: the server is not reached or takes no more, or all that there may be are in use for too long. */
export class NoConnectionError extends Error {
  constructor(cause: unknown) {
    super(`There is no connection to the database: ${types.isNativeError(cause) ? cause.message : String(cause)}`, { cause });
    this.name = 'NoConnectionError';
  }
}
