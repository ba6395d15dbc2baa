/**
 * `TRY(…)` of SQL as a whole. The engine computes what occurs twice in a select list once and before, also out of a TRY, which
 * then does not catch it: only what stands in a CASE that it cannot decide, or in a lambda, stays where it is.
 */
export function trySql(sql: string, isInLambda: boolean): string {
  if (isInLambda) return `TRY(${sql})`;
  const column = /"c\d+"|\bc\d+\b/.exec(sql.replaceAll(/'(?:[^']|'')*'/g, ''))?.[0];
  return column === undefined ? tryOnce(sql) : `TRY(CASE WHEN hash(${column}) IS NOT NULL THEN ${sql} END)`;
}

/** The same for few rows: nothing in it is evaluated when the statement is planned, which no TRY catches either. */
export function tryOnce(sql: string): string {
  return `list_extract(TRY(list_transform([0], lambda tried_row: ${sql})), 1)`;
}
