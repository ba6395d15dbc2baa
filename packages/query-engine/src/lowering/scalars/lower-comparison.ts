import type { ComparisonOperator } from '@svc/query-language';

import { SQL, type Sql } from '../../sql/sql.ts';

const OPERATORS = {
  '=': SQL`=`,
  '<>': SQL`<>`,
  '<': SQL`<`,
  '<=': SQL`<=`,
  '>': SQL`>`,
  '>=': SQL`>=`,
  'is-distinct': SQL`IS DISTINCT FROM`,
  'is-not-distinct': SQL`IS NOT DISTINCT FROM`,
} as const satisfies Record<ComparisonOperator, Sql>;

/**
 * A comparison of two values of one type. The engine's own rules are the language's: NULL of NULL at the top, NULL equal
 * to NULL and greatest inside records and collections, NaN greatest, strings by code point, a month as 30 days.
 */
export function lowerComparison(operator: ComparisonOperator, left: Sql, right: Sql): Sql {
  return SQL`(${left} ${OPERATORS[operator]} ${right})`;
}
