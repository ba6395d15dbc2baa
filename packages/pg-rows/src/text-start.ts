/** Texts that begin alike, as a range by code points. */
export interface TextRange {
  readonly from: string;
  /** The first text after them; null if none is. */
  readonly before: string | null;
}

/** Returns the range of the texts that begin with a text. */
export function textsFrom(start: string): TextRange {
  const characters = [...start];
  while (characters.length > 0) {
    const next = successor(characters.pop()?.codePointAt(0) ?? 0);
    if (next !== null) return { from: start, before: [...characters, next].join('') };
  }
  return { from: start, before: null };
}

/** The next character: surrogates are none. */
function successor(codePoint: number): string | null {
  if (codePoint >= 0x10_ff_ff) return null;
  return String.fromCodePoint(codePoint === 0xd7_ff ? 0xe0_00 : codePoint + 1);
}

/** The beginning of the texts that match a pattern of LIKE. */
export interface PatternStart {
  /** The characters before the first wildcard. */
  readonly start: string;
  /** What may follow: nothing, anything, or what the rest of the pattern says. */
  readonly rest: 'nothing' | 'anything' | 'pattern';
}

/** Returns how texts begin that match a pattern without escapes. */
export function patternStart(pattern: string): PatternStart {
  const [start = ''] = pattern.split(/[%_]/, 1);
  const after = pattern.slice(start.length);
  return { start, rest: after === '' ? 'nothing' : /^%+$/.test(after) ? 'anything' : 'pattern' };
}
