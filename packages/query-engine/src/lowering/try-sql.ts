import type { Type } from '@svc/query-language';

import { duckType } from '../representation/duck-type.ts';

/**
 * `TRY(…)` of SQL as a whole. The engine computes expressions repeated in a select list once and before, also outside of a
 * TRY, which does not catch their failure then; it does not move what is in a CASE that it cannot decide, or in a lambda.
 */
export function trySql(sql: string, isInLambda: boolean): string {
  if (isInLambda) return tried(sql);
  const column = /"c\d+"|\bc\d+\b/.exec(sql.replaceAll(/'(?:[^']|'')*'/g, ''))?.[0];
  return column === undefined ? tryOnce(sql) : tried(`CASE WHEN hash(${column}) IS NOT NULL THEN ${sql} END`);
}

/**
 * As a list of one element: if the value itself comes from a join, the engine otherwise gives a row that does not fail the
 * value of another (1.5.6).
 */
function tried(sql: string): string {
  return `list_extract(TRY([${sql}]), 1)`;
}

/** The same for few rows: prevents evaluation at planning, where no TRY catches a failure either. */
export function tryOnce(sql: string): string {
  return `list_extract(TRY(list_transform([0], lambda tried_row: ${sql})), 1)`;
}

/**
 * Adds the type of a TRY that may fail at planning: the engine gives it none, and finds no function for it. A decimal keeps
 * its own scale, and its consumers accept an untyped value.
 */
export function typedTry(sql: string, type: Type): string {
  const carrier = duckType(type);
  return carrier.includes('DECIMAL') && !/TIME|INTERVAL/.test(carrier) ? sql : `CAST(${sql} AS ${carrier})`;
}
