import type { PrimitiveName } from '@svc/query-language';

import { tryMode } from '../lowering/scalars/cast-mode.ts';
import { castText, WHOLE } from '../lowering/scalars/cast-primitive.ts';
import { DECIMAL_SCALE, ENGINE_TYPES } from '../representation/duck-type.ts';
import { anyOf, NULL, SQL, tryCastTo, type Sql } from '../sql/sql.ts';
import { decimalOfText, mayHaveFraction } from './number-text.ts';
import { mayBeTimestampText, timestampOfText } from './temporal-text.ts';

/** Types that are read natively if all values have been verified: the engine converts other texts, such as `1.5` and `1:00 PM`. */
export const MADE_OF_OTHERS: ReadonlySet<PrimitiveName> = new Set(['byte', 'short', 'int', 'long', 'date', 'time']);

/**
 * For CSV, where an integer column contains integers only: the engine would round a fraction and accept 0x1F. A double, which
 * is cheap, shows a fraction if few digits stand before it; a decimal is exact, and takes hundreds of times as long.
 */
const wholeNumber =
  (name: PrimitiveName) =>
  (s: Sql): Sql => {
    const value = tryCastTo(s, ENGINE_TYPES[name]);
    const isExact = anyOf(
      SQL`strlen(${s}) <= 16`,
      SQL`NOT ${mayHaveFraction(s)}`,
      SQL`regexp_matches(${s}, '[.]0*$')`,
      SQL`${decimal(s)} = ${value}`,
    );
    return SQL`CASE WHEN TRY_CAST(${s} AS DOUBLE) = ${value} THEN CASE WHEN ${isExact} THEN ${value} END END`;
  };

const decimal = (s: Sql): Sql => tryCastTo(s, ENGINE_TYPES.decimal);

/**
 * Conversions that are not those of TRY_CAST: of JSON's base64, without looking for blanks around each timestamp, and of numbers
 * beyond the range of a floating type, which are infinities also where the engine converts values while it reads them.
 */
const CONVERSIONS: Partial<Record<PrimitiveName, (s: Sql) => Sql>> = {
  float: (s) => tryCastTo(s, ENGINE_TYPES.float),
  double: (s) => tryCastTo(s, ENGINE_TYPES.double),
  binary: (s) => SQL`TRY(from_base64(${s}))`,
  timestamp: (s) => SQL`CASE WHEN ${mayBeTimestampText(s)} THEN ${timestampOfText(s, tryCastTo, NULL)} END`,
};

/** SQL of the number of digits after the point of a number in any notation. */
function scaleOf(s: Sql): Sql {
  const part = (n: 1 | 2): Sql => SQL`split_part(lower(${s}), 'e', ${n})`;
  return SQL`length(rtrim(split_part(${part(1)}, '.', 2), '0')) - coalesce(TRY_CAST(${part(2)} AS INTEGER), 0)`;
}

/** Converts a decimal without rounding. */
const exactDecimal = (s: Sql): Sql =>
  decimalOfText(s, (long, engineType) => SQL`CASE WHEN ${scaleOf(long)} <= ${DECIMAL_SCALE} THEN ${tryCastTo(long, engineType)} END`);

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
  if (WHOLE.has(name) && (format === 'csv' || isWhole === true)) return wholeNumber(name);
  return CONVERSIONS[name] ?? ((s) => castText(s, name, tryMode));
}
