import { parseLikePattern, type LikePattern } from '@svc/database';
import { ServiceError } from '@svc/errors';

/**
 * The pattern of a list: as LIKE has it, `\` takes the next character as it is. None lists all; one that cannot be used
 * is `bad_request`.
 */
export function readPattern(text: string | undefined): LikePattern | undefined {
  if (text === undefined) return undefined;
  const pattern = parseLikePattern(text);
  if (pattern !== undefined) return pattern;
  throw new ServiceError('bad_request', 'The pattern ends in a \\ that takes no character, or holds U+0000.');
}
