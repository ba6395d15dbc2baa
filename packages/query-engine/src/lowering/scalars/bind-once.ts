/** Columns, lambda variables and their members, and literals: cheap to write and to evaluate again. */
const REPEATABLE =
  /^(?:-?\d{1,19}|'[^']{0,40}'|NULL|TRUE|FALSE|(?:"[^"]+"|[A-Za-z_]\w*)(?:\.(?:"[^"]+"|[A-Za-z_]\w*))*|CAST\((?:'[^']{0,40}'|-?\d+|NULL) AS [A-Z]+(?:\(\d+,\d+\))?\))$/;

/** Returns whether the SQL of a value may be repeated at no cost. */
export function isRepeatable(sql: string): boolean {
  return REPEATABLE.test(sql);
}

/**
 * Builds an expression that uses some values more than once: those that are not repeatable become members of a lambda's
 * variable, so that each is evaluated and bound once per row. About 10 ns per row. `body` must not contain subqueries; other
 * SQL that it uses is given as `others`, so that the variable does not hide it.
 */
export function bindOnce(values: readonly string[], body: (...names: string[]) => string, others: readonly string[] = []): string {
  const bound = values.filter((value) => !isRepeatable(value));
  if (bound.length === 0) return body(...values);
  const variable = freshVariable([...values, ...others]);
  if (bound.length === 1) {
    const names = values.map((value) => (isRepeatable(value) ? value : variable));
    return `list_extract(list_transform([${bound.join('')}], lambda ${variable}: ${body(...names)}), 1)`;
  }
  const members = bound.map((value, i) => `m${i} := ${value}`);
  const names = values.map((value) => (isRepeatable(value) ? value : `${variable}.m${bound.indexOf(value)}`));
  return `list_extract(list_transform([struct_pack(${members.join(', ')})], lambda ${variable}: ${body(...names)}), 1)`;
}

/** Builds `lambda v: body(v)` over a list's elements, with a variable that none of the given SQL uses. */
export function transformList(list: string, body: (element: string) => string, others: readonly string[] = []): string {
  const variable = freshVariable([list, ...others]);
  return `list_transform(${list}, lambda ${variable}: ${body(variable)})`;
}

/** The same with the position of each element, from 1. */
export function transformIndexed(
  list: string,
  body: (element: string, position: string) => string,
  others: readonly string[] = [],
): string {
  const element = freshVariable([list, ...others]);
  const position = freshVariable([element]);
  return `list_transform(${list}, lambda ${element}, ${position}: ${body(element, position)})`;
}

/** Returns a name for a lambda's variable that hides none: higher than any in the given SQL. */
export function freshVariable(used: readonly string[]): string {
  let highest = 0;
  for (const sql of used) {
    for (const match of sql.matchAll(/\bbound_(\d+)\b/g)) highest = Math.max(highest, Number(match[1]));
  }
  return `bound_${highest + 1}`;
}
