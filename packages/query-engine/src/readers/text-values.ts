import type { PrimitiveName } from '@svc/query-language';

import { DECIMAL_SCALE } from '../representation/duck-type.ts';
import { NULL, SQL, tryCastTo, type Sql } from '../sql/sql.ts';
import { mayHaveFraction, wholeOfNumber } from './number-text.ts';
import { intervalOfText, isDateText, isTimeText, mayBeTimestampText, timestampOfText } from './temporal-text.ts';

const integer =
  (type: string) =>
  (s: Sql): Sql =>
    SQL`CASE WHEN ${mayHaveFraction(s)} THEN ${wholeOfNumber(s, type)} ELSE ${tryCastTo(s, type)} END`;
const native =
  (type: string) =>
  (s: Sql): Sql =>
    tryCastTo(s, type);

/**
 * For CSV, where an integer column contains integers only: the engine would round a fraction and accept 0x1F. A double, which
 * is cheap, shows a fraction if few digits stand before it; a decimal is exact, and takes hundreds of times as long.
 */
const wholeNumber =
  (type: string) =>
  (s: Sql): Sql => {
    const value = tryCastTo(s, type);
    const isExact = SQL`strlen(${s}) <= 16 OR NOT ${mayHaveFraction(s)} OR regexp_matches(${s}, '[.]0*$') OR ${CONVERSIONS.decimal(s)} = ${value}`;
    return SQL`CASE WHEN TRY_CAST(${s} AS DOUBLE) = ${value} AND (${isExact}) THEN ${value} END`;
  };
const WHOLE_NUMBERS: Partial<Record<PrimitiveName, (s: Sql) => Sql>> = {
  byte: wholeNumber('TINYINT'),
  short: wholeNumber('SMALLINT'),
  int: wholeNumber('INTEGER'),
  long: wholeNumber('BIGINT'),
};

/**
 * Conversions of text to each primitive, NULL if invalid. Fractions are truncated; an offset converts a timestamp to UTC,
 * which a plain cast ignores.
 */
const CONVERSIONS = {
  byte: integer('TINYINT'),
  short: integer('SMALLINT'),
  int: integer('INTEGER'),
  long: integer('BIGINT'),
  float: native('FLOAT'),
  double: native('DOUBLE'),
  decimal: native('DECIMAL(38,18)'),
  bool: (s) => SQL`TRY_CAST(trim(${s}) AS BOOLEAN)`,
  string: (s) => s,
  regex: (s) => s,
  // The form in which dates are printed needs no regular expression.
  date: (s) =>
    SQL`CASE WHEN strlen(${s}) = 10 AND CAST(TRY_CAST(${s} AS DATE) AS VARCHAR) = ${s} OR ${isDateText(s)} THEN TRY_CAST(${s} AS DATE) END`,
  time: (s) => SQL`CASE WHEN ${isTimeText(s)} THEN TRY_CAST(${s} AS TIME) END`,
  timestamp: (s) => SQL`CASE WHEN ${mayBeTimestampText(s)} THEN ${timestampOfText(s, tryCastTo, NULL)} END`,
  interval: intervalOfText,
  binary: (s) => SQL`TRY(from_base64(${s}))`,
} as const satisfies Record<PrimitiveName, (s: Sql) => Sql>;

/** SQL of the number of digits after the point of a number in any notation. */
function scaleOf(s: Sql): Sql {
  const part = (n: 1 | 2): Sql => SQL`split_part(lower(${s}), 'e', ${n})`;
  return SQL`length(rtrim(split_part(${part(1)}, '.', 2), '0')) - coalesce(TRY_CAST(${part(2)} AS INTEGER), 0)`;
}

/** Converts a decimal without rounding. */
const exactDecimal = (s: Sql): Sql => SQL`CASE WHEN ${scaleOf(s)} <= ${DECIMAL_SCALE} THEN ${CONVERSIONS.decimal(s)} END`;

/** Formats whose values the engine may misread. */
export type ReadFormat = 'csv' | 'json' | 'parquet';

/** The form of a primitive's text in a format. */
export interface TextForm {
  readonly format: ReadFormat;
  /** True if integers must be written as such; by default the fraction of a number is truncated, except in CSV. */
  readonly isWhole?: boolean | undefined;
  /** See ReadPlan. */
  readonly isForStorage?: boolean | undefined;
}

/** Returns the conversion of a text, cheap to repeat, to a primitive: NULL if it is not a value of it. */
export function valueOfText(name: PrimitiveName, { format, isWhole, isForStorage }: TextForm): (s: Sql) => Sql {
  if (isForStorage === true && name === 'decimal') return exactDecimal;
  return (format === 'csv' || isWhole === true ? WHOLE_NUMBERS[name] : undefined) ?? CONVERSIONS[name];
}
