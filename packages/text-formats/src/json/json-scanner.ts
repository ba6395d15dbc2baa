import { isUtf8 } from 'node:buffer';

import { READ_MESSAGES } from '../read-messages.ts';
import { MAX_FIELDS, MAX_MEMBER_FIELDS } from '../record-limits.ts';
import { emptyShape, type JsonFieldShape, type JsonShape } from './json-shape.ts';

/** Maximum depth of scanned values; deeper ones are not inferred: an `any` below 100 records takes the engine half a minute to plan. */
const MAX_DEPTH = 32;
/** Arrays within arrays cost the engine twice as much with each. */
const MAX_ARRAYS = 8;
const INT_MAX = 2_147_483_648;

/** Invalid JSON, with the byte at which it was detected. */
export class MalformedJson extends Error {
  readonly byte: number;

  constructor(found: string, byte: number) {
    super(found);
    this.name = 'MalformedJson';
    this.byte = byte;
  }
}

/** Adds one document to a shape. Throws MalformedJson. */
export function scanDocument(bytes: Uint8Array, shape: JsonShape): void {
  if (!isUtf8(bytes)) throw notUtf8(bytes);
  const scanner = new Scanner(bytes);
  scanner.value(shape, 0);
  scanner.end();
}

function notUtf8(bytes: Uint8Array): MalformedJson {
  const text = Buffer.from(bytes).toString();
  const byte = Buffer.byteLength(text.slice(0, text.indexOf('\uFFFD')));
  return new MalformedJson(READ_MESSAGES.notUtf8, byte + 1);
}

const BYTES = {
  quote: 0x22,
  backslash: 0x5c,
  comma: 0x2c,
  colon: 0x3a,
  openBrace: 0x7b,
  closeBrace: 0x7d,
  openBracket: 0x5b,
  closeBracket: 0x5d,
  t: 0x74,
  f: 0x66,
  n: 0x6e,
} as const;
/** Bytes of a number other than digits. */
const NUMBER_MARKS: ReadonlySet<number> = new Set([0x2b, 0x2d, 0x2e, 0x45, 0x65]);
const VALID_NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

/** Makes a shape one of no type. */
function forgetFields(shape: JsonShape): void {
  shape.isOpaque = true;
  shape.size = 0;
  shape.fields?.clear();
}

/** Grammar of RFC 8259, reading kinds and names only. */
class Scanner {
  readonly #bytes: Buffer;
  #at = 0;
  #arrays = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  end(): void {
    this.#space();
    if (this.#at < this.#bytes.length) this.#fail('text after the end of the document');
  }

  /** Adds a value to a shape; returns how many more fields the shape has for it. */
  value(shape: JsonShape, depth: number): number {
    this.#space();
    const byte = this.#bytes[this.#at];
    if (byte === BYTES.openBrace) return this.#object(shape, depth);
    if (byte === BYTES.openBracket) return this.#array(shape, depth);
    if (byte === BYTES.quote) {
      this.#skipText();
      shape.hasString = true;
    } else if (byte === BYTES.t || byte === BYTES.f) {
      this.#word(byte === BYTES.t ? 'true' : 'false');
      shape.hasBool = true;
    } else if (byte === BYTES.n) {
      this.#word('null');
      shape.hasNull = true;
    } else this.#number(shape);
    return 0;
  }

  #object(shape: JsonShape, depth: number): number {
    const fields = (shape.fields ??= new Map<string, JsonFieldShape>());
    const object = ++shape.objects;
    if (depth >= MAX_DEPTH || shape.isOpaque) return this.#skip(shape);
    this.#at++;
    if (this.#took(BYTES.closeBrace)) return 0;
    const most = depth === 0 ? MAX_FIELDS : MAX_MEMBER_FIELDS;
    const before = shape.size;
    for (;;) {
      this.#space();
      if (this.#bytes[this.#at] !== BYTES.quote) this.#fail('expected a name in quotes');
      const name = this.#text();
      if (!this.#took(BYTES.colon)) this.#fail('expected ":"');
      let field = fields.get(name);
      if (field === undefined) {
        field = { shape: emptyShape(), count: 0, lastObject: 0 };
        shape.size++;
        fields.set(name, field);
      }
      if (field.lastObject !== object) field.count++;
      field.lastObject = object;
      shape.size += this.value(field.shape, depth + 1);
      if (shape.size > most) forgetFields(shape);
      if (this.#took(BYTES.closeBrace)) break;
      if (!this.#took(BYTES.comma)) this.#fail('expected "," or "}"');
    }
    // Those that came after there were too many.
    if (shape.isOpaque) forgetFields(shape);
    return shape.size - before;
  }

  #array(shape: JsonShape, depth: number): number {
    shape.hasArray = true;
    if (depth >= MAX_DEPTH || this.#arrays >= MAX_ARRAYS) return this.#skip(shape);
    this.#at++;
    if (this.#took(BYTES.closeBracket)) return 0;
    const element = (shape.element ??= emptyShape());
    const before = element.size;
    this.#arrays++;
    for (;;) {
      this.value(element, depth + 1);
      if (this.#took(BYTES.closeBracket)) break;
      if (!this.#took(BYTES.comma)) this.#fail('expected "," or "]"');
    }
    this.#arrays--;
    return element.size - before;
  }

  /** Over an array or object of any depth, without recursion. */
  #skip(shape: JsonShape): 0 {
    shape.isOpaque = true;
    let open = 0;
    do {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) this.#fail('the text ends within a value');
      if (byte === BYTES.quote) {
        this.#skipText();
        continue;
      }
      if (byte === BYTES.openBrace || byte === BYTES.openBracket) open++;
      if (byte === BYTES.closeBrace || byte === BYTES.closeBracket) open--;
      this.#at++;
    } while (open > 0);
    return 0;
  }

  #text(): string {
    const start = this.#at;
    const hasEscape = this.#skipText();
    return hasEscape ? this.#unescaped(start) : this.#bytes.toString('utf8', start + 1, this.#at - 1);
  }

  /** Skips a string; returns whether it contains an escape, which is valid then. */
  #skipText(): boolean {
    const bytes = this.#bytes;
    const start = this.#at;
    let at = start + 1;
    let hasEscape = false;
    for (;;) {
      const byte = bytes[at];
      if (byte === BYTES.quote) break;
      if (byte === BYTES.backslash) {
        hasEscape = true;
        at++;
      } else if (byte === undefined || byte < 0x20) {
        this.#at = at;
        this.#fail(byte === undefined ? 'the text ends within a string' : 'a control character in a string');
      }
      at++;
    }
    this.#at = at + 1;
    if (hasEscape) this.#unescaped(start);
    return hasEscape;
  }

  #unescaped(start: number): string {
    let text = '\ud800';
    try {
      text = String(JSON.parse(this.#bytes.toString('utf8', start, this.#at)));
    } catch {
      // Not a valid string.
    }
    if (text.isWellFormed()) return text;
    this.#at = start;
    return this.#fail('a bad escape in a string');
  }

  #number(shape: JsonShape): void {
    const start = this.#at;
    let isDigits = true;
    for (;;) {
      const byte = this.#bytes[this.#at] ?? 0;
      const isDigit = byte >= 0x30 && byte <= 0x39;
      if (!isDigit && !NUMBER_MARKS.has(byte)) break;
      isDigits &&= isDigit;
      this.#at++;
    }
    const length = this.#at - start;
    // The common case: an integer of up to nine digits, without a leading zero.
    if (isDigits && length > 0 && length < 10 && (length === 1 || this.#bytes[start] !== 0x30)) {
      if (shape.number === 'none') shape.number = 'int';
      return;
    }
    const number = this.#bytes.toString('latin1', start, this.#at);
    if (!VALID_NUMBER.test(number)) {
      this.#at = start;
      this.#fail('expected a value');
    }
    const kind = numberKind(number);
    if (NUMBER_RANK[kind] > NUMBER_RANK[shape.number]) shape.number = kind;
  }

  #word(word: string): void {
    if (this.#bytes.toString('latin1', this.#at, this.#at + word.length) !== word) this.#fail('expected a value');
    this.#at += word.length;
  }

  #took(byte: number): boolean {
    this.#space();
    if (this.#bytes[this.#at] !== byte) return false;
    this.#at++;
    return true;
  }

  #space(): void {
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.#at++;
    }
  }

  #fail(found: string): never {
    throw new MalformedJson(found, this.#at + 1);
  }
}

const NUMBER_RANK = { none: 0, int: 1, long: 2, double: 3 } as const;

/** The characters of the smallest long. */
const LONGEST_LONG = 20;

function numberKind(text: string): 'int' | 'long' | 'double' {
  if (/[.eE]/.test(text)) return 'double';
  const value = Number(text);
  if (value >= -INT_MAX && value < INT_MAX) return 'int';
  if (text.length < 19) return 'long';
  if (text.length > LONGEST_LONG) return 'double';
  const exact = BigInt(text);
  return exact >= -(2n ** 63n) && exact < 2n ** 63n ? 'long' : 'double';
}
