import type { PrimitiveName } from '@svc/query-language';

/**
 * SQL expressions for the text of single values, without quotes. `x` is an expression that may be repeated. Each returns
 * NULL for NULL, unless documented otherwise.
 */

/** The types of columns as files and databases often have them, as the engine calls them here. */
const NARROW_DECIMALS = [0, 1, 2, 3, 4].map((scale) => `'DECIMAL(38,${scale})'`);
const NARROW_SCALE = 4;

/**
 * Prints a decimal with all digits, without trailing zeros: `12.5`, `-0.5`, `3`. The engine takes 370 ns to print 128 bits
 * and 40 ns for 64, in which most values of a small scale fit; it knows the type when it plans, and drops the other branch.
 * Testing the number for a trailing zero takes 5 ns, testing a text 100.
 */
function decimalText(x: string): string {
  return `coalesce(CASE WHEN typeof(${x}) IN (${NARROW_DECIMALS.join(', ')}) THEN ${narrowDecimalText(x)} END, ${wideDecimalText(x)})`;
}

/** NULL if the number does not fit in 64 bits. */
function narrowDecimalText(x: string): string {
  const narrow = `TRY_CAST(${x} AS DECIMAL(18,${NARROW_SCALE}))`;
  const exact = ['1', '0.1', '0.01', '0.001'].map(
    (unit, scale) => `WHEN ${narrow} % ${unit} = 0 THEN CAST(CAST(${narrow} AS DECIMAL(18,${scale})) AS VARCHAR)`,
  );
  return `CASE ${exact.join(' ')} ELSE CAST(${narrow} AS VARCHAR) END`;
}

/** The engine prints DECIMAL(2,2) as `.50`. A lambda is the only way to bind a text that is used more than once. */
function wideDecimalText(x: string): string {
  const trimmed = (t: string): string => `rtrim(rtrim(${t}, '0'), '.')`;
  const text = `CASE WHEN starts_with(d, '.') OR starts_with(d, '-.') THEN ${trimmed(`replace(d, '.', '0.')`)} WHEN d LIKE '%.%0' THEN ${trimmed('d')} ELSE d END`;
  return `list_transform([CAST(${x} AS VARCHAR)], lambda d: ${text})[1]`;
}

/**
 * `2023-12-25`; before the year 1 as in ISO 8601, `0000-12-25` and `-0001-12-25`, where the engine prints `(BC)`, or `-1`
 * for the year. Derived from the text, since the first call of `year` in a statement costs a millisecond.
 */
function dateText(x: string): string {
  const printed = `strftime(${x}, '%Y-%m-%d')`;
  return [
    `CASE WHEN ${x} < DATE '0000-01-01' THEN format('-{:0>10}', substr(${printed}, 2))`,
    `WHEN ${x} < DATE '0001-01-01' THEN ${printed}`,
    `ELSE CAST(${x} AS VARCHAR) END`,
  ].join(' ');
}

/** `2023-12-25T01:02:03.000`, with microseconds only if they are not zero, between two `mark`s. */
export function timestampText(x: string, mark: '' | '"' = ''): string {
  const printed = (fraction: string): string => `strftime(${x}, '${mark}%Y-%m-%dT%H:%M:%S.${fraction}${mark}')`;
  const early = `concat('${mark}', ${dateText(`CAST(${x} AS DATE)`)}, 'T', ${timeText(`CAST(${x} AS TIME)`)}, '${mark}')`;
  return [
    `CASE WHEN ${x} < TIMESTAMP '0001-01-01' THEN ${early}`,
    `WHEN epoch_us(${x}) % 1000000 = 0 THEN concat('${mark}', CAST(${x} AS DATE), 'T', CAST(${x} AS TIME), '.000${mark}')`,
    `WHEN epoch_us(${x}) % 1000 = 0 THEN ${printed('%g')}`,
    `ELSE ${printed('%f')} END`,
  ].join(' ');
}

/** `01:02:03.000`, with microseconds only if they are not zero. */
function timeText(x: string): string {
  const onDay = `(DATE '1970-01-01' + ${x})`;
  return [
    `CASE WHEN epoch_us(${x}) % 1000000 = 0 THEN CAST(${x} AS VARCHAR) || '.000'`,
    `WHEN epoch_us(${x}) % 1000 = 0 THEN strftime(${onDay}, '%H:%M:%S.%g')`,
    `ELSE strftime(${onDay}, '%H:%M:%S.%f') END`,
  ].join(' ');
}

/** ISO 8601, `P1Y2M3DT4H5M6.007S`; zero is `PT0S`; each negative part has its own minus. */
function intervalText(x: string): string {
  const part = (name: string, letter: string): string =>
    `CASE WHEN datepart('${name}', ${x}) <> 0 THEN concat(datepart('${name}', ${x}), '${letter}') END`;
  const micros = `datepart('microsecond', ${x})`;
  const fraction = `abs(${micros}) % 1000000`;
  const fractionText = [
    `CASE WHEN ${fraction} = 0 THEN ''`,
    `WHEN ${fraction} % 1000 = 0 THEN concat('.', lpad(CAST(${fraction} // 1000 AS VARCHAR), 3, '0'))`,
    `ELSE concat('.', lpad(CAST(${fraction} AS VARCHAR), 6, '0')) END`,
  ].join(' ');
  const seconds = `CASE WHEN ${micros} <> 0 THEN concat(CASE WHEN ${micros} < 0 THEN '-' END, abs(${micros}) // 1000000, ${fractionText}, 'S') END`;
  const hasTime = `datepart('hour', ${x}) <> 0 OR datepart('minute', ${x}) <> 0 OR ${micros} <> 0`;
  const time = `CASE WHEN ${hasTime} THEN concat('T', ${part('hour', 'H')}, ${part('minute', 'M')}, ${seconds}) END`;
  const whole = `concat('P', ${part('year', 'Y')}, ${part('month', 'M')}, ${part('day', 'D')}, ${time})`;
  const isZero = `datepart('year', ${x}) = 0 AND datepart('month', ${x}) = 0 AND datepart('day', ${x}) = 0 AND NOT (${hasTime})`;
  return `CASE WHEN ${x} IS NOT NULL THEN CASE WHEN ${isZero} THEN 'PT0S' ELSE ${whole} END END`;
}

/** The text of an `any`: one line, since a line break can stand between the tokens of JSON text and never inside one. */
export function anyText(x: string): string {
  const plain = `CAST(${x} AS VARCHAR)`;
  const hasBreak = `contains(${plain}, chr(10)) OR contains(${plain}, chr(13))`;
  return `CASE WHEN ${hasBreak} THEN translate(${plain}, concat(chr(10), chr(13)), '  ') ELSE ${plain} END`;
}

const plainText = (x: string): string => `CAST(${x} AS VARCHAR)`;

/** Infinities and NaN included, as the engine prints them; callers guard with `isfinite`. */
const doubleText = (x: string): string => `CAST(to_json(${x}) AS VARCHAR)`;

/** Prints a floating-point number, as `finite` if it is finite, else a word: `NaN`, `Infinity`, `-Infinity`, between two `mark`s. */
export function floatingText(x: string, finite: string, mark: '' | '"' = ''): string {
  const word = (name: string): string => `'${mark}${name}${mark}'`;
  // NaN first: the engine orders it above every number.
  return `CASE WHEN isfinite(${x}) THEN ${finite} WHEN isnan(${x}) THEN ${word('NaN')} WHEN ${x} > 0 THEN ${word('Infinity')} WHEN ${x} < 0 THEN ${word('-Infinity')} END`;
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
  binary: (x) => `to_base64(${x})`,
} as const satisfies Record<PrimitiveName, (x: string) => string>;
