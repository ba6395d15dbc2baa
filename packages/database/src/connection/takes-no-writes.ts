import { DatabaseError } from 'pg';

/** Disk full, out of memory, a limit of its configuration, a read-only transaction. */
const CODES: ReadonlySet<string | undefined> = new Set(['53100', '53200', '53400', '25006']);

/** Whether a statement failed because the server has no room, or only reads now: it can be repeated when somebody has mended that. */
export function takesNoWrites(error: unknown): boolean {
  return error instanceof DatabaseError && CODES.has(error.code);
}
