import { canWideningFail, castKind, type CollectionType, isAssignable, notNullable, type RecordType, type Type } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { castTo, NULL, SQL, textLiteral, type Sql } from '../../sql/sql.ts';
import type { CallContext } from '../lowering-types.ts';
import { castAny } from './cast-any.ts';
import { type CastMode, insideTryMode, strictMode, tryMode } from './cast-mode.ts';
import { castPrimitive } from './cast-primitive.ts';
import { letExpression, transformList } from './let-expression.ts';
import { lowerConvert } from './lower-convert.ts';
import { packRecord } from './pack-record.ts';
import { lowerJsonText } from './value-text.ts';
import { memberParts } from '../../representation/relation-layout.ts';

/**
 * Lowers CAST and TRY_CAST of a lowered value. NULL for NULL. A TRY_CAST is NULL as a whole if a part of the value cannot be
 * cast; a failure of the value itself is not caught.
 */
export function lowerCast(
  sql: Sql,
  from: Type,
  to: Type,
  isTry: boolean,
  call: Pick<CallContext, 'raise' | 'raiseText' | 'castLine' | 'isNoted'>,
): Sql {
  if (isWidening(from, to)) return lowerConvert(sql, from, to);
  if (!isTry) return castValue(sql, from, to, strictMode(call));
  if (to.kind === 'PrimitiveType') return castValue(sql, from, to, tryMode);
  // In a lambda of its own, so that only the cast is tried, and not the computation of the value.
  const attempt = transformList(SQL`[${sql}]`, (x) => SQL`TRY(${castValue(x, from, to, insideTryMode)})`);
  return castTo(SQL`list_extract(${attempt}, 1)`, duckType(to));
}

/** Lowers an implicit widening. The engine's cast is fastest, but does not report where it failed: a statement with error positions does. */
export function lowerWidening(sql: Sql, from: Type, to: Type, call: CallContext): Sql {
  const isPlaced = call.hasErrorPositions && !call.isInTry && canWideningFail(from, to);
  return isPlaced ? castValue(sql, from, to, strictMode(call)) : lowerConvert(sql, from, to);
}

function castValue(sql: Sql, from: Type, to: Type, mode: CastMode): Sql {
  if (isWidening(from, to) && from.kind !== 'AnyType') return lowerConvert(sql, from, to);
  if (from.kind === 'AnyType') return letExpression([sql], (x) => castAny(x, to, mode));
  if (from.kind === 'PrimitiveType' && to.kind === 'PrimitiveType')
    return letExpression([sql], (x) => castPrimitive(x, from.name, to.name, mode));
  if (to.kind === 'PrimitiveType' && to.name === 'string') return lowerJsonText(sql, from);
  if (from.kind === 'CollectionType' && to.kind === 'CollectionType') return castCollection(sql, from, to, mode);
  if (from.kind === 'RecordType' && to.kind === 'RecordType') return castRecord(sql, from, to, mode);
  throw new Error(`There is no cast from ${from.kind} to ${to.kind}.`);
}

/** Returns whether a value has the type already, or widens to it infallibly. */
function isWidening(from: Type, to: Type): boolean {
  return isAssignable(notNullable(from), notNullable(to)) && castKind(notNullable(from), notNullable(to)) !== 'may-fail';
}

function castCollection(sql: Sql, from: CollectionType, to: CollectionType, mode: CastMode): Sql {
  return transformList(sql, (element) => castMember(element, from.element, to.element, mode));
}

/** By name; a missing field is NULL. */
function castRecord(sql: Sql, from: RecordType, to: RecordType, mode: CastMode): Sql {
  return letExpression([sql], (x) => {
    const parts = memberParts(x, from.fields);
    const values = to.fields.map((field) => {
      const source = parts.find((part) => part.field.name === field.name);
      return source === undefined ? castTo(NULL, duckType(field.type)) : castMember(source.expression, source.field.type, field.type, mode);
    });
    return SQL`CASE WHEN ${x} IS NOT NULL THEN ${packRecord(to, values)} END`;
  });
}

/** Casts a part of a value, with a typed NULL. */
function castMember(sql: Sql, from: Type, to: Type, mode: CastMode): Sql {
  const value = castValue(sql, from, to, mode);
  return !to.isNullable && (from.isNullable || from.kind === 'AnyType')
    ? SQL`coalesce(${value}, ${mode.fail(from, to, textLiteral('NULL'))})`
    : value;
}
