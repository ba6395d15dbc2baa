import type { PrimitiveName, PrimitiveType } from '@svc/query-language';

import { duckType } from '../representation/duck-type.ts';
import { quoteText } from '../representation/sql-text.ts';

/** What a value is called in a message, and which format it comes from. */
export interface ReadContext {
  readonly format: 'csv' | 'json' | 'parquet';
  /** The field, as `products[].price`, or empty for the value itself. */
  readonly path: string;
  /** Values that do not fit become NULL. */
  readonly isLenient: boolean;
}

const integer =
  (type: string) =>
  (s: string): string =>
    `CASE WHEN contains(${s}, '.') OR contains(${s}, 'e') OR contains(${s}, 'E') THEN TRY_CAST(trunc(TRY_CAST(${s} AS DOUBLE)) AS ${type}) ELSE TRY_CAST(${s} AS ${type}) END`;
const native =
  (type: string) =>
  (s: string): string =>
    `TRY_CAST(${s} AS ${type})`;

/** Text to each primitive, NULL where it is none. Fractions are cut; an offset moves a timestamp to UTC, which a plain cast forgets. */
const CONVERSIONS = {
  byte: integer('TINYINT'),
  short: integer('SMALLINT'),
  int: integer('INTEGER'),
  long: integer('BIGINT'),
  float: native('FLOAT'),
  double: native('DOUBLE'),
  decimal: native('DECIMAL(38,18)'),
  bool: (s) => `TRY_CAST(trim(${s}) AS BOOLEAN)`,
  string: (s) => s,
  regex: (s) => s,
  date: native('DATE'),
  time: native('TIME'),
  timestamp: (s) =>
    `CASE WHEN strlen(${s}) > 19 AND right(${s}, 1) <> 'Z' THEN CAST(TRY_CAST(${s} AS TIMESTAMPTZ) AS TIMESTAMP) ELSE TRY_CAST(${s} AS TIMESTAMP) END`,
  interval: native('INTERVAL'),
  binary: (s) => `TRY(from_base64(${s}))`,
} as const satisfies Record<PrimitiveName, (s: string) => string>;

/** A VARCHAR expression as a value of the type; an error that names the path where it is none, or is NULL and may not be. */
export function fromText(s: string, type: PrimitiveType, context: ReadContext): string {
  const value = CONVERSIONS[type.name](s);
  const carrier = duckType(type);
  const isAlwaysGood = type.name === 'string' || type.name === 'regex';
  const misfit = failure(context, `concat('''', left(${s}, 100), ${quoteText(`' is no ${type.name}`)})`);
  if (!type.isNullable) {
    const reason = isAlwaysGood ? absent(context) : `CASE WHEN ${s} IS NULL THEN ${absent(context)} ELSE ${misfit} END`;
    return `coalesce(${value}, CAST(error(${reason}) AS ${carrier}))`;
  }
  if (isAlwaysGood || context.isLenient) return value;
  return `coalesce(${value}, CASE WHEN ${s} IS NOT NULL THEN CAST(error(${misfit}) AS ${carrier}) END)`;
}

/** An expression that must not be NULL, or what is made of it. */
export function notNull(x: string, carrier: string, context: ReadContext, value: string = x): string {
  return `CASE WHEN ${x} IS NULL THEN CAST(error(${absent(context)}) AS ${carrier}) ELSE ${value} END`;
}

/** SQL of the text of an error: `classifyFailure` knows its start. */
function failure({ format, path }: ReadContext, reason: string): string {
  return `concat(${quoteText(`READ ${format}: ${path === '' ? '' : `${path}: `}`)}, ${reason})`;
}

function absent(context: ReadContext): string {
  return failure(context, quoteText('missing or null, and the type is not nullable'));
}
