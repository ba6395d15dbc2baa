import type { ComparisonOperator } from './operators.ts';
import { compareInside } from './order.ts';
import type { Value } from './value.ts';

/** AND of two truth values. */
export function conjunction(left: Value, right: Value): Value {
  if (left === false || right === false) return false;
  return left === null || right === null ? null : true;
}

/** A comparison of two values of one type: with NULL it is NULL, except for IS [NOT] DISTINCT FROM. */
export function evaluateComparison(operator: ComparisonOperator, left: Value, right: Value): Value {
  const isTotal = operator === 'IS DISTINCT FROM' || operator === 'IS NOT DISTINCT FROM';
  if (!isTotal && (left === null || right === null)) return null;
  const order = compareInside(left, right);
  switch (operator) {
    case '=':
    case 'IS NOT DISTINCT FROM':
      return order === 0;
    case '<>':
    case 'IS DISTINCT FROM':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}
