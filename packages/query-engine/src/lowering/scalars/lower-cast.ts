import { canWideningFail, castKind, type CollectionType, isAssignable, notNullable, type RecordType, type Type } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { castTo, joinSql, NULL, SQL, textLiteral, variableRef, type Sql } from '../../sql/sql.ts';
import type { CallContext } from '../lowering-types.ts';
import { castAny, fitsAny } from './cast-any.ts';
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
  // In a lambda of its own, so that only the cast is tried, and not the computation of the value. Within TRY a value that fails
  // would take as long as thousands that do not, so that TRY sees those that can be cast.
  const attempt = transformList(
    SQL`[${sql}]`,
    (x) => SQL`TRY(CASE WHEN ${fitsCast(x, from, to)} THEN ${castValue(x, from, to, insideTryMode)} END)`,
  );
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

/** SQL of whether a value can be cast: TRUE or FALSE. `x` may be repeated. */
function fitsCast(x: Sql, from: Type, to: Type): Sql {
  if (from.kind === 'AnyType') return fitsAny(x, to);
  if (isWidening(from, to) || (to.kind === 'PrimitiveType' && to.name === 'string')) return SQL`TRUE`;
  if (from.kind === 'PrimitiveType' && to.kind === 'PrimitiveType')
    return SQL`(${x} IS NULL OR ${castPrimitive(x, from.name, to.name, tryMode)} IS NOT NULL)`;
  if (from.kind === 'CollectionType' && to.kind === 'CollectionType')
    return SQL`(${x} IS NULL OR len(list_filter(${x}, lambda part: NOT ${fitsPart(variableRef('part'), from.element, to.element)})) = 0)`;
  if (from.kind === 'RecordType' && to.kind === 'RecordType') {
    const parts = memberParts(x, from.fields).flatMap(({ field, expression }) => {
      const target = to.fields.find(({ name }) => name === field.name);
      return target === undefined ? [] : [fitsPart(expression, field.type, target.type)];
    });
    return SQL`(${x} IS NULL OR (${joinSql([SQL`TRUE`, ...parts], ' AND ')}))`;
  }
  return SQL`TRUE`;
}

function fitsPart(x: Sql, from: Type, to: Type): Sql {
  const fits = fitsCast(x, from, to);
  return !to.isNullable && (from.isNullable || from.kind === 'AnyType') ? SQL`(${x} IS NOT NULL AND ${fits})` : fits;
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
