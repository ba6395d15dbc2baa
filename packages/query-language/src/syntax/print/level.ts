import type { BinaryOperator, Expression } from '../ast.ts';

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

const BINARY_LEVELS: Readonly<Record<BinaryOperator, number>> = {
  OR: LEVEL.or,
  AND: LEVEL.and,
  '=': LEVEL.comparison,
  '<>': LEVEL.comparison,
  '<': LEVEL.comparison,
  '<=': LEVEL.comparison,
  '>': LEVEL.comparison,
  '>=': LEVEL.comparison,
  '++': LEVEL.append,
  '+++': LEVEL.append,
  '+': LEVEL.sum,
  '-': LEVEL.sum,
  '||': LEVEL.sum,
  '*': LEVEL.product,
  '/': LEVEL.product,
  '%': LEVEL.product,
};

/** Kinds that are looser than a literal, a name or brackets, and do not depend on an operator. */
const LEVELS: Partial<Readonly<Record<Expression['kind'], number>>> = {
  IfExpression: LEVEL.reachesRight,
  LambdaExpression: LEVEL.reachesRight,
  SelectExpression: LEVEL.reachesRight,
  OrderedChain: LEVEL.reachesRight,
  LikeExpression: LEVEL.comparison,
  BetweenExpression: LEVEL.comparison,
  IsNullExpression: LEVEL.comparison,
  IsDistinctExpression: LEVEL.comparison,
  IntoExpression: LEVEL.clause,
  ExcludeExpression: LEVEL.clause,
  ParseAsExpression: LEVEL.clause,
  AtTimeZoneExpression: LEVEL.zone,
};

/** Returns the precedence level of a printed expression. */
export function levelOf(expression: Expression): number {
  if (expression.kind === 'BinaryExpression') return BINARY_LEVELS[expression.operator];
  if (expression.kind === 'SetExpression') return expression.operator === 'INTERSECT' ? LEVEL.intersect : LEVEL.union;
  if (expression.kind === 'UnaryExpression') return expression.operator === 'NOT' ? LEVEL.not : LEVEL.unary;
  if (expression.kind === 'InExpression') return isBareRight(expression.right) ? LEVEL.reachesRight : LEVEL.comparison;
  return LEVELS[expression.kind] ?? LEVEL.postfix;
}

/** After IN parentheses would make a list of it. */
export function isBareRight(right: Expression | null): boolean {
  return right?.kind === 'IfExpression' || right?.kind === 'LambdaExpression';
}
