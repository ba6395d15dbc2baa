import type { FunctionDefinition } from '../../functions/function-definition.ts';
import type { FrameEdge, Plan, SortKey } from '../../plan/plan.ts';
import type { CallExpression, FrameBound } from '../../syntax/ast.ts';
import { bool, isKey, isOrderable, long, nullable, printType } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, placeOf, report } from '../check-context.ts';
import { convertTo, expectType, mayBeNull } from '../convert.ts';
import { checkValue } from '../expression.ts';
import { isFaulty } from '../operand.ts';
import type { Scope } from '../scope.ts';
import { nearestFrame } from '../scope.ts';
import { inPhase } from '../select/select-frame.ts';
import { signatureOf } from './aggregate-call.ts';

/** `f(…) OVER (…)`: in items and ORDER BY of a SELECT without grouping. */
export function checkWindowCall(context: CheckContext, node: CallExpression, definition: FunctionDefinition, scope: Scope): Plan {
  const frame = nearestFrame(scope);
  const { window } = node;
  if (window === null || (definition.kind !== 'aggregate' && definition.kind !== 'window'))
    return report(context, 'not-supported-yet', node.span, `${definition.name} OVER`);
  if (frame?.phase === 'group') return report(context, 'not-supported-yet', node.callee.span, 'a window over groups');
  if (frame === null || frame.phase !== 'row') return report(context, 'misplaced-window', node.callee.span);
  return inPhase(frame, 'aggregate', () => {
    const isCountAll = definition.name === 'COUNT' && node.arguments[0]?.value.kind === 'StarExpression';
    const args = isCountAll ? [] : node.arguments.map((argument) => checkValue(context, argument.value, scope));
    const filter =
      node.filter === null ? null : expectType(context, checkValue(context, node.filter, scope), nullable(bool), node.filter.span);
    const partitionBy = window.partitionBy.map((part) => {
      const value = checkValue(context, part, scope);
      return isFaulty(value) || isKey(value.type) ? value : report(context, 'not-a-key', part.span, printType(value.type));
    });
    const orderBy = window.orderBy.map((order): SortKey => {
      const value = checkValue(context, order.value, scope);
      if (!isFaulty(value) && !isOrderable(value.type)) report(context, 'not-orderable', order.value.span, printType(value.type));
      return {
        value,
        isDescending: order.isDescending,
        areNullsFirst: order.nulls === null ? !order.isDescending : order.nulls === 'first',
      };
    });
    const edges =
      window.frame === null
        ? null
        : { start: checkEdge(context, window.frame.start, scope), end: checkEdge(context, window.frame.end, scope) };
    if ([...args, ...partitionBy, ...orderBy.map((key) => key.value), ...(filter === null ? [] : [filter])].some(isFaulty))
      return errorPlan(node.span);
    const signature = signatureOf(context, node, definition, args);
    if (signature === null) return errorPlan(node.span);
    const isNullable = args.some(mayBeNull) || filter !== null || (edges !== null && definition.kind === 'aggregate');
    const isCount = definition.name === 'COUNT' || definition.name === 'COUNT_DISTINCT';
    return {
      kind: 'WindowCall',
      type: isNullable && !isCount ? nullable(signature.result) : signature.result,
      span: placeOf(context, node.span),
      function: definition.name,
      arguments: args.map((arg, i) => convertTo(arg, signature.parameters[i] ?? arg.type)),
      isDistinct: node.isDistinct,
      filter,
      partitionBy,
      orderBy,
      frame: edges,
    } satisfies Plan;
  });
}

function checkEdge(context: CheckContext, bound: FrameBound, scope: Scope): FrameEdge {
  return {
    type: bound.type,
    offset: bound.offset === null ? null : expectType(context, checkValue(context, bound.offset, scope), long, bound.offset.span),
  };
}
