import type { Span } from '../text/span.ts';

/** `word` is a keyword or a plain identifier: which one, the grammar tells. */
export type TokenKind = 'word' | 'quoted' | 'number' | 'string' | 'regex' | 'symbol' | 'end';

/** A token. `text` is as written, `value` what it says: the name, the string, the digits. */
export interface Token {
  readonly kind: TokenKind;
  readonly span: Span;
  readonly text: string;
  readonly value: string;
  /** Of a word: its text in upper case, to be compared with keywords; otherwise empty. */
  readonly keyword: string;
  /** Of a number: its type by suffix and size. */
  readonly numberType: 'int' | 'long' | 'float' | 'double' | 'decimal' | null;
}

/** How a token is named in a message. */
export function describeToken(token: Token): string {
  if (token.kind === 'end') return 'the end of the text';
  return token.text.length > 30 ? `${token.text.slice(0, 30)}…` : token.text;
}
