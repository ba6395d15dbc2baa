import { DatabaseError } from 'pg';

const LOCK_NOT_AVAILABLE = '55P03';

/** Returns whether a statement failed because it exceeded the lock timeout. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE;
}
