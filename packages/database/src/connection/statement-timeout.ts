import { DatabaseError } from 'pg';

const QUERY_CANCELED = '57014';

/** Returns whether the server ended a statement that exceeded its time limit or was cancelled. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === QUERY_CANCELED;
}
