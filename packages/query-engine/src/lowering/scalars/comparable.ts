import type { Type } from '@svc/query-language';

import { memberNames } from '../../representation/member-names.ts';
import { memberParts } from '../../representation/relation-layout.ts';
import { quoteIdentifier } from '../../representation/sql-text.ts';
import { bindOnce, transformList } from './bind-once.ts';

/** Whether values of a type hold intervals, of which the engine's functions of lists take 30 days and one month for different. */
export function holdsInterval(type: Type): boolean {
  if (type.kind === 'CollectionType') return holdsInterval(type.element);
  if (type.kind === 'RecordType') return type.fields.some((field) => holdsInterval(field.type));
  return type.kind === 'PrimitiveType' && type.name === 'interval';
}

/** Whether the engine's own operators compare values of a type as the language does: of intervals only lone ones. */
export function comparesAsMeant(type: Type): boolean {
  return type.kind === 'PrimitiveType' || !holdsInterval(type);
}

/** What stands for a value, which is cheap to repeat, where the engine looks for equal ones: intervals as microseconds. The rest is as it was. */
export function comparable(sql: string, type: Type): string {
  if (!holdsInterval(type)) return sql;
  if (type.kind === 'CollectionType') return transformList(sql, (element) => comparable(element, type.element));
  if (type.kind !== 'RecordType') return microseconds(sql);
  const names = memberNames(type.fields);
  const members = memberParts(sql, type.fields).map(
    ({ field, expression }, i) => `${quoteIdentifier(names[i] ?? '')} := ${comparable(expression, field.type)}`,
  );
  return `CASE WHEN ${sql} IS NOT NULL THEN struct_pack(${members.join(', ')}) END`;
}

/** What sorts as a value does, where the engine goes by the months of an interval, then its days, then the rest. */
export function sortable(sql: string, type: Type): string {
  return holdsInterval(type) ? bindOnce([sql], (value) => comparable(value, type)) : sql;
}

/** Whether a list has an element; all of them are of a type, and cheap to repeat. */
export function contains(list: string, value: string, type: Type): string {
  if (comparesAsMeant(type)) return `list_contains(${list}, ${value})`;
  return `list_contains(${transformList(list, (element) => comparable(element, type), [value])}, ${comparable(value, type)})`;
}

/** A month counts as 30 days, and a day as 24 hours. */
function microseconds(interval: string): string {
  const part = (name: string): string => `CAST(datepart('${name}', ${interval}) AS HUGEINT)`;
  const days = `((${part('year')} * 12 + ${part('month')}) * 30 + ${part('day')})`;
  return `(((${days} * 24 + ${part('hour')}) * 60 + ${part('minute')}) * 60000000 + ${part('microsecond')})`;
}
