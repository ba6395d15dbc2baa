/**
 * Skips white space, comments to the end of a line, and words. Character by character: a repeating pattern keeps a
 * backtracking state, and a long word would overflow its stack.
 */

const SPACE = /^\s$/;
const LETTER = /^\p{L}$/u;
/** A stretch of a word: testing each character beyond ASCII by itself would be slow. */
const WORD_STRETCH = /[\p{L}\p{Nd}_]{1,64}/uy;
const ASCII_END = 0x80;
const UNDERSCORE = 0x5f;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Returns the offset of the first character from `start` that is neither white space nor in a line comment. */
export function skipSpace(text: string, start: number): number {
  let offset = start;
  while (offset < text.length) {
    if (isSpace(text, offset)) offset += 1;
    else if (text.startsWith('--', offset) || text.startsWith('//', offset)) offset = lineEnd(text, offset);
    else break;
  }
  return offset;
}

/** Returns the end of the line of `start`: its line break, or the end of the text. */
export function lineEnd(text: string, start: number): number {
  let offset = start;
  while (offset < text.length) {
    const code = text.charCodeAt(offset);
    if (code === LINE_FEED || code === CARRIAGE_RETURN) break;
    offset += 1;
  }
  return offset;
}

/** Returns the end of the word that starts at `start` with a letter or `_`; `start` if there is none. */
export function wordEnd(text: string, start: number): number {
  const code = text.codePointAt(start) ?? 0;
  const begins = code < ASCII_END ? isAsciiLetter(code) : LETTER.test(String.fromCodePoint(code));
  return begins ? wordPartEnd(text, start) : start;
}

/** The offset behind all letters, digits and `_` from `start` on. */
export function wordPartEnd(text: string, start: number): number {
  let offset = start;
  while (offset < text.length) {
    const code = text.charCodeAt(offset);
    if (code >= ASCII_END) {
      WORD_STRETCH.lastIndex = offset;
      if (!WORD_STRETCH.test(text)) break;
      offset = WORD_STRETCH.lastIndex;
    } else if (isAsciiLetter(code) || isAsciiDigit(code)) offset += 1;
    else break;
  }
  return offset;
}

function isSpace(text: string, offset: number): boolean {
  const code = text.charCodeAt(offset);
  if (code < ASCII_END) return code === 0x20 || (code >= 0x09 && code <= CARRIAGE_RETURN);
  return SPACE.test(text.charAt(offset));
}

function isAsciiLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === UNDERSCORE;
}

function isAsciiDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
