import { LEVEL, levelOfOperator } from '../operators.ts';
import type { Expression } from '../ast.ts';

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
  if (expression.kind === 'BinaryExpression') return levelOfOperator(expression.operator);
  if (expression.kind === 'SetExpression') return expression.operator.startsWith('INTERSECT') ? LEVEL.intersect : LEVEL.union;
  if (expression.kind === 'UnaryExpression') return expression.operator === 'NOT' ? LEVEL.not : LEVEL.unary;
  if (expression.kind === 'InExpression') return isBareRight(expression.right) ? LEVEL.reachesRight : LEVEL.comparison;
  return LEVELS[expression.kind] ?? LEVEL.postfix;
}

/** After IN parentheses would make a list of it. */
export function isBareRight(right: Expression | null): boolean {
  return right?.kind === 'IfExpression' || right?.kind === 'LambdaExpression';
}
