import type { FrameEdge, WindowCall } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import type { LoweringContext, Scope } from '../lowering-context.ts';
import { lowerValue } from '../lower-value.ts';
import { LoweringUnsupported } from '../lowering-unsupported.ts';
import { sortKey } from './lower-select.ts';

const FUNCTIONS: Readonly<Record<string, string>> = {
  ROW_NUMBER: 'row_number', RANK: 'rank', DENSE_RANK: 'dense_rank', NTILE: 'ntile', LAG: 'lag', LEAD: 'lead', FIRST_VALUE: 'first_value', LAST_VALUE: 'last_value',
  COUNT: 'count', SUM: 'sum', AVG: 'avg', MIN: 'min', MAX: 'max', STDDEV: 'stddev_samp', VARIANCE: 'var_samp', MEDIAN: 'median', BOOL_AND: 'bool_and', BOOL_OR: 'bool_or',
  ARG_MIN: 'arg_min', ARG_MAX: 'arg_max',
};

/** `f(…) OVER (…)`. */
export function lowerWindow(context: LoweringContext, plan: WindowCall, scope: Scope): string {
  const name = FUNCTIONS[plan.function];
  const isDecimalMean = plan.function === 'AVG' && plan.type.kind === 'PrimitiveType' && plan.type.name === 'decimal';
  if (name === undefined || isDecimalMean) throw new LoweringUnsupported(`${plan.function} OVER`, plan.span);
  const args = plan.arguments.map((argument) => lowerValue(context, argument, scope));
  const inner = args.length === 0 && plan.function === 'COUNT' ? '*' : `${plan.isDistinct ? 'DISTINCT ' : ''}${args.join(', ')}`;
  const filter = plan.filter === null ? '' : ` FILTER (WHERE ${lowerValue(context, plan.filter, scope)})`;
  const partition = plan.partitionBy.length === 0 ? '' : `PARTITION BY ${plan.partitionBy.map((part) => lowerValue(context, part, scope)).join(', ')}`;
  const order = plan.orderBy.length === 0 ? '' : `ORDER BY ${plan.orderBy.map((key) => sortKey(lowerValue(context, key.value, scope), key)).join(', ')}`;
  const edge = (at: FrameEdge): string => frameEdge(at, at.offset === null ? '' : lowerValue(context, at.offset, scope));
  const frame = plan.frame === null ? '' : `ROWS BETWEEN ${edge(plan.frame.start)} AND ${edge(plan.frame.end)}`;
  const call = `${name}(${inner})${filter} OVER (${[partition, order, frame].filter((part) => part !== '').join(' ')})`;
  return plan.function === 'SUM' ? `CAST(${call} AS ${duckType(plan.type)})` : call;
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
