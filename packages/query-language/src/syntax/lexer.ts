import { ownValue } from '../own-value.ts';
import type { Span } from '../text/span.ts';
import { CLOSING } from './explain/fault.ts';
import { UNKNOWN_SIGNS } from './explain/signs.ts';
import { COMPARISONS, VALUE_LEVELS } from './operators.ts';
import { lineEnd, skipSpace, wordEnd, wordPartEnd } from './skip-characters.ts';
import { syntaxFault } from './syntax-error.ts';
import type { Token } from './token.ts';

const PUNCTUATION = ['::', ':=', '->', '(', ')', '[', ']', '{', '}', ',', ';', ':', '.', '\\', '@'];
/** Symbols by their first character, longest first. */
const SYMBOLS = Map.groupBy(
  [...Object.keys(COMPARISONS), ...Object.keys(VALUE_LEVELS), ...PUNCTUATION].toSorted((a, b) => b.length - a.length),
  (symbol) => symbol.charAt(0),
);
const NUMBER = /(?:\d+\.\d+|\d+|\.\d+)(?:[eE][+-]?\d+)?/y;
const ESCAPES: Readonly<Record<string, string>> = { '0': '\0', '\\': '\\', t: '\t', n: '\n', r: '\r', '"': '"', "'": "'" };
const MAX_INT = 2147483647n;
const MAX_LONG = 9223372036854775807n;
/** A number of fewer digits always fits an int. */
const MAX_INT_DIGITS = 10;
const MAX_LONG_DIGITS = 19;
const MAX_DECIMAL_DIGITS = 38;

/**
 * Tokenizes a text; the last token has kind 'end'. Throws a SyntaxFault at the first character that starts no token, and at the token that
 * exceeds the maximum.
 */
export function readTokens(text: string, most = Infinity): readonly Token[] {
  const tokens: Token[] = [];
  let offset = 0;
  const add = (kind: Token['kind'], end: number, value: string, numberType: Token['numberType'] = null): void => {
    if (tokens.length === most) syntaxFault('too-many-tokens', { start: offset, end }, most);
    const written = text.slice(offset, end);
    tokens.push({
      kind,
      span: { start: offset, end },
      text: written,
      value,
      keyword: kind === 'word' ? written.toUpperCase() : '',
      numberType,
    });
    offset = end;
  };
  while (true) {
    offset = skipSpace(text, offset);
    if (offset >= text.length) break;
    const character = text[offset] ?? '';
    const isRegex = (character === 'r' || character === 'R') && (text[offset + 1] === '"' || text[offset + 1] === "'");
    if (text.startsWith('/*', offset)) offset = endOf(text, '*/', offset, 'the comment');
    else if (isRegex) {
      const { end, value } = readString(text, offset + 1, true);
      add('regex', end, value);
    } else if (character === '"' || character === "'") {
      const { end, value } = readString(text, offset, false);
      add('string', end, value);
    } else if (character === '`') {
      const end = closingTick(text, offset);
      add('quoted', end, text.slice(offset + 1, end - 1).replaceAll('``', '`'));
    } else if (isDigit(character) || (character === '.' && isDigit(text[offset + 1] ?? '') && mayBeginNumber(tokens.at(-1), offset)))
      readNumber(text, offset, add);
    else {
      const end = wordEnd(text, offset);
      const symbol = end === offset ? SYMBOLS.get(character)?.find((candidate) => text.startsWith(candidate, offset)) : undefined;
      if (end > offset) add('word', end, text.slice(offset, end));
      else if (symbol !== undefined) add('symbol', offset + symbol.length, symbol);
      else unexpected(text, offset);
    }
  }
  tokens.push({ kind: 'end', span: { start: text.length, end: text.length }, text: '', value: '', keyword: '', numberType: null });
  return tokens;
}

function unexpected(text: string, offset: number): never {
  const [sign, instead] = UNKNOWN_SIGNS.find(([candidate]) => text.startsWith(candidate, offset)) ?? [];
  if (sign !== undefined && instead !== undefined)
    return syntaxFault('unexpected-sign', { start: offset, end: offset + sign.length }, sign, instead);
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  return syntaxFault('unexpected-character', { start: offset, end: offset + character.length }, JSON.stringify(character));
}

function endOf(text: string, closing: string, start: number, what: string): number {
  const end = text.indexOf(closing, start + closing.length);
  if (end < 0) return syntaxFault('unterminated', { start, end: text.length }, what);
  return end + closing.length;
}

/** Returns the index of the closing back-tick. Two back-ticks inside a quoted name denote one. */
function closingTick(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i += 1) {
    if (text[i] !== '`') continue;
    if (text[i + 1] !== '`') {
      if (i === start + 1) return syntaxFault('empty-quoted-name', { start, end: i + 1 });
      return i + 1;
    }
    i += 1;
  }
  return syntaxFault('unterminated', { start, end: lineEnd(text, start) }, 'the quoted name');
}

/** `"…"`, `'…'` with escapes, on one line; `"""…"""` raw. `start` is at the quote. */
function readString(text: string, start: number, isRegex: boolean): { readonly end: number; readonly value: string } {
  if (text.startsWith('"""', start)) {
    const end = endOf(text, '"""', start, 'the string');
    return wellFormed(start, end, text.slice(start + 3, end - 3));
  }
  const quote = text[start] ?? '"';
  let value = '';
  for (let i = start + 1; i < text.length; i += 1) {
    const character = text[i] ?? '';
    if (character === '\n' || character === '\r') break;
    if (character === quote) {
      if (quote === "'" && text[i + 1] === "'") i += 1;
      else return wellFormed(start, i + 1, value);
      value += quote;
    } else if (character === '\\') {
      const escape = readEscape(text, i, isRegex);
      value += escape.value;
      i = escape.end - 1;
    } else value += character;
  }
  const isApostrophe = quote === "'" && wordPartEnd(text, start - 1) === start;
  const advice = isApostrophe ? "a quote within '…' is written ''" : null;
  return syntaxFault('unterminated', { start, end: lineEnd(text, start) }, 'the string', advice);
}

/** Half a character has no place in a text that is sent on as UTF-8. */
function wellFormed(start: number, end: number, value: string): { readonly end: number; readonly value: string } {
  return /\p{Cs}/u.test(value) ? syntaxFault('unpaired-surrogate', { start, end }) : { end, value };
}

function readEscape(text: string, start: number, isRegex: boolean): { readonly end: number; readonly value: string } {
  const simple = ownValue(ESCAPES, text[start + 1] ?? '');
  if (simple !== undefined) return { end: start + 2, value: simple };
  const unicode = /^\\u(?:\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{4}))/.exec(text.slice(start, start + 10));
  const code = Number.parseInt(unicode?.[1] ?? unicode?.[2] ?? '', 16);
  if (unicode !== null && code <= 0x10ffff) return { end: start + unicode[0].length, value: String.fromCodePoint(code) };
  const wrong = unicode?.[0] ?? /^\\(?:u\{?[0-9a-fA-F]*\}?|[^\n\r])?/u.exec(text.slice(start, start + 12))?.[0] ?? '\\';
  const span: Span = { start, end: start + wrong.length };
  return wrong.startsWith('\\u') ? syntaxFault('bad-unicode-escape', span, wrong) : syntaxFault('bad-escape', span, wrong, isRegex);
}

const SUFFIXES: Readonly<Record<string, NonNullable<Token['numberType']>>> = { l: 'long', d: 'double', f: 'float', q: 'decimal' };

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

/** Returns whether a dot may begin a number, as in `.5`: not directly behind a value, where a field follows it. */
function mayBeginNumber(before: Token | undefined, offset: number): boolean {
  if (before === undefined || before.span.end < offset) return true;
  return before.kind === 'symbol' && !CLOSING.has(before.text);
}

/** Digits with an optional fraction, exponent and suffix, or a fraction without digits before it. */
function readNumber(
  text: string,
  offset: number,
  add: (kind: 'number', end: number, value: string, type: Token['numberType']) => void,
): void {
  NUMBER.lastIndex = offset;
  const written = NUMBER.exec(text)?.[0] ?? '';
  const digits = written.startsWith('.') ? `0${written}` : written;
  const end = wordPartEnd(text, offset + written.length);
  const suffix = text.slice(offset + written.length, end);
  const span = { start: offset, end };
  const isWhole = !/[^\d]/.test(digits);
  if (isWhole && suffix === '' && digits.length < MAX_INT_DIGITS) return add('number', end, withoutZeros(digits), 'int');
  const type = suffix === '' ? (isWhole ? 'int' : 'double') : ownValue(SUFFIXES, suffix.toLowerCase());
  if (type === undefined || (type === 'long' && !isWhole)) return syntaxFault('bad-number', span, text.slice(offset, end));
  if (type === 'decimal') return add('number', end, plainDecimal(digits) ?? syntaxFault('number-too-large', span), type);
  if (type === 'double' || type === 'float') {
    const size = type === 'float' ? Math.fround(Number(digits)) : Number(digits);
    return Number.isFinite(size) ? add('number', end, digits, type) : syntaxFault('number-too-large', span);
  }
  if (digits.replace(/^0+/, '').length > MAX_LONG_DIGITS) return syntaxFault('number-too-large', span);
  const value = BigInt(digits);
  if (value > MAX_LONG + 1n) return syntaxFault('number-too-large', span);
  return add('number', end, String(value), type === 'int' && value <= MAX_INT ? 'int' : 'long');
}

function withoutZeros(digits: string): string {
  return digits.startsWith('0') ? String(Number(digits)) : digits;
}

/** A decimal without exponent; null past 38 digits. */
function plainDecimal(text: string): string | null {
  const [, whole = '', fraction = '', exponent = '0'] = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const scale = fraction.length - Number(exponent);
  if (Math.abs(scale) > MAX_DECIMAL_DIGITS) return null;
  const digits = (whole + fraction).replace(/^0+/, '') + '0'.repeat(Math.max(0, -scale));
  if (digits.length > MAX_DECIMAL_DIGITS) return null;
  if (scale <= 0) return digits === '' ? '0' : digits;
  const padded = digits.padStart(scale + 1, '0');
  return `${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}
