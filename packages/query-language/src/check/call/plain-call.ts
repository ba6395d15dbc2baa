import type { CallExpression } from '../../syntax/ast.ts';
import { callOf } from '../../syntax/parser/sql-forms.ts';
import type { CheckContext } from '../check-context.ts';
import { refuse } from '../check-context.ts';

/**
 * Converts a call that is not an aggregate: `LEN(DISTINCT(c))` is parsed as LEN with DISTINCT and means a call of the
 * function DISTINCT. Reports DISTINCT, ORDER BY and FILTER of other calls and returns null.
 */
export function plainCall(context: CheckContext, node: CallExpression): CallExpression | null {
  const [first, ...others] = node.arguments;
  const hasOther = node.orderBy.length > 0 || node.filter !== null || node.ignoresNulls;
  if (!node.isDistinct && !hasOther) return node;
  const { callee } = node;
  if (!node.isDistinct || hasOther || first === undefined || first.bracketSpan === null)
    return refuse(context, 'not-an-aggregate', callee.span, callee.kind === 'NameExpression' ? callee.name.text : 'this function');
  const distinct = callOf('DISTINCT', first.span, [{ ...first, bracketSpan: null, name: null }], first.span);
  return { ...node, isDistinct: false, arguments: [{ ...first, bracketSpan: null, value: distinct }, ...others] };
}
