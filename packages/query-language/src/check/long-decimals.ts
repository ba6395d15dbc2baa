import type { Type } from '../types/type.ts';

/** Numbers with more digits than every double keeps, or with an exponent that may be out of its range. */
const MAY_LOSE = /[\d.]{16}|[eE][+-]?\d{3}/;

/** Returns whether values of a type contain decimals. */
export function hasDecimals(type: Type): boolean {
  if (type.kind === 'CollectionType') return hasDecimals(type.element);
  if (type.kind === 'RecordType') return type.fields.some((field) => hasDecimals(field.type));
  return type.kind === 'PrimitiveType' && type.name === 'decimal';
}

/** Returns whether a text has numbers of many digits. */
export function hasLongNumbers(text: string): boolean {
  return MAY_LOSE.test(text);
}

/** A number or sign of JSON, or the beginning of a string. Other characters stand between them or in words. */
const TOKEN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|[[\]{},:"]/g;

/** An open object or array. */
interface OpenValue {
  /** Null if values within it have no type, as in `any`. */
  readonly type: Type | null;
  /** The name of the member that is read, as it is written; null in an array and before the first name. */
  member: string | null;
}

/**
 * Puts decimals of many digits in the JSON of a value into quotes: the engine reads a number with a point or an exponent as a double. All
 * else stays as it is written, since `any` keeps numbers and the order of members. A text that is not JSON does not become JSON.
 */
export function withDecimalTexts(text: string, type: Type): string {
  if (!hasLongNumbers(text)) return text;
  const open: OpenValue[] = [];
  let [isName, last, written, rest] = [false, '', '', 0];
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) {
    const [token] = found;
    const around = open.at(-1);
    if (token === '{' || token === '[') open.push({ type: typeWithin(around, type), member: null });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':' && around !== undefined) around.member = last;
    else if (token === '"') {
      TOKEN.lastIndex = endOfString(text, found.index);
      if (isName) last = text.slice(found.index, TOKEN.lastIndex);
    } else if (hasLongNumbers(token) && isDecimal(typeWithin(around, type))) {
      written += `${text.slice(rest, found.index)}"${token}"`;
      rest = TOKEN.lastIndex;
    }
    isName = token === '{' || (token === ',' && around?.member !== null);
  }
  return written + text.slice(rest);
}

/** Returns the end of a string that begins at `start`, or of the text. No regular expression: one overflows the stack at some megabytes. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text.charAt(quote - 1 - escapes) === '\\') escapes += 1;
    if (escapes % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** Returns the type of the value that is read in an open one, or of the whole text. */
function typeWithin(around: OpenValue | undefined, whole: Type): Type | null {
  if (around === undefined) return whole;
  const { type, member } = around;
  if (type?.kind === 'CollectionType') return member === null ? type.element : null;
  if (type?.kind !== 'RecordType' || member === null) return null;
  const name = nameOf(member);
  return type.fields.find((field) => field.name === name)?.type ?? null;
}

function nameOf(text: string): string | null {
  try {
    return String(JSON.parse(text));
  } catch {
    return null;
  }
}

function isDecimal(type: Type | null): boolean {
  return type?.kind === 'PrimitiveType' && type.name === 'decimal';
}
