import { assertNever } from '../assert-never.ts';
import type { Plan, SortKey } from './plan.ts';

const NONE: readonly Plan[] = [];

/** Returns the direct children of a plan, in the order of `mapChildren`, without rebuilding it. */
export function childrenOfPlan(plan: Plan): readonly Plan[] {
  switch (plan.kind) {
    case 'Constant':
    case 'Parameter':
    case 'Variable':
    case 'Read':
    case 'TableScan':
      return NONE;
    case 'Let':
      return [plan.value, plan.body];
    case 'Convert':
    case 'Cast':
    case 'Try':
    case 'Not':
    case 'IsNull':
      return [plan.operand];
    case 'Noted':
      return [plan.operand, plan.key];
    case 'Arithmetic':
    case 'Logical':
    case 'Coalesce':
    case 'SetOperation':
      return plan.operands;
    case 'Comparison':
      return [plan.left, plan.right];
    case 'In':
      return [plan.operand, plan.collection];
    case 'Like':
      return present([plan.operand, plan.pattern, plan.escape]);
    case 'Case':
      return [...plan.branches.flatMap(({ when, then }) => [when, then]), plan.otherwise];
    case 'RecordLiteral':
      return plan.values;
    case 'Field':
      return [plan.target];
    case 'Navigate':
      return [plan.target, plan.key];
    case 'Element':
      return [plan.target, plan.index];
    case 'CollectionLiteral':
      return plan.elements;
    case 'Call':
      return plan.arguments;
    case 'Reduce':
      return [plan.collection, plan.start, plan.body];
    case 'Select':
      return present([
        ...plan.sources.flatMap(({ collection, on }) => [collection, on]),
        ...[plan.where, plan.having, plan.item],
        ...valuesOf(plan.orderBy),
        ...(plan.grouping?.keys ?? []).map(({ value }) => value),
        ...[plan.limit, plan.offset],
      ]);
    case 'Aggregate':
      return present([...plan.arguments, ...valuesOf(plan.orderBy), plan.filter]);
    case 'WindowCall':
      return present([
        ...plan.arguments,
        plan.filter,
        ...plan.partitionBy,
        ...valuesOf(plan.orderBy),
        ...(plan.frame === null ? [] : [plan.frame.start.offset, plan.frame.end.offset]),
      ]);
    default:
      return assertNever(plan);
  }
}

function valuesOf(keys: readonly SortKey[]): readonly Plan[] {
  return keys.map(({ value }) => value);
}

function present(plans: readonly (Plan | null)[]): readonly Plan[] {
  return plans.filter((plan) => plan !== null);
}
