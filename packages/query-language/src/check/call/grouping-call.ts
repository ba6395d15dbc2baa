import { aggregate } from '../../plan/build-plan.ts';
import type { Plan } from '../../plan/plan.ts';
import type { CallExpression } from '../../syntax/ast.ts';
import { long } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { placeOf, report } from '../check-context.ts';
import { checkValue } from '../check-value.ts';
import { isFaulty } from '../operand.ts';
import type { Scope } from '../scope.ts';
import { nearestFrame } from '../scope.ts';
import { GROUPING } from '../select/grouping.ts';
import { inPhase } from '../select/select-frame.ts';

/** `GROUPING(k, …)`: represented as an aggregate until the keys of the SELECT are known. */
export function checkGrouping(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  const frame = nearestFrame(scope);
  if (frame === null || (frame.phase !== 'group' && frame.phase !== 'group-window'))
    return report(context, 'misplaced-grouping', node.callee.span);
  if (node.arguments.length === 0) return report(context, 'argument-count', node.callee.span, 'at least 1', 0);
  const keys = inPhase(frame, 'aggregate', () => node.arguments.map(({ value }) => checkValue(context, value, scope)));
  return keys.find(isFaulty) ?? aggregate(GROUPING, long, keys, placeOf(context, node.span));
}
