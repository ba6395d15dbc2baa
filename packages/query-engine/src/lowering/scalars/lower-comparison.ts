import type { ComparisonOperator } from '@svc/query-language';

const OPERATORS = {
  '=': '=',
  '<>': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  'is-distinct': 'IS DISTINCT FROM',
  'is-not-distinct': 'IS NOT DISTINCT FROM',
} as const satisfies Record<ComparisonOperator, string>;

/**
 * A comparison of two values of one type. The engine's own rules are the language's: NULL of NULL at the top, NULL equal
 * to NULL and greatest inside records and collections, NaN greatest, strings by code point, a month as 30 days.
 */
export function lowerComparison(operator: ComparisonOperator, left: string, right: string): string {
  return `(${left} ${OPERATORS[operator]} ${right})`;
}
