import { types } from 'node:util';

/** No connection is available: the server is unreachable or refuses more, or all of the pool's are in use for too long. */
export class NoConnectionError extends Error {
  constructor(cause: unknown) {
    super(`There is no connection to the database: ${types.isNativeError(cause) ? cause.message : String(cause)}`, { cause });
    this.name = 'NoConnectionError';
  }
}
