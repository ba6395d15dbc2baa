import { anyType, type RecordType, type Type } from '@svc/query-language';

import { holdsPrimitive } from '../../analysis/holds-primitive.ts';
import { duckType } from '../../representation/duck-type.ts';
import { castTo, SQL, type Sql } from '../../sql/sql.ts';
import { letExpression, transformList } from './let-expression.ts';
import { packRecord } from './pack-record.ts';
import { lowerToAny } from './value-text.ts';
import { memberParts } from '../../representation/relation-layout.ts';

/** Widening that cannot fail, of a value that has been lowered: records field by field, collections by element. */
export function lowerConvert(sql: Sql, from: Type, to: Type): Sql {
  const engineType = duckType(to);
  if (from.kind !== 'AnyType' && to.kind === 'AnyType') return lowerToAny(sql, from);
  if (from.kind === 'AnyType' && to.kind === 'AnyType') return sql;
  // The SQL of a decimal may have another scale, and is converted to the common one.
  if (!gainsAny(from, to)) return duckType(from) === engineType && !holdsPrimitive(to, 'decimal') ? sql : castTo(sql, engineType);
  if (from.kind === 'CollectionType' && to.kind === 'CollectionType')
    return transformList(sql, (e) => lowerConvert(e, from.element, to.element));
  if (from.kind === 'RecordType' && to.kind === 'RecordType') return convertRecord(sql, from, to);
  throw new Error(`There is no widening from ${from.kind} to ${to.kind}.`);
}

function convertRecord(sql: Sql, from: RecordType, to: RecordType): Sql {
  return letExpression([sql], (x) => {
    const values = memberParts(x, from.fields).map(({ field, expression }, i) =>
      lowerConvert(expression, field.type, to.fields[i]?.type ?? anyType),
    );
    return SQL`CASE WHEN ${x} IS NOT NULL THEN ${packRecord(to, values)} END`;
  });
}

/** Returns whether some part becomes an `any`: the engine's cast would print it in other forms. */
function gainsAny(from: Type, to: Type): boolean {
  if (to.kind === 'AnyType') return from.kind !== 'AnyType';
  if (from.kind === 'CollectionType' && to.kind === 'CollectionType') return gainsAny(from.element, to.element);
  if (from.kind === 'RecordType' && to.kind === 'RecordType') {
    return to.fields.some((field, i) => gainsAny(from.fields[i]?.type ?? anyType, field.type));
  }
  return false;
}
