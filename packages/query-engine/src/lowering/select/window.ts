import type { FrameEdge, WindowCall } from '@svc/query-language';

import { WINDOW_LOWERINGS } from '../functions/window-functions.ts';
import type { LoweringContext, Scope } from '../lowering-context.ts';
import { callContext } from '../lowering-context.ts';
import { constantOf, lowerValue } from '../lower-value.ts';
import type { LoweredArgument } from '../lowering-types.ts';
import { LoweringUnsupported } from '../lowering-unsupported.ts';
import { sortKey } from './lower-select.ts';

/** `f(…) OVER (…)`. */
export function lowerWindow(context: LoweringContext, plan: WindowCall, scope: Scope): string {
  const lowering = WINDOW_LOWERINGS[plan.function];
  if (lowering === undefined) throw new LoweringUnsupported(`${plan.function} OVER`, plan.span);
  const args = plan.arguments.map((argument): LoweredArgument => ({ sql: lowerValue(context, argument, scope), type: argument.type, constant: constantOf(argument) }));
  const filter = plan.filter === null ? '' : ` FILTER (WHERE ${lowerValue(context, plan.filter, scope)})`;
  const partition = plan.partitionBy.length === 0 ? '' : `PARTITION BY ${plan.partitionBy.map((part) => lowerValue(context, part, scope)).join(', ')}`;
  const order = plan.orderBy.length === 0 ? '' : `ORDER BY ${plan.orderBy.map((key) => sortKey(lowerValue(context, key.value, scope), key)).join(', ')}`;
  const edge = (at: FrameEdge): string => frameEdge(at, at.offset === null ? '' : lowerValue(context, at.offset, scope));
  const frame = plan.frame === null ? '' : `ROWS BETWEEN ${edge(plan.frame.start)} AND ${edge(plan.frame.end)}`;
  const suffix = `${filter} OVER (${[partition, order, frame].filter((part) => part !== '').join(' ')})`;
  return lowering(args, { distinct: plan.isDistinct ? 'DISTINCT ' : '', suffix, orderKey: null }, callContext(context, plan, { functionName: plan.function, overload: '' }));
}

function frameEdge(at: FrameEdge, offset: string): string {
  switch (at.type) {
    case 'unbounded-preceding': return 'UNBOUNDED PRECEDING';
    case 'preceding': return `${offset} PRECEDING`;
    case 'current-row': return 'CURRENT ROW';
    case 'following': return `${offset} FOLLOWING`;
    case 'unbounded-following': return 'UNBOUNDED FOLLOWING';
    default: return at.type satisfies never;
  }
}
