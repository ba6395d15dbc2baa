/** The control characters to keep. */
export interface CleanOptions {
  readonly keepTabs?: boolean;
  readonly keepLines?: boolean;
}

/** Replaces control characters, with which a text could steer the terminal. */
export function cleanText(text: string, { keepTabs = false, keepLines = false }: CleanOptions = {}): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, (character) => {
    if ((keepTabs && character === '\t') || (keepLines && character === '\n')) return character;
    return '\uFFFD';
  });
}
