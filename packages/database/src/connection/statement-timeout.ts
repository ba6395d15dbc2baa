import { DatabaseError } from 'pg';

const QUERY_CANCELED = '57014';

/** Whether the server ended a statement that ran past its limit, or that somebody cancelled. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === QUERY_CANCELED;
}
