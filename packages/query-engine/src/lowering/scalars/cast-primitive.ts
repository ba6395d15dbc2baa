import { primitive, type PrimitiveName } from '@svc/query-language';

import { mayHaveFraction, wholeOfNumber } from '../../readers/number-text.ts';
import { intervalOfText, isDateText, isTimeText, mayBeTimestampText, timestampOfText } from '../../readers/temporal-text.ts';
import { duckType } from '../../representation/duck-type.ts';
import { castTo, SQL, tryCastTo, verbatim, type Sql } from '../../sql/sql.ts';
import type { CastMode } from './cast-mode.ts';
import { letExpression } from './let-expression.ts';
import { primitiveText } from './value-text.ts';

/** Names of integers. */
export const WHOLE: ReadonlySet<PrimitiveName> = new Set(['byte', 'short', 'int', 'long']);
const FRACTIONAL: ReadonlySet<PrimitiveName> = new Set(['float', 'double', 'decimal']);
const BLANKS = verbatim("e' \\t\\n\\r'");

/** A primitive as another; `x` may be repeated. Fractions are cut off, text is trimmed. */
export function castPrimitive(x: Sql, from: PrimitiveName, to: PrimitiveName, mode: CastMode): Sql {
  const engineType = duckType(primitive(to));
  if (to === 'string') return from === 'binary' ? decodeUtf8(x, mode) : primitiveText(x, from);
  if (from === 'string') return castText(x, to, mode);
  if (WHOLE.has(to) && from !== 'binary' && (FRACTIONAL.has(from) || WHOLE.has(from))) return castToWhole(x, from, to, mode);
  if (from === 'date' && to === 'timestamp') return castDateToTimestamp(x, mode);
  if (to === 'decimal' && (from === 'float' || from === 'double')) return castToDecimal(x, from, mode);
  return mode.cast(x, engineType);
}

/** The engine reports a number out of range as an overflow without a position. */
function castToWhole(x: Sql, from: Exclude<PrimitiveName, 'binary'>, to: PrimitiveName, mode: CastMode): Sql {
  const whole = FRACTIONAL.has(from) ? SQL`trunc(${x})` : x;
  const fail = mode.fail(primitive(from), primitive(to), primitiveText(x, from));
  return SQL`coalesce(${tryCastTo(whole, duckType(primitive(to)))}, CASE WHEN ${x} IS NOT NULL THEN ${fail} END)`;
}

/** The engine's own failure has no position, and its TRY_CAST fails too. */
function castDateToTimestamp(x: Sql, mode: CastMode): Sql {
  const isThere = SQL`${x} BETWEEN DATE '290309-12-22 (BC)' AND DATE '294247-01-10'`;
  const fail = mode.fail(primitive('date'), primitive('timestamp'), primitiveText(x, 'date'));
  return SQL`CASE WHEN ${isThere} THEN CAST(${x} AS TIMESTAMP) WHEN ${x} IS NOT NULL THEN ${fail} END`;
}

/** By way of its shortest text. */
function castToDecimal(x: Sql, from: 'float' | 'double', mode: CastMode): Sql {
  const fail = mode.fail(primitive(from), primitive('decimal'), primitiveText(x, from));
  return SQL`coalesce(${tryCastTo(castTo(x, 'VARCHAR'), duckType(primitive('decimal')))}, CASE WHEN ${x} IS NOT NULL THEN ${fail} END)`;
}

/** Text as another primitive; `x` may be repeated. */
export function castText(x: Sql, to: PrimitiveName, mode: CastMode): Sql {
  const engineType = duckType(primitive(to));
  const fail = mode.fail(primitive('string'), primitive(to), SQL`concat('''', ${x}, '''')`);
  switch (to) {
    case 'byte':
    case 'short':
    case 'int':
    case 'long': {
      // The engine rounds a fraction. For a text that is not a number it names the requested type.
      const cut = SQL`coalesce(${wholeOfNumber(x, engineType)}, ${fail})`;
      return SQL`CASE WHEN ${mayHaveFraction(x)} THEN ${cut} ELSE ${mode.cast(x, engineType)} END`;
    }
    case 'bool':
      return mode.cast(SQL`trim(${x}, ${BLANKS})`, engineType);
    case 'date':
      return SQL`CASE WHEN NOT ${isDateText(x)} THEN ${fail} ELSE ${mode.cast(x, engineType)} END`;
    case 'time':
      return SQL`CASE WHEN NOT ${isTimeText(x)} THEN ${fail} ELSE ${mode.cast(SQL`trim(${x}, ${BLANKS})`, engineType)} END`;
    case 'timestamp':
      return castTextToTimestamp(x, mode, fail);
    case 'interval':
      return SQL`coalesce(${intervalOfText(x)}, CASE WHEN ${x} IS NOT NULL THEN ${fail} END)`;
    case 'binary':
      return SQL`encode(${x})`;
    case 'float':
    case 'double':
    case 'decimal':
      return mode.cast(x, engineType);
    case 'string':
    case 'regex':
      return x;
  }
}

function castTextToTimestamp(x: Sql, mode: CastMode, fail: Sql): Sql {
  return letExpression(
    [SQL`CASE WHEN ${x}[1] > ' ' AND ${x}[-1] > ' ' THEN ${x} ELSE trim(${x}, ${BLANKS}) END`],
    (s) => SQL`CASE WHEN NOT ${mayBeTimestampText(s)} THEN ${fail} ELSE ${timestampOfText(s, mode.cast, fail)} END`,
  );
}

/** The engine's own failure has no place; `x` may be repeated. */
function decodeUtf8(x: Sql, mode: CastMode): Sql {
  return SQL`coalesce(TRY(decode(${x})), CASE WHEN ${x} IS NOT NULL THEN ${mode.fail(primitive('binary'), primitive('string'))} END)`;
}
