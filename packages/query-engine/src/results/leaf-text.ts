import type { PrimitiveName } from '@svc/query-language';

import { anyOf, castTo, joinSql, SQL, textLiteral, verbatim, type Sql } from '../sql/sql.ts';

/**
 * SQL expressions for the text of single values, without quotes. `x` is an expression that may be repeated. Each returns
 * NULL for NULL, unless documented otherwise.
 */

/** The types of columns as files and databases often have them, as the engine calls them here. */
const NARROW_DECIMALS = [0, 1, 2, 3, 4].map((scale) => textLiteral(`DECIMAL(38,${scale})`));
const NARROW_SCALE = 4;

/**
 * Prints a decimal with all digits, without trailing zeros: `12.5`, `-0.5`, `3`. The engine takes 370 ns to print 128 bits
 * and 40 ns for 64, in which most values of a small scale fit; it knows the type when it plans, and drops the other branch.
 * Testing the number for a trailing zero takes 5 ns, testing a text 100.
 */
function decimalText(x: Sql): Sql {
  return SQL`coalesce(CASE WHEN typeof(${x}) IN (${joinSql(NARROW_DECIMALS)}) THEN ${narrowDecimalText(x)} END, ${wideDecimalText(x)})`;
}

/** NULL if the number does not fit in 64 bits. */
function narrowDecimalText(x: Sql): Sql {
  const narrow = SQL`TRY_CAST(${x} AS DECIMAL(18,${NARROW_SCALE}))`;
  const exact = ['1', '0.1', '0.01', '0.001'].map(
    (unit, scale) => SQL`WHEN ${narrow} % ${verbatim(unit)} = 0 THEN CAST(CAST(${narrow} AS DECIMAL(18,${scale})) AS VARCHAR)`,
  );
  return SQL`CASE ${joinSql(exact, ' ')} ELSE CAST(${narrow} AS VARCHAR) END`;
}

/** The engine prints DECIMAL(2,2) as `.50`. A lambda is the only way to bind a text that is used more than once. */
function wideDecimalText(x: Sql): Sql {
  const trimmed = (t: Sql): Sql => SQL`rtrim(rtrim(${t}, '0'), '.')`;
  const text = SQL`CASE WHEN starts_with(d, '.') OR starts_with(d, '-.') THEN ${trimmed(SQL`replace(d, '.', '0.')`)} WHEN d LIKE '%.%0' THEN ${trimmed(SQL`d`)} ELSE d END`;
  return SQL`list_transform([CAST(${x} AS VARCHAR)], lambda d: ${text})[1]`;
}

/**
 * `2023-12-25`; before the year 1 as in ISO 8601, `0000-12-25` and `-0001-12-25`, where the engine prints `(BC)`, or `-1`
 * for the year. Derived from the text, since the first call of `year` in a statement costs a millisecond.
 */
function dateText(x: Sql): Sql {
  const printed = SQL`strftime(${x}, '%Y-%m-%d')`;
  return SQL`CASE WHEN ${x} < DATE '0000-01-01' THEN format('-{:0>10}', substr(${printed}, 2))
    WHEN ${x} < DATE '0001-01-01' THEN ${printed}
    ELSE CAST(${x} AS VARCHAR) END`;
}

/** `2023-12-25T01:02:03.000`, with microseconds only if they are not zero, between two `mark`s. */
export function timestampText(x: Sql, mark: '' | '"' = ''): Sql {
  const printed = (fraction: string): Sql => SQL`strftime(${x}, ${textLiteral(`${mark}%Y-%m-%dT%H:%M:%S.${fraction}${mark}`)})`;
  const early = SQL`concat(${textLiteral(mark)}, ${dateText(castTo(x, 'DATE'))}, 'T', ${timeText(castTo(x, 'TIME'))}, ${textLiteral(mark)})`;
  return SQL`CASE WHEN ${x} < TIMESTAMP '0001-01-01' THEN ${early}
    WHEN epoch_us(${x}) % 1000000 = 0 THEN concat(${textLiteral(mark)}, CAST(${x} AS DATE), 'T', CAST(${x} AS TIME), ${textLiteral(`.000${mark}`)})
    WHEN epoch_us(${x}) % 1000 = 0 THEN ${printed('%g')}
    ELSE ${printed('%f')} END`;
}

/** `01:02:03.000`, with microseconds only if they are not zero. */
function timeText(x: Sql): Sql {
  const onDay = SQL`(DATE '1970-01-01' + ${x})`;
  return SQL`CASE WHEN epoch_us(${x}) % 1000000 = 0 THEN CAST(${x} AS VARCHAR) || '.000'
    WHEN epoch_us(${x}) % 1000 = 0 THEN strftime(${onDay}, '%H:%M:%S.%g')
    ELSE strftime(${onDay}, '%H:%M:%S.%f') END`;
}

/** ISO 8601, `P1Y2M3DT4H5M6.007S`; zero is `PT0S`; each negative part has its own minus. */
function intervalText(x: Sql): Sql {
  const part = (name: string, letter: string): Sql =>
    SQL`CASE WHEN date_part(${textLiteral(name)}, ${x}) <> 0 THEN concat(date_part(${textLiteral(name)}, ${x}), ${textLiteral(letter)}) END`;
  const micros = SQL`date_part('microsecond', ${x})`;
  const fraction = SQL`abs(${micros}) % 1000000`;
  const fractionText = SQL`CASE WHEN ${fraction} = 0 THEN ''
    WHEN ${fraction} % 1000 = 0 THEN concat('.', lpad(CAST(${fraction} // 1000 AS VARCHAR), 3, '0'))
    ELSE concat('.', lpad(CAST(${fraction} AS VARCHAR), 6, '0')) END`;
  const seconds = SQL`CASE WHEN ${micros} <> 0 THEN concat(CASE WHEN ${micros} < 0 THEN '-' END, abs(${micros}) // 1000000, ${fractionText}, 'S') END`;
  const hasTime = SQL`date_part('hour', ${x}) <> 0 OR date_part('minute', ${x}) <> 0 OR ${micros} <> 0`;
  const time = SQL`CASE WHEN ${hasTime} THEN concat('T', ${part('hour', 'H')}, ${part('minute', 'M')}, ${seconds}) END`;
  const whole = SQL`concat('P', ${part('year', 'Y')}, ${part('month', 'M')}, ${part('day', 'D')}, ${time})`;
  const isZero = SQL`date_part('year', ${x}) = 0 AND date_part('month', ${x}) = 0 AND date_part('day', ${x}) = 0 AND NOT (${hasTime})`;
  return SQL`CASE WHEN ${x} IS NOT NULL THEN CASE WHEN ${isZero} THEN 'PT0S' ELSE ${whole} END END`;
}

/** The text of an `any`: one line, since a line break can stand between the tokens of JSON text and never inside one. */
export function anyText(x: Sql): Sql {
  const plain = castTo(x, 'VARCHAR');
  const hasBreak = anyOf(SQL`contains(${plain}, chr(10))`, SQL`contains(${plain}, chr(13))`);
  return SQL`CASE WHEN ${hasBreak} THEN translate(${plain}, concat(chr(10), chr(13)), '  ') ELSE ${plain} END`;
}

const plainText = (x: Sql): Sql => castTo(x, 'VARCHAR');

/** Infinities and NaN included, as the engine prints them; callers guard with `isfinite`. */
const doubleText = (x: Sql): Sql => SQL`CAST(to_json(${x}) AS VARCHAR)`;

/** Prints a floating-point number, as `finite` if it is finite, else a word: `NaN`, `Infinity`, `-Infinity`, between two `mark`s. */
export function floatingText(x: Sql, finite: Sql, mark: '' | '"' = ''): Sql {
  const word = (name: string): Sql => textLiteral(`${mark}${name}${mark}`);
  // NaN first: the engine orders it above every number.
  return SQL`CASE WHEN isfinite(${x}) THEN ${finite} WHEN isnan(${x}) THEN ${word('NaN')} WHEN ${x} > 0 THEN ${word('Infinity')} WHEN ${x} < 0 THEN ${word('-Infinity')} END`;
}

/** The text of each primitive, not escaped and not quoted. */
export const PRIMITIVE_TEXT = {
  byte: plainText,
  short: plainText,
  int: plainText,
  long: plainText,
  float: plainText,
  double: doubleText,
  decimal: decimalText,
  bool: plainText,
  string: (x) => x,
  regex: (x) => x,
  date: dateText,
  time: timeText,
  timestamp: (x) => timestampText(x),
  interval: intervalText,
  binary: (x) => SQL`to_base64(${x})`,
} as const satisfies Record<PrimitiveName, (x: Sql) => Sql>;
