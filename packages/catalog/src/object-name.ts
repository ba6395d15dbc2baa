import { ServiceError, type ErrorCode } from '@svc/errors';
import { quoteName } from '@svc/query-language';

const MOST_CHARACTERS = 128;

/**
 * Returns why a name cannot be that of a view, package, table or stream; null if it can: it is usable in a query without
 * back-ticks then.
 */
export function nameProblem(name: string): string | null {
  const shown = JSON.stringify(name.length > MOST_CHARACTERS ? `${name.slice(0, MOST_CHARACTERS)}…` : name);
  if (!/^[A-Za-z_]\w*$/.test(name)) return `${shown} is not an ASCII letter or _ followed by ASCII letters, digits and _.`;
  if (name.length > MOST_CHARACTERS) return `${shown} has ${name.length} characters, and at most ${MOST_CHARACTERS} are possible.`;
  return quoteName(name) === name ? null : `${shown} is a reserved word of the language.`;
}

/** Throws the given error if a name is invalid. */
export function checkName(name: string, code: ErrorCode): void {
  const problem = nameProblem(name);
  if (problem !== null) throw new ServiceError(code, problem);
}
