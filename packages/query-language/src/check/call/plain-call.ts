import type { Argument, CallExpression, Expression } from '../../syntax/ast.ts';
import type { CheckContext } from '../check-context.ts';
import { report } from '../check-context.ts';

/** Of these brackets are around the whole, if there are any: of an operator they may be around an operand. */
const WHOLE: ReadonlySet<Expression['kind']> = new Set([
  'NameExpression',
  'StarExpression',
  'CollectionExpression',
  'CallExpression',
  'SelectExpression',
  'BlockExpression',
]);

/**
 * A call of what is no aggregate: `LEN(DISTINCT(c))` reads as one with DISTINCT inside, and is one of the function DISTINCT. Null, and
 * reported, where DISTINCT, ORDER BY or FILTER are said of it.
 */
export function plainCall(context: CheckContext, node: CallExpression): CallExpression | null {
  const [first, ...others] = node.arguments;
  if (!node.isDistinct && node.orderBy.length === 0 && node.filter === null) return node;
  const { span } = node.callee;
  if (!node.isDistinct || node.orderBy.length > 0 || node.filter !== null || first === undefined || !isBracketed(first)) {
    report(context, 'not-an-aggregate', span, node.callee.kind === 'NameExpression' ? node.callee.name.text : 'this function');
    return null;
  }
  const distinct: CallExpression = {
    ...node,
    span: first.span,
    callee: { kind: 'NameExpression', span: first.span, name: { kind: 'Name', text: 'DISTINCT', isQuoted: false, span: first.span } },
    arguments: [{ ...first, name: null }],
    isDistinct: false,
    window: null,
  };
  return { ...node, isDistinct: false, arguments: [{ ...first, value: distinct }, ...others] };
}

/** Whether an argument has brackets of its own, which its value's place leaves out. */
function isBracketed({ span, value }: Argument): boolean {
  return WHOLE.has(value.kind) && span.start < value.span.start && value.span.end < span.end;
}
