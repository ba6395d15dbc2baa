import { DatabaseError } from 'pg';

const UNIQUE_VIOLATION = '23505';

/** Returns whether a statement violated a unique constraint; with a name, only the constraint or index of that name. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return error instanceof DatabaseError && error.code === UNIQUE_VIOLATION && (constraint === undefined || error.constraint === constraint);
}
