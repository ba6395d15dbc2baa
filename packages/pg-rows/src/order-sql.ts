import type { ScanTop } from './row-needs.ts';

/** Prints ORDER BY and LIMIT. `columnOf` returns the SQL of a field, and whether it may be NULL; an order without NULL is that of an index. */
export function orderSql(
  { rows, order }: ScanTop,
  columnOf: (field: number) => { readonly sql: string; readonly isNullable: boolean },
): string {
  const keys = order.map(({ field, isDescending, areNullsFirst }) => {
    const { sql, isNullable } = columnOf(field);
    return `${sql}${isDescending ? ' DESC' : ''}${isNullable ? ` NULLS ${areNullsFirst ? 'FIRST' : 'LAST'}` : ''}`;
  });
  return `ORDER BY ${keys.join(', ')} LIMIT ${rows}`;
}
