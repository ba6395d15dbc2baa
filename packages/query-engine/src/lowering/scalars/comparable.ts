import type { Plan, Type } from '@svc/query-language';

import { holdsInterval } from '../../analysis/holds-primitive.ts';
import { mayMixSigns } from '../../analysis/mixed-interval.ts';
import { SQL, textLiteral, type Sql } from '../../sql/sql.ts';
import { letExpression, transformList } from './let-expression.ts';
import { packRecord } from './pack-record.ts';
import { memberParts } from '../../representation/relation-layout.ts';

/** Returns whether the engine compares all values of a type as the language does: it does not if they contain intervals. */
export function comparesAsMeant(type: Type): boolean {
  return !holdsInterval(type);
}

/** Returns how values that are compared with one another are lowered: as they are, or as the lengths of intervals. */
export function comparedAs(values: readonly Plan[], lower: (value: Plan) => Sql): (value: Plan) => Sql {
  return values.some(mayMixSigns) ? (value) => sortable(lower(value), value.type) : lower;
}

/** Replaces intervals in a value, which is cheap to repeat, by microseconds, for equality in the engine. Other parts stay. */
export function comparable(sql: Sql, type: Type): Sql {
  if (!holdsInterval(type)) return sql;
  if (type.kind === 'CollectionType') return transformList(sql, (element) => comparable(element, type.element));
  if (type.kind !== 'RecordType') return microseconds(sql);
  const values = memberParts(sql, type.fields).map(({ field, expression }) => comparable(expression, field.type));
  return SQL`CASE WHEN ${sql} IS NOT NULL THEN ${packRecord(type, values)} END`;
}

/** Returns a sort key of a value whose intervals the engine would compare by months, then days, then the rest. */
export function sortable(sql: Sql, type: Type): Sql {
  return holdsInterval(type) ? letExpression([sql], (value) => comparable(value, type)) : sql;
}

/** Returns whether a list contains an element; all are of one type, and cheap to repeat. */
export function contains(list: Sql, value: Sql, type: Type): Sql {
  if (comparesAsMeant(type)) return SQL`list_contains(${list}, ${value})`;
  return SQL`list_contains(${transformList(list, (element) => comparable(element, type))}, ${comparable(value, type)})`;
}

/** A month counts as 30 days, and a day as 24 hours. */
function microseconds(interval: Sql): Sql {
  const part = (name: string): Sql => SQL`CAST(date_part(${textLiteral(name)}, ${interval}) AS HUGEINT)`;
  const days = SQL`((${part('year')} * 12 + ${part('month')}) * 30 + ${part('day')})`;
  return SQL`(((${days} * 24 + ${part('hour')}) * 60 + ${part('minute')}) * 60000000 + ${part('microsecond')})`;
}
