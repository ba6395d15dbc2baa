import { isRepeatable } from '../../sql/inspect-sql.ts';
import { joinSql, memberOf, SQL, variableRef, type Sql } from '../../sql/sql.ts';

/**
 * Builds an expression that uses some values more than once: those that are not repeatable become members of a lambda's
 * variable, so that each is evaluated and bound once per row. About 10 ns per row. `body` must not contain subqueries.
 */
export function letExpression(values: readonly Sql[], body: (...names: Sql[]) => Sql): Sql {
  const bound = values.filter((value) => !isRepeatable(value));
  const [first] = bound;
  if (first === undefined) return body(...values);
  return withVariable((variable) => {
    const isAlone = bound.length === 1;
    const whole = isAlone ? first : SQL`struct_pack(${joinSql(bound.map((value, i) => SQL`${variableRef(`m${i}`)} := ${value}`))})`;
    const nameOf = (value: Sql): Sql => (isAlone ? variable : memberOf(variable, `m${bound.indexOf(value)}`));
    const names = values.map((value) => (isRepeatable(value) ? value : nameOf(value)));
    return SQL`list_extract(list_transform([${whole}], lambda ${variable}: ${body(...names)}), 1)`;
  });
}

/** Builds `lambda v: body(v)` over a list's elements. */
export function transformList(list: Sql, body: (element: Sql) => Sql): Sql {
  return withVariable((element) => SQL`list_transform(${list}, lambda ${element}: ${body(element)})`);
}

/** The same with the position of each element, from 1. */
export function transformIndexed(list: Sql, body: (element: Sql, position: Sql) => Sql): Sql {
  return withVariable((element) =>
    withVariable((position) => SQL`list_transform(${list}, lambda ${element}, ${position}: ${body(element, position)})`),
  );
}

/** The number of variables whose lambdas are being built, one within the other. */
let depth = 0;

/**
 * Builds SQL with a lambda's variable that hides none around it. Finished SQL in it may bind the same name, but only uses its
 * own.
 */
function withVariable(build: (variable: Sql) => Sql): Sql {
  depth += 1;
  try {
    return build(variableRef(`bound_${depth}`));
  } finally {
    depth -= 1;
  }
}
