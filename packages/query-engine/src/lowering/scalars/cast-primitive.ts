import { primitive, string, type PrimitiveName } from '@svc/query-language';

import { decimalOfText, isTooLarge, mayHaveFraction, wholeOfNumber } from '../../readers/number-text.ts';
import { intervalOfText, isDateText, isTimeText, mayBeTimestampText, timestampOfText } from '../../readers/temporal-text.ts';
import { ENGINE_TYPES } from '../../representation/duck-type.ts';
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
  if (from === 'string') return castText(x, to, mode);
  if (from === 'binary')
    return to === 'string' ? orFail(SQL`TRY(decode(${x}))`, x, mode.fail(primitive(from), string)) : mode.cast(x, 'BLOB');
  if (to === 'string') return primitiveText(x, from);
  const tried = triedCast(x, from, to);
  return tried === null
    ? mode.cast(x, ENGINE_TYPES[to])
    : orFail(tried, x, mode.fail(primitive(from), primitive(to), primitiveText(x, from)));
}

/**
 * Returns a cast that is NULL if it fails, where the engine's own failure has no position; null for other types. A floating
 * number becomes a decimal by way of its shortest text. For a timestamp the engine's TRY_CAST fails too.
 */
function triedCast(x: Sql, from: PrimitiveName, to: PrimitiveName): Sql | null {
  if (WHOLE.has(to) && (FRACTIONAL.has(from) || WHOLE.has(from)))
    return tryCastTo(WHOLE.has(from) ? x : SQL`trunc(${x})`, ENGINE_TYPES[to]);
  if (from === 'date' && to === 'timestamp') return SQL`TRY(CAST(${x} AS TIMESTAMP))`;
  return to === 'decimal' && (from === 'float' || from === 'double') ? decimalOfText(castTo(x, 'VARCHAR'), tryCastTo) : null;
}

/** A value that was tried, and a failure where it is NULL though `x` is not. */
function orFail(tried: Sql, x: Sql, fail: Sql): Sql {
  return SQL`coalesce(${tried}, CASE WHEN ${x} IS NOT NULL THEN ${fail} END)`;
}

/** Text as another primitive; `x` may be repeated. */
export function castText(x: Sql, to: PrimitiveName, mode: CastMode): Sql {
  const engineType = ENGINE_TYPES[to];
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
      return orFail(intervalOfText(x), x, fail);
    case 'binary':
      return SQL`encode(${x})`;
    case 'float':
    case 'double':
      return SQL`CASE WHEN ${isTooLarge(x, to)} THEN ${fail} ELSE ${mode.cast(x, engineType)} END`;
    case 'decimal':
      return decimalOfText(x, mode.cast);
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
