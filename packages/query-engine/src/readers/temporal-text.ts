import { INTERVAL_TEXT, OFFSET_TEXT } from '@svc/query-language';

import { anyOf, bothOf, castTo, SQL, textLiteral, type Sql } from '../sql/sql.ts';

/** A cast of the engine: SQL of a value, and the type that it is to have. */
export type EngineCast = (sql: Sql, engineType: string) => Sql;

/**
 * Converts ISO text, cheap to repeat, to a TIMESTAMP in UTC: like the cast, but with the offset applied, and seconds
 * optional before an offset or `Z`. A cast to TIMESTAMP ignores an offset; one to TIMESTAMPTZ, which does not, is five times
 * slower and accepts offsets of days. `misfit` is the result if other text follows the time.
 */
export function timestampOfText(s: Sql, cast: EngineCast, misfit: Sql): Sql {
  const isWithoutSeconds = bothOf(SQL`substr(${s}, -4, 1) = ':'`, SQL`substr(${s}, -7, 1) <> ':'`);
  const utc = SQL`CASE WHEN ${isWithoutSeconds} THEN ${cast(SQL`left(${s}, length(${s}) - 1)`, 'TIMESTAMP')} ELSE ${cast(s, 'TIMESTAMP')} END`;
  const clock = SQL`substr(${s}, strpos(${s}, ':'))`;
  const hasMore = bothOf(SQL`contains(${s}, ':')`, SQL`regexp_matches(${clock}, '[^0-9:.]')`);
  const isOffset = SQL`regexp_full_match(${clock}, ${textLiteral(OFFSET_OR_ZONE)})`;
  // The engine requires seconds before an offset.
  const complete = SQL`regexp_replace(${s}, '^(.*[T ]\\d\\d:\\d\\d)([+-])', '\\1:00\\2')`;
  const zoned = castTo(cast(complete, 'TIMESTAMPTZ'), 'TIMESTAMP');
  return SQL`CASE WHEN right(${s}, 1) = 'Z' THEN ${utc} WHEN ${hasMore} THEN CASE WHEN ${isOffset} THEN ${zoned} ELSE ${misfit} END ELSE ${cast(s, 'TIMESTAMP')} END`;
}

const OFFSET_OR_ZONE = String.raw`[0-9:.]*\s*(?:${OFFSET_TEXT}|[A-Za-z_]+(?:/[-+\w]+)*)`;
const CLOCK = String.raw`(?:[01]?\d|2[0-3]):\d\d(?::\d\d(?:\.\d+)?)?`;
const DATE_TEXT = String.raw`\s*-?\d{1,6}[-/ ]\d{1,2}[-/ ]\d{1,2}(?:[T ]${CLOCK}\s*(?:Z|${OFFSET_TEXT})?)?\s*`;
const TIME_TEXT = String.raw`\s*${CLOCK}\s*`;

/**
 * SQL of whether a text is a date, or a timestamp, whose date is used. A cast accepts any text that starts with a date, and
 * `epoch`. The form in which dates are printed needs no regular expression.
 */
export function isDateText(s: Sql): Sql {
  const isPlain = bothOf(SQL`strlen(${s}) = 10`, SQL`CAST(TRY_CAST(${s} AS DATE) AS VARCHAR) = ${s}`);
  return anyOf(isPlain, SQL`regexp_full_match(${s}, ${textLiteral(DATE_TEXT)})`);
}

/** SQL of whether a text is a time of day. A cast ignores trailing text, even `PM`, and converts a date to midnight. */
export function isTimeText(s: Sql): Sql {
  return SQL`regexp_full_match(${s}, ${textLiteral(TIME_TEXT)})`;
}

/**
 * SQL, cheap, of whether a text can be a timestamp where a cast is too lenient: about `epoch`, `infinity` with or without a
 * sign, and `(BC)`.
 */
export function mayBeTimestampText(s: Sql): Sql {
  return bothOf(SQL`${s} < ':'`, SQL`NOT ${anyOf(SQL`contains(${s}, '(')`, SQL`contains(lower(${s}), 'inf')`)}`);
}

/**
 * Converts a text, cheap to repeat, to an INTERVAL, NULL if it is invalid. The engine accepts more than the language (`1
 * decade`, `5`, `1 day ago`), and less: not the form in which intervals are printed, no sign `+`, no commas.
 */
export function intervalOfText(s: Sql): Sql {
  return SQL`CASE WHEN regexp_full_match(${s}, ${textLiteral(`(?i:${INTERVAL_TEXT})`)}) THEN TRY_CAST(CASE WHEN contains(lower(${s}), 'p') THEN ${isoInWords(s)} ELSE ${plainWords(s)} END AS INTERVAL) END`;
}

function plainWords(s: Sql): Sql {
  return SQL`regexp_replace(translate(lower(${s}), ',+', ' '), 'milli(s?)(\\s|$)', 'millisecond\\1\\2', 'g')`;
}

const ISO_WORDS = { M: 'months', Y: 'years', W: 'weeks', D: 'days', H: 'hours', S: 'seconds', P: '', T: '', '+': '' } as const;

function isoInWords(s: Sql): Sql {
  const minutes: Sql = SQL`regexp_replace(upper(${s}), 'T(.*)M', 'T\\1 minutes ')`;
  return Object.entries(ISO_WORDS).reduce(
    (sql, [letter, word]) => SQL`replace(${sql}, ${textLiteral(letter)}, ${textLiteral(` ${word} `)})`,
    minutes,
  );
}
