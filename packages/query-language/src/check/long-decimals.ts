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

/**
 * Rewrites decimals of many digits in the JSON of a value as texts: the engine reads a number with a point or an exponent as a double. Any
 * other text stays unchanged, also one that is not JSON.
 */
export function withDecimalTexts(text: string, type: Type): string {
  if (!hasLongNumbers(text)) return text;
  try {
    return JSON.stringify(asText(JSON.parse(text, keepDigits), type));
  } catch (thrown) {
    // Not JSON, or nested too deeply: the engine reports it.
    if (thrown instanceof SyntaxError || thrown instanceof RangeError) return text;
    throw thrown;
  }
}

function asText(value: unknown, type: Type): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (json.isRawJSON(value)) return type.kind === 'PrimitiveType' && type.name === 'decimal' ? value.rawJSON : value;
  if (Array.isArray(value)) return type.kind === 'CollectionType' ? value.map((element) => asText(element, type.element)) : value;
  if (type.kind !== 'RecordType') return value;
  const types = new Map(type.fields.map((field) => [field.name, field.type]));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asText(member, types.get(name) ?? type)]));
}

/** A number with its source text, which `JSON.stringify` prints. */
interface ExactNumber {
  readonly rawJSON: string;
}

/** Part of the JSON source text proposal, which TypeScript's library does not declare yet. */
interface JsonWithSource {
  readonly isRawJSON: (value: object) => value is ExactNumber;
  readonly rawJSON: (text: string) => ExactNumber;
}
const json = JSON as unknown as JsonWithSource;

function keepDigits(this: unknown, _key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined && hasLongNumbers(context.source)
    ? json.rawJSON(context.source)
    : value;
}
