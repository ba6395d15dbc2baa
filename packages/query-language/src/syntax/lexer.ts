import type { Span } from '../text/span.ts';
import { syntaxFault } from './syntax-error.ts';
import type { Token } from './token.ts';

const SYMBOLS = ['+++', ':=', '->', '++', '||', '==', '!=', '<>', '<=', '>=', '(', ')', '[', ']', '{', '}', ',', ';', ':', '.', '+', '-', '*', '/', '%', '=', '<', '>', '\\', '@'];
const SPACE = /(?:[\s\uFEFF]|\/\/[^\n\r]*|--[^\n\r]*)+/y;
const WORD = /[\p{L}_][\p{L}\p{Nd}_]*/uy;
const NUMBER = /(?:\d+\.\d+|\d+)(?:[eE][+-]?\d+)?([a-zA-Z_\d]*)/y;
const ESCAPES: Readonly<Record<string, string>> = { '0': '\0', '\\': '\\', t: '\t', n: '\n', r: '\r', '"': '"', "'": "'" };
const MAX_INT = 2147483647n;
const MAX_LONG = 9223372036854775807n;

/** All tokens of a text, with one of kind 'end' at its end. Throws a SyntaxFault at the first character that begins none. */
export function readTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let offset = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = offset;
    return pattern.exec(text);
  };
  const add = (kind: Token['kind'], end: number, value: string, numberType: Token['numberType'] = null): void => {
    tokens.push({ kind, span: { start: offset, end }, text: text.slice(offset, end), value, numberType });
    offset = end;
  };
  while (true) {
    const space = match(SPACE);
    if (space !== null) offset += space[0].length;
    if (offset >= text.length) break;
    const character = text[offset] ?? '';
    const isRegex = (character === 'r' || character === 'R') && (text[offset + 1] === '"' || text[offset + 1] === "'");
    if (text.startsWith('/*', offset)) offset = endOf(text, '*/', offset, 'the comment');
    else if (isRegex) {
      const { end, value } = readString(text, offset + 1);
      add('regex', end, value);
    } else if (character === '"' || character === "'") {
      const { end, value } = readString(text, offset);
      add('string', end, value);
    } else if (character === '`') {
      const end = closingTick(text, offset);
      add('quoted', end, text.slice(offset + 1, end - 1).replaceAll('``', '`'));
    } else if (character >= '0' && character <= '9') readNumber(match(NUMBER), offset, add);
    else {
      const word = match(WORD);
      const symbol = word === null ? SYMBOLS.find((candidate) => text.startsWith(candidate, offset)) : undefined;
      if (word !== null) add('word', offset + word[0].length, word[0]);
      else if (symbol !== undefined) add('symbol', offset + symbol.length, symbol);
      else unexpected(text, offset);
    }
  }
  tokens.push({ kind: 'end', span: { start: text.length, end: text.length }, text: '', value: '', numberType: null });
  return tokens;
}

function unexpected(text: string, offset: number): never {
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  return syntaxFault('unexpected-character', { start: offset, end: offset + character.length }, JSON.stringify(character));
}

function endOf(text: string, closing: string, start: number, what: string): number {
  const end = text.indexOf(closing, start + closing.length);
  if (end < 0) return syntaxFault('unterminated', { start, end: text.length }, what);
  return end + closing.length;
}

/** Two ticks inside a quoted name stand for one. */
function closingTick(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i += 1) {
    if (text[i] !== '`') continue;
    if (text[i + 1] !== '`') {
      if (i === start + 1) break;
      return i + 1;
    }
    i += 1;
  }
  return syntaxFault('unterminated', { start, end: text.length }, 'the quoted name');
}

/** `"…"`, `'…'` with escapes, on one line; `"""…"""` raw. `start` is at the quote. */
function readString(text: string, start: number): { readonly end: number; readonly value: string } {
  if (text.startsWith('"""', start)) {
    const end = endOf(text, '"""', start, 'the string');
    return { end, value: text.slice(start + 3, end - 3) };
  }
  const quote = text[start] ?? '"';
  let value = '';
  for (let i = start + 1; i < text.length; i += 1) {
    const character = text[i] ?? '';
    if (character === '\n' || character === '\r') break;
    if (character === quote) {
      if (quote === "'" && text[i + 1] === "'") i += 1;
      else return { end: i + 1, value };
      value += quote;
    } else if (character === '\\') {
      const escape = readEscape(text, i);
      value += escape.value;
      i = escape.end - 1;
    } else value += character;
  }
  return syntaxFault('unterminated', { start, end: lineEnd(text, start) }, 'the string');
}

function lineEnd(text: string, start: number): number {
  const end = text.slice(start).search(/[\n\r]/);
  return end < 0 ? text.length : start + end;
}

function readEscape(text: string, start: number): { readonly end: number; readonly value: string } {
  const simple = ESCAPES[text[start + 1] ?? ''];
  if (simple !== undefined) return { end: start + 2, value: simple };
  const unicode = /^\\u(?:\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{4}))/.exec(text.slice(start, start + 10));
  const code = Number.parseInt(unicode?.[1] ?? unicode?.[2] ?? '', 16);
  if (unicode !== null && code <= 0x10ffff) return { end: start + unicode[0].length, value: String.fromCodePoint(code) };
  const span: Span = { start, end: Math.min(start + 2, text.length) };
  return syntaxFault('bad-escape', span, text.slice(span.start, span.end));
}

const SUFFIXES: Readonly<Record<string, NonNullable<Token['numberType']>>> = { l: 'long', d: 'double', f: 'float', q: 'decimal' };

/** Digits with an optional fraction, exponent and suffix. */
function readNumber(match: RegExpExecArray | null, offset: number, add: (kind: 'number', end: number, value: string, type: Token['numberType']) => void): void {
  if (match === null) throw new Error('a number begins with a digit');
  const [text, suffix = ''] = match;
  const end = offset + text.length;
  const span = { start: offset, end };
  const digits = text.slice(0, text.length - suffix.length);
  const isWhole = /^\d+$/.test(digits);
  const type = suffix === '' ? (isWhole ? 'int' : 'double') : SUFFIXES[suffix.toLowerCase()];
  if (type === undefined || (type === 'long' && !isWhole)) return syntaxFault('bad-number', span, text);
  if (!isWhole || (type !== 'int' && type !== 'long')) return add('number', end, digits, type);
  const value = BigInt(digits);
  if (value > MAX_LONG + 1n) return syntaxFault('number-too-large', span);
  return add('number', end, String(value), type === 'int' && value <= MAX_INT ? 'int' : 'long');
}
