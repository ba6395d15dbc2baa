import { isRefusedStatement, LostConnectionError, NoConnectionError } from '@svc/database';
import { ownValue } from '@svc/query-language';
import { DatabaseError } from 'pg';

/** Temporary failures of PostgreSQL by SQLSTATE, in words for the owner of a stream. */
const TROUBLES: Readonly<Record<string, string>> = {
  '25006': 'it is read-only',
  '40001': 'it asks to try again',
  '40P01': 'it met a deadlock',
  '53100': 'its disk is full',
  '53200': 'it is out of memory',
  '53300': 'it has too many connections',
  '55P03': 'the table is locked by somebody',
  '57014': 'the statement took too long',
  '57P01': 'it is being stopped',
  '57P02': 'it has crashed',
  '57P03': 'it is starting',
};

/** Describes why PostgreSQL is unavailable; null if the failure is not PostgreSQL's. */
export function databaseTrouble(thrown: unknown): string | null {
  if (thrown instanceof NoConnectionError || thrown instanceof LostConnectionError)
    return databaseTrouble(thrown.cause) ?? 'it cannot be reached';
  if (thrown instanceof DatabaseError)
    return (
      ownValue(TROUBLES, thrown.code ?? '') ?? (isRefusedStatement(thrown) ? `it refused the batch (${thrown.code})` : 'it is not ready')
    );
  if (!(thrown instanceof Error)) return null;
  const { code } = thrown as NodeJS.ErrnoException;
  const isConnection = code !== undefined && /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_)/.test(code);
  return isConnection ||
    /Connection terminated|timeout exceeded when trying to connect|not queryable|Client was closed/.test(thrown.message)
    ? 'it cannot be reached'
    : null;
}

const UNDEFINED_TABLE = '42P01';

/** Returns whether the table of the rows was dropped. */
export function isTableGone(thrown: unknown): boolean {
  return thrown instanceof DatabaseError && thrown.code === UNDEFINED_TABLE;
}
