import { parseLikePattern, type LikePattern } from '@svc/database';
import { ServiceError } from '@svc/errors';

/** Parses the pattern of a list, with LIKE's syntax. Without one all match; an invalid one is `bad_request`. */
export function readPattern(text: string | undefined): LikePattern | undefined {
  if (text === undefined) return undefined;
  const pattern = parseLikePattern(text);
  if (pattern !== undefined) return pattern;
  throw new ServiceError('bad_request', 'The pattern ends in a \\ that takes no character, or holds U+0000.');
}
