import { DatabaseError } from 'pg';

const LOCK_NOT_AVAILABLE = '55P03';

/** Whether a statement failed because others held what it needed longer than it may wait. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE;
}
