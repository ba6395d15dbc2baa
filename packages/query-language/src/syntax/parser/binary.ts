import type { Span } from '../../text/span.ts';
import { spanning } from '../../text/span.ts';
import type { BinaryOperator, Expression } from '../ast.ts';
import type { Token } from '../token.ts';
import type { TokenReader } from './token-reader.ts';
import { outerSpan } from './token-reader.ts';

/** Returns the span of an operator's operands, including their parentheses. */
export function between(p: TokenReader, left: Expression, right: Expression): Span {
  return spanning(outerSpan(p, left), outerSpan(p, right));
}

/** Builds `left operator right`, with a span from its left to its right side. */
export function binary(
  p: TokenReader,
  operator: BinaryOperator,
  token: Token,
  sides: { readonly left: Expression; readonly right: Expression },
): Expression {
  return { kind: 'BinaryExpression', span: between(p, sides.left, sides.right), operator, operatorSpan: token.span, ...sides };
}

/** Returns the last operand of a chain as written. A chain in parentheses is one operand. */
export function lastOperand(p: TokenReader, expression: Expression): Expression {
  if (p.parenthesized.has(expression)) return expression;
  if (expression.kind === 'OrderedChain') return lastOperand(p, expression.operand);
  return expression.kind === 'SetExpression' ? lastOperand(p, expression.right) : expression;
}
