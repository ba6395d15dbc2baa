import { DatabaseError } from 'pg';

/** Disk full, out of memory, a limit of its configuration, a read-only transaction. */
const CODES: ReadonlySet<string | undefined> = new Set(['53100', '53200', '53400', '25006']);

/** Returns whether a statement failed because the server is out of space or read-only; it can be retried once that is resolved. */
export function takesNoWrites(error: unknown): boolean {
  return error instanceof DatabaseError && CODES.has(error.code);
}
