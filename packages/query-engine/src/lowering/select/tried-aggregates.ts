import type { Aggregate, Plan, RecordType } from '@svc/query-language';
import { bool, mapChildren, notNullable, nullable, primitive } from '@svc/query-language';

import { canFail } from '../can-fail.ts';
import { mapOutside } from './map-outside.ts';

/**
 * The same part of a grouped Select, whose aggregates fail where they stand within a TRY: they are made before it is evaluated. So what they take is
 * tried row by row, and where it failed for one the aggregate does, in its place.
 */
export function withTriedAggregates(plan: Plan, isInTry = false): Plan {
  if (plan.kind === 'Try') return { ...plan, operand: withTriedAggregates(plan.operand, true) };
  if (plan.kind === 'Aggregate') return isInTry ? failingInPlace(plan) : plan;
  const change = (part: Plan): Plan => withTriedAggregates(part, isInTry);
  return plan.kind === 'Select' && plan.grouping !== null ? mapOutside(plan, change) : mapChildren(plan, change);
}

function failingInPlace(aggregate: Aggregate): Plan {
  const { type, span, filter } = aggregate;
  const taken = [...aggregate.arguments, ...aggregate.orderBy.map((key) => key.value)].filter(canFail);
  if (taken.length === 0 && (filter === null || !canFail(filter))) return aggregate;
  const ofRow = recordOf(taken, span);
  const value: Plan =
    filter === null
      ? ofRow
      : {
          kind: 'Case',
          type: nullable(ofRow.type),
          span,
          branches: [{ when: filter, then: ofRow }],
          otherwise: { kind: 'Constant', type: nullable(ofRow.type), span, value: null },
        };
  const hasFailed: Aggregate = {
    kind: 'Aggregate',
    type: nullable(bool),
    span,
    function: 'BOOL_OR',
    arguments: [{ kind: 'IsNull', type: bool, span, operand: tried(recordOf([value], span)) }],
    isDistinct: false,
    orderBy: [],
    filter: null,
  };
  const fails: Plan = {
    kind: 'Call',
    type: notNullable(type),
    span,
    function: 'ERROR',
    arguments: [{ kind: 'Constant', type: primitive('string'), span, value: 'a row fails' }],
  };
  const unfailing: Aggregate = {
    ...aggregate,
    arguments: aggregate.arguments.map(unlessSafe),
    orderBy: aggregate.orderBy.map((key) => ({ ...key, value: unlessSafe(key.value) })),
    filter: filter && unlessSafe(filter),
  };
  return { kind: 'Case', type, span, branches: [{ when: hasFailed, then: fails }], otherwise: unfailing };
}

function unlessSafe(part: Plan): Plan {
  return canFail(part) ? tried(part) : part;
}

function tried(operand: Plan): Plan {
  return { kind: 'Try', type: nullable(operand.type), span: operand.span, operand };
}

function recordOf(values: readonly Plan[], span: Plan['span']): Plan {
  const fields = values.map((value, i) => ({ name: `_${i + 1}`, type: value.type }));
  const type: RecordType = { kind: 'RecordType', fields, isNullable: false };
  return { kind: 'RecordLiteral', type, span, values };
}
