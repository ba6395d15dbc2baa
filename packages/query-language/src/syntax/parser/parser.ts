import type { Span } from '../../text/span.ts';
import { RESERVED_WORDS } from '../../types/print.ts';
import type { Expression, Name } from '../ast.ts';
import { syntaxFault, unexpectedToken } from '../syntax-error.ts';
import type { Token } from '../token.ts';
import { describeToken, isSymbol } from '../token.ts';

/** Maximum nesting of brackets, blocks and SELECTs. */
const MAX_NESTING = 200;

/** Rules that contain one another. A file of the grammar imports the rules below its own, and calls these on the parser. */
interface RecursiveRules {
  readonly expression: (p: Parser) => Expression;
  readonly or: (p: Parser) => Expression;
  readonly clauses: (p: Parser) => Expression;
  readonly append: (p: Parser) => Expression;
}

/** The tokens of a text, the position in them, and the recursive rules of the grammar. */
export class Parser {
  readonly tokens: readonly Token[];
  readonly #rules: RecursiveRules;
  index = 0;
  depth = 0;
  /** False in the clauses of a SELECT: expressions there stop before UNION, INTERSECT and EXCEPT. */
  allowsSet = true;
  /** Index after the last comparison: an operand that ends there takes no further comparison. */
  comparedTo = -1;
  /** Expressions that stood in parentheses, with the span of the outermost pair. */
  readonly parenthesized = new WeakMap<object, Span>();

  constructor(tokens: readonly Token[], rules: RecursiveRules) {
    this.tokens = tokens;
    this.#rules = rules;
  }

  /** An expression as loose as the place allows. */
  parseExpression(): Expression {
    return this.#rules.expression(this);
  }

  /** An expression without set operators. */
  parseOr(): Expression {
    return this.#rules.or(this);
  }

  /** The operand of a comparison. */
  parseClauses(): Expression {
    return this.#rules.clauses(this);
  }

  /** An expression of the operators of values. */
  parseAppend(): Expression {
    return this.#rules.append(this);
  }

  /** The token `ahead` of the current one, without consuming it. */
  peek(ahead = 0): Token {
    const token = this.tokens[Math.min(this.index + ahead, this.tokens.length - 1)];
    if (token === undefined) throw new Error('a text has at least its end');
    return token;
  }

  /** Consumes the current token. */
  take(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.index += 1;
    return token;
  }

  /** Returns whether a token is this symbol. */
  isSymbol(symbol: string, ahead = 0): boolean {
    return isSymbol(this.peek(ahead), symbol);
  }

  /** Returns whether a token is this keyword (given in upper case), written in any case. */
  isWord(word: string, ahead = 0): boolean {
    return this.peek(ahead).keyword === word;
  }

  /** Returns whether the next tokens are these keywords. */
  areWords(...words: readonly string[]): boolean {
    return words.every((word, i) => this.isWord(word, i));
  }

  /** Consumes the symbol if present. */
  optionalSymbol(symbol: string): Token | null {
    return this.isSymbol(symbol) ? this.take() : null;
  }

  /** Consumes the keyword if present. */
  optionalWord(word: string): Token | null {
    return this.isWord(word) ? this.take() : null;
  }

  /** Consumes the keywords if all are present. */
  optionalWords(...words: readonly string[]): boolean {
    const arePresent = this.areWords(...words);
    if (arePresent) this.index += words.length;
    return arePresent;
  }

  /** Consumes the symbol, or reports the token in its place. */
  expectSymbol(symbol: string): Token {
    return this.optionalSymbol(symbol) ?? this.unexpected(symbol);
  }

  /** Consumes the keyword, or reports the token in its place. */
  expectWord(word: string): Token {
    return this.optionalWord(word) ?? this.unexpected(word);
  }

  /** Reports the current token. */
  unexpected(expected: string): never {
    const token = this.peek();
    return unexpectedToken(token.span, describeToken(token), expected);
  }

  /** Returns whether a token is a name that needs no back-ticks here. */
  isPlainName(ahead = 0): boolean {
    const { kind, keyword } = this.peek(ahead);
    return kind === 'quoted' || (kind === 'word' && !RESERVED_WORDS.has(keyword));
  }

  /** Returns whether a token is a name where any word is one: after `.`, before `:`, after AS. */
  isAnyName(ahead = 0): boolean {
    const { kind } = this.peek(ahead);
    return kind === 'word' || kind === 'quoted';
  }

  /** A name: no reserved word. */
  expectName(what = 'a name'): Name {
    return this.isPlainName() ? toName(this.take()) : this.unexpected(what);
  }

  /** A name where any word is one. */
  expectAnyName(what = 'a name'): Name {
    return this.isAnyName() ? toName(this.take()) : this.unexpected(what);
  }

  /** Parses a name after AS or `.`, where a text in double quotes is a quoted name too, as in SQL. */
  expectLabel(what = 'a name'): Name {
    return isQuotedLabel(this.peek()) ? toName(this.take()) : this.expectAnyName(what);
  }

  /** `name separator`, where any word is a name; null for other tokens. */
  optionalNameBefore(separator: string): Name | null {
    if (!this.isAnyName() || !this.isSymbol(separator, 1)) return null;
    const name = toName(this.take());
    this.take();
    return name;
  }

  /** `first {, next}` */
  many<T>(read: (p: Parser) => T): readonly T[] {
    const all = [read(this)];
    while (this.optionalSymbol(',') !== null) all.push(read(this));
    return all;
  }

  /** `( name {, name} )` */
  namesInBrackets(): readonly Name[] {
    this.expectSymbol('(');
    const names = this.many(() => this.expectName());
    this.expectSymbol(')');
    return names;
  }

  /** Reads something in parentheses, which are a level of nesting; inside, set operators are allowed again. */
  inBrackets<T>(read: () => T): T {
    this.expectSymbol('(');
    const result = this.nested(true, read);
    this.expectSymbol(')');
    return result;
  }

  /** Reads something that opens a level of nesting, in which set operators are allowed, or not. */
  nested<T>(allowsSet: boolean, read: () => T): T {
    this.depth += 1;
    this.checkDepth();
    const result = this.withSets(allowsSet, read);
    this.depth -= 1;
    return result;
  }

  /** Reads something of the same level in which set operators are allowed, or not. */
  withSets<T>(allowsSet: boolean, read: () => T): T {
    const before = this.allowsSet;
    this.allowsSet = allowsSet;
    const result = read();
    this.allowsSet = before;
    return result;
  }

  /** Reports the current token if it is nested too deeply; `more` counts nesting other than brackets (signs, NOTs, postfixes). */
  checkDepth(more = 0): void {
    if (this.depth + more > MAX_NESTING) syntaxFault('nested-too-deeply', this.peek().span, MAX_NESTING);
  }

  /** The span of an expression with the parentheses that it stood in. */
  outerSpan(expression: { readonly span: Span }): Span {
    return this.parenthesized.get(expression) ?? expression.span;
  }

  /** Returns the span from `start` (a token, or an expression with its parentheses) to the last consumed token. */
  spanFrom(start: { readonly span: Span }): Span {
    return { start: this.outerSpan(start).start, end: this.tokens[this.index - 1]?.span.end ?? start.span.end };
  }
}

/** `"…"`, which quotes a name where only a name may stand. */
function isQuotedLabel(token: Token): boolean {
  return token.kind === 'string' && token.text.startsWith('"') && !token.text.startsWith('"""') && token.value !== '';
}

/** The name that a token is. */
export function toName(token: Token): Name {
  return { kind: 'Name', span: token.span, text: token.value, isQuoted: token.kind === 'quoted' || token.kind === 'string' };
}
