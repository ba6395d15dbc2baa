declare const likePattern: unique symbol;

/** A pattern for LIKE: `%` matches any text, `_` one character, and `\` escapes the next character. */
export type LikePattern = string & { readonly [likePattern]: true };

/**
 * Reads a caller's pattern. Undefined where it cannot be used: a `\` at the end escapes nothing, and U+0000 cannot be sent.
 * Its meaning is that of LIKE with its default escape character, so the text need not be rewritten.
 */
export function parseLikePattern(text: string): LikePattern | undefined {
  let trailing = 0;
  while (text.at(-1 - trailing) === '\\') trailing += 1;
  const isUsable = trailing % 2 === 0 && !text.includes('\u0000');
  // The brand records that the check above has passed.
  return isUsable ? (text as LikePattern) : undefined;
}
