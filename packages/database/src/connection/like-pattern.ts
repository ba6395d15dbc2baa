declare const likePattern: unique symbol;

/** A pattern for LIKE: `%` matches any text, `_` one character, and `\` escapes the next character. */
export type LikePattern = string & { readonly [likePattern]: true };

/**
 * Parses a caller's pattern. Undefined if it is invalid: a `\` at the end escapes nothing, and U+0000 cannot be sent. The
 * syntax is that of LIKE with its default escape character, so the text is used unchanged.
 */
export function parseLikePattern(text: string): LikePattern | undefined {
  let trailing = 0;
  while (text.at(-1 - trailing) === '\\') trailing += 1;
  const isUsable = trailing % 2 === 0 && !text.includes('\u0000');
  // The brand records that the check above has passed.
  return isUsable ? (text as LikePattern) : undefined;
}
