declare const likePattern: unique symbol;

/** A pattern that can be handed to LIKE: `%` for any text, `_` for one character, `\` takes the next character as it is. */
export type LikePattern = string & { readonly [likePattern]: true };

/**
 * Reads a caller's pattern. Undefined where it cannot be used: a `\` at the end escapes nothing, and U+0000 cannot be sent.
 * Its meaning is that of LIKE with its default escape character, so the text need not be rewritten.
 */
export function parseLikePattern(text: string): LikePattern | undefined {
  let trailing = 0;
  while (text.at(-1 - trailing) === '\\') trailing += 1;
  const isUsable = trailing % 2 === 0 && !text.includes('\u0000');
  // The check above is what the brand stands for.
  return isUsable ? (text as LikePattern) : undefined;
}
