import type { PrimitiveName, PrimitiveType } from '@svc/query-language';
import { READ_MESSAGES } from '@svc/text-formats';

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

/** SQL of a message with a text of the data in it, which is SQL. */
export function messageAbout(textSql: string, message: (text: string) => string): string {
  return `replace(${quoteText(message(GAP))}, ${quoteText(GAP)}, ${textSql})`;
}

/** Not a character: no name of a field or a type contains it. */
const GAP = '\uFFFF';

/** SQL of the message about a text that is not a value of the type. */
function misfitText(s: string, name: PrimitiveName, { isForStorage }: ReadContext): string {
  return isForStorage === true
    ? messageAbout(`to_json(left(${s}, 40))`, (found) => READ_MESSAGES.misfitForStorage(name, found))
    : messageAbout(`left(${s}, 100)`, (value) => READ_MESSAGES.misfit(value, name));
}

/** Converts a VARCHAR expression to a type; fails with the path if it is invalid, or NULL and not nullable. */
export function fromText(s: string, type: PrimitiveType, context: ReadContext): string {
  const value = sqlText(valueOfText(type.name, context)(verbatim(s)));
  const isAlwaysGood = type.name === 'string' || type.name === 'regex';
  const misfit = isAlwaysGood ? null : failReading(context, misfitText(s, type.name, context), duckType(type));
  return checked(value, { cell: s, type, context, misfit });
}

/** Doubles below it hold each integer exactly. */
const END_OF_EXACT = 2 ** 53;

/** A cell as it was read, its value as a double, and its text for messages, which is costly where the engine read a double. */
export interface DoubleCell {
  readonly cell: string;
  readonly double: string;
  readonly text: string;
}

/**
 * Converts a cell that was read as a double to an integer type; fails if it has a fraction, or more digits than a double can
 * hold. A fraction that a double does not show, from the 16th digit on, is lost.
 */
export function fromDouble({ cell, double: d, text }: DoubleCell, type: PrimitiveType, context: ReadContext): string {
  const carrier = duckType(type);
  const misfit = failReading(context, misfitText(text, type.name, context), carrier);
  const integer = `TRY_CAST(${d} AS ${carrier})`;
  if (type.name !== 'long') return checked(`CASE WHEN ${integer} = ${d} THEN ${integer} END`, { cell, type, context, misfit });
  const value = `CASE WHEN ${integer} = ${d} AND abs(${d}) < ${END_OF_EXACT} THEN ${integer} END`;
  const tooLong = failReading(context, messageAbout(`left(${text}, 100)`, READ_MESSAGES.beyondSample), carrier);
  const isTooLong = `isfinite(${d}) AND abs(${d}) >= ${END_OF_EXACT}`;
  return checked(value, { cell, type, context, misfit: `CASE WHEN ${isTooLong} THEN ${tooLong} ELSE ${misfit} END` });
}

interface Checked {
  readonly cell: string;
  readonly type: PrimitiveType;
  readonly context: ReadContext;
  /** Fails; null if no text is a misfit. */
  readonly misfit: string | null;
}

/** SQL of a value that is NULL where its cell is invalid or NULL: it fails there unless NULL is permitted. */
function checked(value: string, { cell, type, context, misfit }: Checked): string {
  if (!type.isNullable) {
    const absent = failAbsent(context, duckType(type));
    return `coalesce(${value}, ${misfit === null ? absent : `CASE WHEN ${cell} IS NULL THEN ${absent} ELSE ${misfit} END`})`;
  }
  return context.isLenient || misfit === null ? value : `coalesce(${value}, CASE WHEN ${cell} IS NOT NULL THEN ${misfit} END)`;
}

/** SQL of whether a VARCHAR expression is not a value of the type: NULL is one if the type is nullable. */
export function isUnfit(s: string, type: PrimitiveType, of: Pick<ReadContext, 'format' | 'isForStorage' | 'isWhole'>): string {
  const value = fromText(s, { ...type, isNullable: true }, { ...of, path: '', isLenient: true });
  return type.isNullable ? `(${s} IS NOT NULL AND ${value} IS NULL)` : `(${value} IS NULL)`;
}

/** Fails if an expression is NULL, else returns it, or a value derived from it. */
export function notNull(x: string, carrier: string, context: ReadContext, value: string = x): string {
  return `CASE WHEN ${x} IS NULL THEN ${failAbsent(context, carrier)} ELSE ${value} END`;
}

/** Fails because a JSON value is of another kind than expected. */
export function wrongKind(j: string, expected: string, carrier: string, context: ReadContext): string {
  return failReading(
    context,
    messageAbout(`left(CAST(${j} AS VARCHAR), 60)`, (found) => READ_MESSAGES.wrongKind(expected, found)),
    carrier,
  );
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
  return failReading(context, quoteText(READ_MESSAGES.absent), carrier);
}
