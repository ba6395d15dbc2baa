import type { Span } from '../../text/span.ts';
import { spanning } from '../../text/span.ts';
import type { BinaryOperator, Expression } from '../ast.ts';
import type { Token } from '../token.ts';
import type { TokenReader } from './token-reader.ts';
import { outerSpan } from './token-reader.ts';

/** The span of an operator's operands, with the parentheses that they stand in. */
export function between(p: TokenReader, left: Expression, right: Expression): Span {
  return spanning(outerSpan(p, left), outerSpan(p, right));
}

/** `left operator right`, placed from the start of its left side to the end of its right one. */
export function binary(
  p: TokenReader,
  operator: BinaryOperator,
  token: Token,
  sides: { readonly left: Expression; readonly right: Expression },
): Expression {
  return { kind: 'BinaryExpression', span: between(p, sides.left, sides.right), operator, operatorSpan: token.span, ...sides };
}
