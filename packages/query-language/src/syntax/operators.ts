import type { BinaryOperator, ComparisonSign, ValueOperator } from './ast.ts';

/** Precedence levels, loosest first: a looser expression needs parentheses where a tighter one is expected. */
export const LEVEL = {
  reachesRight: 0,
  union: 1,
  intersect: 2,
  or: 3,
  and: 4,
  not: 5,
  comparison: 6,
  clause: 7,
  append: 8,
  sum: 9,
  product: 10,
  unary: 11,
  zone: 12,
  postfix: 13,
} as const;

/** The level of each operator of values. */
export const VALUE_LEVELS: Readonly<Record<ValueOperator, number>> = {
  '++': LEVEL.append,
  '+++': LEVEL.append,
  '+': LEVEL.sum,
  '-': LEVEL.sum,
  '||': LEVEL.sum,
  '*': LEVEL.product,
  '/': LEVEL.product,
  '%': LEVEL.product,
};

/** Comparison operators as written, two of them in two ways. */
export const COMPARISONS: Readonly<Record<ComparisonSign | '==' | '!=', ComparisonSign>> = {
  '=': '=',
  '==': '=',
  '<>': '<>',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

/** Returns whether a symbol is an operator of values. */
export function isValueOperator(symbol: string): symbol is ValueOperator {
  return Object.hasOwn(VALUE_LEVELS, symbol);
}

/** Returns the level of an operator between two operands. */
export function levelOfOperator(operator: BinaryOperator): number {
  if (operator === 'OR') return LEVEL.or;
  if (operator === 'AND') return LEVEL.and;
  return isValueOperator(operator) ? VALUE_LEVELS[operator] : LEVEL.comparison;
}
