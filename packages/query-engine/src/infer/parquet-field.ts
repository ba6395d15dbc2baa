import type { FieldType, Type } from '@svc/query-language';
import { castKind, isAssignable, isSameType, notNullable, nullable, printType } from '@svc/query-language';

import { lowerCast } from '../lowering/scalars/lower-cast.ts';
import { lowerJsonText, primitiveText } from '../lowering/scalars/value-text.ts';
import { failAbsent, failReading } from '../readers/from-text.ts';
import type { OnError, ParquetColumn } from '../readers/read-plan.ts';
import { duckType } from '../representation/duck-type.ts';
import { sqlText } from '../sql/print-sql.ts';
import { castTo, NULL, SQL, textLiteral, type Sql } from '../sql/sql.ts';

/** Returns the column of a field that some file lacks. */
export function absentColumn(field: FieldType): ParquetColumn {
  return { field, column: null, value: sqlText(castTo(NULL, duckType(field.type))), isUnfit: null };
}

/** Returns whether some value of a file's type can be converted to the field's. */
export function canBeField(found: Type, field: Type): boolean {
  return castKind(found, field) !== 'impossible';
}

/** Converts a column of a file to a field of another type: cast, and checked for NULL if the field is not nullable. */
export function asField(
  { field: { type: found }, value, column }: { readonly field: FieldType; readonly value: Sql; readonly column: number },
  field: FieldType,
  onError: OnError,
): ParquetColumn {
  const { type } = field;
  if (isSameType(nullable(found), nullable(type)) && !(found.isNullable && !type.isNullable))
    return { field, column, value: sqlText(value), isUnfit: null };
  const isSafe = isAssignable(notNullable(found), notNullable(type)) && castKind(notNullable(found), notNullable(type)) !== 'may-fail';
  const [text, cast] = [sqlText(value), sqlText(lowerCast(value, found, type, true, NO_CALL))];
  if (isSafe && (type.isNullable || !found.isNullable)) return { field, column, value: cast, isUnfit: null };
  const isUnfit = type.isNullable ? `(${text} IS NOT NULL AND ${cast} IS NULL)` : `(${cast} IS NULL)`;
  if (type.isNullable && onError !== 'fail') return { field, column, value: cast, isUnfit };
  const failing = `CASE WHEN ${text} IS NOT NULL THEN ${misfit(value, found, field)}${type.isNullable ? '' : ` ELSE ${absent(field)}`} END`;
  return { field, column, value: `coalesce(${cast}, ${failing})`, isUnfit };
}

/** Failing conversions are tried, so that the cast itself raises nothing. */
const NO_CALL = { raise: noRaise, raiseText: noRaise, castLine: (sql: Sql): Sql => sql, isNoted: false };

function noRaise(): never {
  throw new Error('A cast that is tried raises nothing.');
}

function misfit(value: Sql, found: Type, { name, type }: FieldType): string {
  return failReading({ format: 'parquet', path: `column ${name}` }, sqlText(misfitText(value, found, type)), duckType(type));
}

function misfitText(value: Sql, found: Type, type: Type): Sql {
  const name = found.kind === 'PrimitiveType' && found.name !== 'binary' ? found.name : null;
  const shown = name === null ? lowerJsonText(value, found) : primitiveText(value, name);
  const text = name === 'string' ? SQL`concat('''', left(${value}, 100), '''')` : SQL`left(${shown}, 100)`;
  return SQL`concat(${text}, ${textLiteral(` is no ${printType(notNullable(type))}`)})`;
}

function absent({ name, type }: FieldType): string {
  return failAbsent({ format: 'parquet', path: `column ${name}` }, duckType(type));
}
