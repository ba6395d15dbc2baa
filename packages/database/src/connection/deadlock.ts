import { DatabaseError } from 'pg';

/** SQLSTATE deadlock_detected. */
const DEADLOCK_DETECTED = '40P01';

/** Returns whether PostgreSQL ended a transaction because it and another one waited for each other. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === DEADLOCK_DETECTED;
}
