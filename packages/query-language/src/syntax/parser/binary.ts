import type { Span } from '../../text/span.ts';
import { spanning } from '../../text/span.ts';
import type { BinaryOperator, Expression } from '../ast.ts';
import type { Token } from '../token.ts';
import type { Parser } from './parser.ts';

/** Returns the span of an operator's operands, including their parentheses. */
export function between(p: Parser, left: Expression, right: Expression): Span {
  return spanning(p.outerSpan(left), p.outerSpan(right));
}

/** Builds `left operator right`, with a span from its left to its right side. */
export function binary(
  p: Parser,
  operator: BinaryOperator,
  token: Token,
  sides: { readonly left: Expression; readonly right: Expression },
): Expression {
  return { kind: 'BinaryExpression', span: between(p, sides.left, sides.right), operator, operatorSpan: token.span, ...sides };
}

/** Returns the last operand of a chain as written. A chain in parentheses is one operand. */
export function lastOperand(p: Parser, expression: Expression): Expression {
  if (p.parenthesized.has(expression)) return expression;
  if (expression.kind === 'OrderedChain') return lastOperand(p, expression.operand);
  return expression.kind === 'SetExpression' ? lastOperand(p, expression.right) : expression;
}
