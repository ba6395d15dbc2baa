import type { CallExpression } from '../../syntax/ast.ts';
import type { CheckContext } from '../check-context.ts';
import { report } from '../check-context.ts';

/**
 * Converts a call that is not an aggregate: `LEN(DISTINCT(c))` is parsed as LEN with DISTINCT and means a call of the
 * function DISTINCT. Reports DISTINCT, ORDER BY and FILTER of other calls and returns null.
 */
export function plainCall(context: CheckContext, node: CallExpression): CallExpression | null {
  const [first, ...others] = node.arguments;
  if (!node.isDistinct && node.orderBy.length === 0 && node.filter === null && !node.ignoresNulls) return node;
  const { span } = node.callee;
  if (
    !node.isDistinct ||
    node.orderBy.length > 0 ||
    node.filter !== null ||
    node.ignoresNulls ||
    first === undefined ||
    first.bracketSpan === null
  ) {
    report(context, 'not-an-aggregate', span, node.callee.kind === 'NameExpression' ? node.callee.name.text : 'this function');
    return null;
  }
  const distinct: CallExpression = {
    ...node,
    span: first.span,
    callee: { kind: 'NameExpression', span: first.span, name: { kind: 'Name', text: 'DISTINCT', isQuoted: false, span: first.span } },
    arguments: [{ ...first, bracketSpan: null, name: null }],
    isDistinct: false,
    window: null,
  };
  return { ...node, isDistinct: false, arguments: [{ ...first, bracketSpan: null, value: distinct }, ...others] };
}
