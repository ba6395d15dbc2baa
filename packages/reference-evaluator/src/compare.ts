import { compareDecimals, decimalOf } from './values/decimal.ts';
import { compareInside } from './values/order.ts';
import type { Shape } from './values/shape.ts';
import { intervalOf, momentText } from './values/temporal.ts';
import type { CollectionValue, Value } from './values/value.ts';
import { elementsOf } from './values/value.ts';

/** A parsed JSON value whose numbers keep their digits. */
type Json = null | boolean | string | JsonNumber | readonly Json[] | { readonly [name: string]: Json };

class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Returns whether the printed lines of a result of a type equal an expected value, in a guaranteed order if there is one. */
export function isExpected(lines: readonly string[], type: string, value: Value, shape: Shape): boolean {
  const found = lines.map(readJson);
  // A collection has one line per element, unless it may be NULL.
  const isOneLine = typeof shape !== 'object' || shape.kind !== 'collection' || type.endsWith(' nullable');
  if (isOneLine) return found.length === 1 && found[0] !== undefined && matches(found[0], value, shape);
  return matches(found, value, shape);
}

function readJson(text: string): Json {
  const withSource = JSON.parse as (
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ) => Json;
  return withSource(text, (_, value, { source }) => (typeof value === 'number' ? new JsonNumber(source ?? String(value)) : value));
}

function matches(found: Json, expected: Value, shape: Shape): boolean {
  if (expected === null) return found === null;
  if (typeof expected === 'bigint') return found instanceof JsonNumber && /^-?\d+$/.test(found.text) && BigInt(found.text) === expected;
  if (typeof expected === 'number') return isSameDouble(found, expected, shape === 'float' ? 1e-6 : 1e-9);
  if (typeof expected !== 'object') return found === expected;
  if (expected.kind === 'decimal') return found instanceof JsonNumber && compareDecimals(decimalOf(found.text), expected) === 0;
  if (expected.kind === 'moment') return found === momentText(expected);
  if (expected.kind === 'bytes') return found === Buffer.from(expected.hex, 'hex').toString('base64');
  if (expected.kind === 'interval') return typeof found === 'string' && compareInside(intervalOf(found), expected) === 0;
  if (typeof shape !== 'object') return false;
  if (expected.kind === 'collection')
    return shape.kind === 'collection' && Array.isArray(found) && matchesBlocks(found as readonly Json[], expected, shape.element);
  if (shape.kind !== 'record' || typeof found !== 'object' || found === null || Array.isArray(found) || found instanceof JsonNumber)
    return false;
  const record = found as { readonly [name: string]: Json };
  return (
    Object.keys(record).length === shape.fields.length &&
    shape.fields.every(
      ({ name, shape: inner }, i) => Object.keys(record)[i] === name && matches(record[name] ?? null, expected.values[i] ?? null, inner),
    )
  );
}

/** Within a block any order is right. */
function matchesBlocks(found: readonly Json[], expected: CollectionValue, element: Shape): boolean {
  if (found.length !== elementsOf(expected).length) return false;
  let start = 0;
  return expected.blocks.every((block) => {
    const left = found.slice(start, start + block.length);
    start += block.length;
    return block.every((value) => {
      const place = left.findIndex((candidate) => matches(candidate, value, element));
      if (place >= 0) left.splice(place, 1);
      return place >= 0;
    });
  });
}

/** Sums may be rounded in another order; JSON has no number for NaN and the infinities. */
function isSameDouble(found: Json, expected: number, nearness: number): boolean {
  if (!Number.isFinite(expected)) return found === null;
  if (!(found instanceof JsonNumber)) return false;
  const value = Number(found.text);
  return value === expected || Math.abs(value - expected) <= nearness * Math.max(Math.abs(value), Math.abs(expected));
}
