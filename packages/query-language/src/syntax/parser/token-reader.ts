import type { Span } from '../../text/span.ts';
import { RESERVED_WORDS } from '../../types/print.ts';
import type { Name } from '../ast.ts';
import { syntaxFault, unexpectedToken } from '../syntax-error.ts';
import type { Token } from '../token.ts';
import { describeToken } from '../token.ts';

/** Maximum nesting of brackets, blocks and SELECTs. */
const MAX_NESTING = 200;

/** Position of the parser in the tokens of a text. */
export interface TokenReader {
  readonly tokens: readonly Token[];
  index: number;
  depth: number;
  /** False in the clauses of a SELECT: expressions there stop before UNION, INTERSECT and EXCEPT. */
  allowsSet: boolean;
  /** Index after the last comparison: an operand that ends there takes no further comparison. */
  comparedTo: number;
  /** Expressions that stood in parentheses, with the span of the outermost pair. */
  readonly parenthesized: WeakMap<object, Span>;
}

/** A reader at the first token. */
export function createTokenReader(tokens: readonly Token[]): TokenReader {
  return { tokens, index: 0, depth: 0, allowsSet: true, comparedTo: -1, parenthesized: new WeakMap() };
}

/** The token `ahead` of the current one, without taking it. */
export function peek(p: TokenReader, ahead = 0): Token {
  const token = p.tokens[Math.min(p.index + ahead, p.tokens.length - 1)];
  if (token === undefined) throw new Error('a text has at least its end');
  return token;
}

/** Consumes the current token. */
export function take(p: TokenReader): Token {
  const token = peek(p);
  if (token.kind !== 'end') p.index += 1;
  return token;
}

/** Returns whether the token is this symbol. */
export function isSymbol(token: Token, symbol: string): boolean {
  return token.kind === 'symbol' && token.text === symbol;
}

/** Returns whether the token is this keyword (given in upper case), written in any case. */
export function isWord(token: Token, word: string): boolean {
  return token.keyword === word;
}

/** Consumes the symbol if present. */
export function optionalSymbol(p: TokenReader, symbol: string): Token | null {
  return isSymbol(peek(p), symbol) ? take(p) : null;
}

/** Consumes the keyword if present. */
export function optionalWord(p: TokenReader, word: string): Token | null {
  return isWord(peek(p), word) ? take(p) : null;
}

/** Consumes the symbol, or reports the token in its place. */
export function expectSymbol(p: TokenReader, symbol: string): Token {
  return optionalSymbol(p, symbol) ?? unexpected(p, symbol);
}

/** Consumes the keyword, or reports the token in its place. */
export function expectWord(p: TokenReader, word: string): Token {
  return optionalWord(p, word) ?? unexpected(p, word);
}

/** Reports the current token. */
export function unexpected(p: TokenReader, expected: string): never {
  const token = peek(p);
  return unexpectedToken(token.span, describeToken(token), expected);
}

/** Returns whether the token is a name that needs no back-ticks here. */
export function isPlainName(token: Token): boolean {
  return token.kind === 'quoted' || (token.kind === 'word' && !RESERVED_WORDS.has(token.keyword));
}

/** A name: no reserved word. */
export function expectName(p: TokenReader, what = 'a name'): Name {
  return isPlainName(peek(p)) ? toName(take(p)) : unexpected(p, what);
}

/** A name where any word is one: after `.`, before `:`, after AS. */
export function expectAnyName(p: TokenReader, what = 'a name'): Name {
  const token = peek(p);
  return token.kind === 'word' || token.kind === 'quoted' ? toName(take(p)) : unexpected(p, what);
}

/** Parses a name after AS or `.`, where a text in double quotes is a quoted name too, as in SQL. */
export function expectLabel(p: TokenReader, what = 'a name'): Name {
  return isQuotedLabel(peek(p)) ? toName(take(p)) : expectAnyName(p, what);
}

/** `"…"`, which quotes a name where only a name may stand. */
function isQuotedLabel(token: Token): boolean {
  return token.kind === 'string' && token.text.startsWith('"') && !token.text.startsWith('"""') && token.value !== '';
}

/** The name that a token is. */
export function toName(token: Token): Name {
  return { kind: 'Name', span: token.span, text: token.value, isQuoted: token.kind === 'quoted' || token.kind === 'string' };
}

/** `first {, next}` */
export function many<T>(p: TokenReader, read: () => T): readonly T[] {
  const all = [read()];
  while (optionalSymbol(p, ',') !== null) all.push(read());
  return all;
}

/** Reads something that opens a level of nesting; inside brackets set operators are allowed again. */
export function nested<T>(p: TokenReader, allowsSet: boolean, read: () => T): T {
  p.depth += 1;
  checkDepth(p);
  const result = withSets(p, allowsSet, read);
  p.depth -= 1;
  return result;
}

/** Reads something of the same level in which set operators are allowed, or not. */
export function withSets<T>(p: TokenReader, allowsSet: boolean, read: () => T): T {
  const before = p.allowsSet;
  p.allowsSet = allowsSet;
  const result = read();
  p.allowsSet = before;
  return result;
}

/** Reports the current token if it is nested too deeply; `more` counts nesting other than brackets (signs, NOTs, postfixes). */
export function checkDepth(p: TokenReader, more = 0): void {
  if (p.depth + more > MAX_NESTING) syntaxFault('nested-too-deeply', peek(p).span, MAX_NESTING);
}

/** The span of an expression with the parentheses that it stood in. */
export function outerSpan(p: TokenReader, expression: { readonly span: Span }): Span {
  return p.parenthesized.get(expression) ?? expression.span;
}

/** Returns the span from `start` (a token, or an expression with its parentheses) to the last consumed token. */
export function spanFrom(p: TokenReader, start: { readonly span: Span }): Span {
  return { start: outerSpan(p, start).start, end: p.tokens[p.index - 1]?.span.end ?? start.span.end };
}
