import type { CallExpression } from '../../syntax/ast.ts';
import type { CheckContext } from '../check-context.ts';
import { report } from '../check-context.ts';

/** Checks the number of arguments; reports a mismatch and returns false. */
export function hasCount(context: CheckContext, node: CallExpression, count: number): boolean {
  if (node.arguments.length === count) return true;
  report(context, 'argument-count', node.callee.span, String(count), node.arguments.length);
  return false;
}
