import { types } from 'node:util';

import { isAddressNotAllowed } from '@svc/network-guard';
import { ownValue } from '@svc/query-language';
import { DatabaseError } from 'pg';

import { SourceFailure, type SourceFailureCause } from '../source-failure.ts';
import type { PgAccess } from './pg-access.ts';

/** Returns whether a server rejected the login: the password, the user, or the method. */
export function isRejected(thrown: unknown): boolean {
  if (thrown instanceof DatabaseError) return REJECTED.has(thrown.code ?? '');
  // Errors of the driver during authentication have no code.
  return types.isNativeError(thrown) && /^SASL: |password/i.test(thrown.message);
}

/** Returns whether a server refused a connection because it, the database or the role has as many as it may. */
export function hasNoPlace(thrown: unknown): boolean {
  return thrown instanceof SourceFailure && thrown.cause instanceof DatabaseError && thrown.cause.code === '53300';
}

const REJECTED: ReadonlySet<string> = new Set(['28P01', '28000']);

/** Converts a failure of a server to words for the author of the query, by its cause; never contains generated SQL or a secret. */
export function explainPg(thrown: unknown, access: Pick<PgAccess, 'server'>, of = `pgsql:${access.server}`): SourceFailure {
  if (thrown instanceof SourceFailure) return thrown;
  const [failure, message] = causeOf(thrown, access);
  return new SourceFailure(failure, `${of}: ${message}`, { cause: thrown });
}

type Cause = readonly [SourceFailureCause, string];

function causeOf(thrown: unknown, { server }: Pick<PgAccess, 'server'>): Cause {
  if (isRejected(thrown))
    return ['authentication', `authentication failed: the database server refused the credentials that are registered for ${server}`];
  if (thrown instanceof DatabaseError) return refusalOf(thrown, server);
  return connectionFault(thrown);
}

const REFUSALS: Readonly<Record<string, (server: string) => Cause>> = {
  '3D000': (server) => ['not-found', `the database that is registered for ${server} does not exist`],
  '42501': () => ['not-allowed', 'permission denied: the registered user may not read this'],
  '53300': () => ['refused', 'the database server takes no more connections'],
  '57P03': () => ['refused', 'the database server is starting or stopping'],
  '57P01': () => ['broken', 'the database server ended the connection'],
  '57014': () => ['timed-out', 'the statement took longer than it may'],
};

/** Returns PostgreSQL's own message: it is about the author's SQL or data. */
function refusalOf({ code = '', message }: DatabaseError, server: string): Cause {
  const known = ownValue(REFUSALS, code);
  return known?.(server) ?? ['broken', `PostgreSQL: ${message.slice(0, MOST_CHARACTERS)}`];
}

const MOST_CHARACTERS = 500;

const FAULTS: Readonly<Record<string, Cause>> = {
  ENOTFOUND: ['refused', 'the host of the database server is not known'],
  EAI_AGAIN: ['refused', 'the host of the database server could not be looked up'],
  ECONNREFUSED: ['refused', 'the database server refused the connection'],
  EHOSTUNREACH: ['refused', 'the database server cannot be reached'],
  ENETUNREACH: ['refused', 'the database server cannot be reached'],
  ECONNRESET: ['broken', 'the connection to the database server broke'],
  EPIPE: ['broken', 'the connection to the database server broke'],
  ETIMEDOUT: ['timed-out', 'the database server did not answer in time'],
};

function connectionFault(thrown: unknown): Cause {
  if (isAddressNotAllowed(thrown)) return ['not-allowed', 'the address of the database server may not be reached from here'];
  if (!types.isNativeError(thrown)) return ['broken', 'the connection to the database server broke'];
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  const known = ownValue(FAULTS, code);
  if (known !== undefined) return known;
  if ('errors' in thrown && Array.isArray(thrown.errors) && thrown.errors.length > 0) return connectionFault(thrown.errors[0]);
  if (code.startsWith('ERR_TLS') || code.includes('CERT') || /SSL|certificate/i.test(thrown.message))
    return ['refused', 'the database server offers no TLS connection that can be trusted as sslmode asks'];
  if (/timeout/i.test(thrown.message)) return ['timed-out', 'the database server did not answer in time'];
  return ['broken', 'the connection to the database server broke'];
}
