/** Messages of the operating system and of SQLite. */
const WORDS = /No space left on device|disk is full/;
/** Maximum number of nested causes to inspect. */
const MOST_CAUSES = 10;

/** Returns whether a failure, or one of its causes, is a full disk of the service. */
export function isDiskFull(failure: unknown): boolean {
  let cause = failure;
  for (let depth = 0; depth < MOST_CAUSES && typeof cause === 'object' && cause !== null; depth += 1) {
    if ('code' in cause && cause.code === 'ENOSPC') return true;
    if ('message' in cause && typeof cause.message === 'string' && WORDS.test(cause.message)) return true;
    cause = 'cause' in cause ? cause.cause : null;
  }
  return false;
}
