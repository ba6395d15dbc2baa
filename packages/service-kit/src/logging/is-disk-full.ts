/** How the system says so, and SQLite. */
const WORDS = /No space left on device|disk is full/;
/** So many causes of causes are looked at. */
const MOST_CAUSES = 10;

/** Whether something failed since a disk of the service had no space left: the failure itself, or what caused it. */
export function isDiskFull(failure: unknown): boolean {
  let cause = failure;
  for (let depth = 0; depth < MOST_CAUSES && typeof cause === 'object' && cause !== null; depth += 1) {
    if ('code' in cause && cause.code === 'ENOSPC') return true;
    if ('message' in cause && typeof cause.message === 'string' && WORDS.test(cause.message)) return true;
    cause = 'cause' in cause ? cause.cause : null;
  }
  return false;
}
