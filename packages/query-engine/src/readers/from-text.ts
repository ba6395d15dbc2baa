import type { PrimitiveName, PrimitiveType } from '@svc/query-language';

import { duckType } from '../representation/duck-type.ts';
import { quoteText } from '../representation/sql-text.ts';
import { sqlText } from '../sql/print-sql.ts';
import { verbatim } from '../sql/sql.ts';
import { valueOfText, type TextForm } from './text-values.ts';

/** SQL of the engine's type that fails, when it is evaluated, with a message that is SQL of a text. */
export type Raise = (messageSql: string, carrier: string) => string;

/** Name of a value in messages, and its format. */
export interface ReadContext extends TextForm {
  /** The field, as `products[].price`, or empty for the value itself. */
  readonly path: string;
  /** Values that do not fit become NULL. */
  readonly isLenient: boolean;
  /** Default: a failure of reading. */
  readonly raise?: Raise | undefined;
}

/** For expressions within TRY, where the engine does not allow `error`. */
export const failSilently: Raise = (_, carrier) => `CAST(json('fails') AS ${carrier})`;

/** Description of the values of each type, for messages about values to be stored. */
const EXPECTED = {
  byte: 'byte (an integer from -128 to 127)',
  short: 'short (an integer from -32768 to 32767)',
  int: 'int (an integer from -2147483648 to 2147483647)',
  long: 'long (an integer of 64 bits)',
  float: 'float (a number in its range, NaN, Infinity or -Infinity)',
  double: 'double (a number in its range, NaN, Infinity or -Infinity)',
  decimal: 'decimal (at most 20 digits before and 18 after the point)',
  bool: 'bool (true or false)',
  string: 'string',
  regex: 'regex',
  date: 'date (such as 2024-02-29)',
  time: 'time (such as 23:59:59.999)',
  timestamp: 'timestamp (such as 2024-02-29T23:59:59.999)',
  interval: 'interval (such as P1Y2M3DT4H5M6.007S)',
  binary: 'binary (bytes in base64)',
} as const satisfies Record<PrimitiveName, string>;

/** SQL of the message about a text that is not a value of the type. */
function misfitText(s: string, name: PrimitiveName, { isForStorage }: ReadContext): string {
  if (isForStorage === true) return `concat(${quoteText(`expected ${EXPECTED[name]}, found `)}, to_json(left(${s}, 40)))`;
  return `concat('''', left(${s}, 100), ${quoteText(`' is no ${name}`)})`;
}

/** Converts a VARCHAR expression to a type; fails with the path if it is invalid, or NULL and not nullable. */
export function fromText(s: string, type: PrimitiveType, context: ReadContext): string {
  const value = sqlText(valueOfText(type.name, context)(verbatim(s)));
  const carrier = duckType(type);
  const isAlwaysGood = type.name === 'string' || type.name === 'regex';
  const misfit = failReading(context, misfitText(s, type.name, context), carrier);
  if (!type.isNullable) {
    const reason = isAlwaysGood
      ? failAbsent(context, carrier)
      : `CASE WHEN ${s} IS NULL THEN ${failAbsent(context, carrier)} ELSE ${misfit} END`;
    return `coalesce(${value}, ${reason})`;
  }
  if (isAlwaysGood || context.isLenient) return value;
  return `coalesce(${value}, CASE WHEN ${s} IS NOT NULL THEN ${misfit} END)`;
}

/** SQL of whether a VARCHAR expression is not a value of the type: NULL is one if the type is nullable. */
export function isUnfit(s: string, type: PrimitiveType, of: Pick<ReadContext, 'format' | 'isForStorage'>): string {
  const value = fromText(s, { ...type, isNullable: true }, { ...of, path: '', isLenient: true });
  return type.isNullable ? `(${s} IS NOT NULL AND ${value} IS NULL)` : `(${value} IS NULL)`;
}

/** Fails if an expression is NULL, else returns it, or a value derived from it. */
export function notNull(x: string, carrier: string, context: ReadContext, value: string = x): string {
  return `CASE WHEN ${x} IS NULL THEN ${failAbsent(context, carrier)} ELSE ${value} END`;
}

/** Fails because a JSON value is of another kind than expected. */
export function wrongKind(j: string, expected: string, carrier: string, context: ReadContext): string {
  return failReading(context, `concat(${quoteText(`expected ${expected} but got `)}, left(CAST(${j} AS VARCHAR), 60))`, carrier);
}

/** SQL that fails, by default with a text whose beginning `classifyFailure` recognizes. `reason` is SQL of a text. */
export function failReading(
  { format, path, raise, isForStorage }: Pick<ReadContext, 'format' | 'path' | 'raise' | 'isForStorage'>,
  reason: string,
  carrier: string,
): string {
  const start = path === '' ? '' : `${isForStorage === true ? 'field ' : ''}${path}: `;
  return raise === undefined
    ? `CAST(error(concat(${quoteText(`READ ${format}: ${start}`)}, ${reason})) AS ${carrier})`
    : raise(start === '' ? reason : `concat(${quoteText(start)}, ${reason})`, carrier);
}

/** The same of a value that is not there. */
export function failAbsent(context: Pick<ReadContext, 'format' | 'path' | 'raise' | 'isForStorage'>, carrier: string): string {
  return failReading(context, quoteText('missing or null, and the type is not nullable'), carrier);
}
