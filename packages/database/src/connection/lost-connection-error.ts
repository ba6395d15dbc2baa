import { types } from 'node:util';

import { DatabaseError } from 'pg';

/** A connection broke, or its server ended it, during a statement: whether the statement took effect is unknown. */
export class LostConnectionError extends Error {
  constructor(cause: unknown) {
    super(`The connection to the database was lost: ${types.isNativeError(cause) ? cause.message : String(cause)}`, { cause });
    this.name = 'LostConnectionError';
  }
}

/** Codes of a server that stops, has crashed, or ends a session. */
const ENDED = /^(08|57P)/;
const BROKEN: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);
/** The driver's own words, which have no code. */
const DRIVER = /^(Connection terminated|Client has encountered a connection error|Client was closed)/;

/** Converts the driver's errors about a broken connection to LostConnectionError; returns others unchanged. */
export function asLostConnection(thrown: unknown): unknown {
  if (!types.isNativeError(thrown)) return thrown;
  const code = 'code' in thrown ? String(thrown.code) : '';
  const isLost = thrown instanceof DatabaseError ? ENDED.test(code) : BROKEN.has(code) || DRIVER.test(thrown.message);
  return isLost ? new LostConnectionError(thrown) : thrown;
}
