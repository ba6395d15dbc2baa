import { DatabaseError } from 'pg';

const UNIQUE_VIOLATION = '23505';

/** Whether a statement failed because such a row exists already; with a name, only for the constraint or index of that name. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return error instanceof DatabaseError && error.code === UNIQUE_VIOLATION && (constraint === undefined || error.constraint === constraint);
}
