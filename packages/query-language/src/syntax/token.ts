import type { Span } from '../text/span.ts';

/** `word` is a keyword or a plain identifier; the grammar decides. */
export type TokenKind = 'word' | 'quoted' | 'number' | 'string' | 'regex' | 'symbol' | 'end';

/** A token. `text` is as written; `value` is the decoded name, string or digits. */
export interface Token {
  readonly kind: TokenKind;
  readonly span: Span;
  readonly text: string;
  readonly value: string;
  /** For a word: its text in upper case, for comparison with keywords; otherwise empty. */
  readonly keyword: string;
  /** For a number: its type by suffix and size. */
  readonly numberType: 'int' | 'long' | 'float' | 'double' | 'decimal' | null;
}

/** Describes a token in a message. */
export function describeToken(token: Token): string {
  if (token.kind === 'end') return 'the end of the text';
  return token.text.length > 30 ? `${token.text.slice(0, 30)}…` : token.text;
}

/** Returns whether a token is this symbol. */
export function isSymbol(token: Token, symbol: string): boolean {
  return token.kind === 'symbol' && token.text === symbol;
}
