import { findUnguarded } from '../../plan/find-unguarded.ts';
import type { Unguarded } from '../../plan/find-unguarded.ts';
import type { Plan } from '../../plan/plan.ts';
import type { CallExpression } from '../../syntax/ast.ts';
import { nullable } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, isFaulty } from '../operand.ts';
import { placeOf, report } from '../check-context.ts';
import { checkValue } from '../check-value.ts';
import type { Scope } from '../scope.ts';
import { hasCount } from './arguments.ts';

/** Constructs that TRY cannot contain, with the replacement to suggest. */
const ADVICE: Readonly<Record<Unguarded['kind'], readonly [what: string, instead: string]>> = {
  aggregate: ['an aggregate over rows', 'put TRY inside it, as in SUM(TRY(x))'],
  window: ['a window function, EXCEPT ALL or INTERSECT ALL', 'put TRY inside it, as in LAG(TRY(x)) OVER (…)'],
  grouping: ['a query with GROUP BY', 'put TRY inside the query'],
  join: ['a query over more than one source', 'put TRY inside the query'],
  rows: ['the rows of a table, a view or a source', 'put TRY inside the query that reads it, or give its value a name before TRY'],
};

/** `TRY` */
export function checkTry(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  if (!hasCount(context, node, 1)) return errorPlan(node.span);
  const [argument] = node.arguments;
  if (argument === undefined) throw new Error('TRY takes one argument');
  const operand = checkValue(context, argument.value, scope);
  const unguarded = isFaulty(operand) ? null : findInTry(context, operand);
  if (unguarded !== null) return report(context, 'not-in-try', unguarded.part.span, ...ADVICE[unguarded.kind]);
  return { kind: 'Try', type: nullable(operand.type), span: placeOf(context, node.span), operand };
}

/** Finds the first construct that TRY cannot contain; null if there is none. */
export function findInTry(context: CheckContext, operand: Plan): Unguarded | null {
  return findUnguarded(operand, ({ id }) => {
    const bound = context.values.boundPlans.get(id);
    return bound !== undefined && standsForRows(context, bound);
  });
}

/** Returns whether a collection is the rows of a source, which are never materialized as a value. */
function standsForRows(context: CheckContext, plan: Plan): boolean {
  if (plan.type.kind !== 'CollectionType' || plan.type.isNullable) return false;
  if (plan.kind === 'Read' || plan.kind === 'TableScan') return true;
  return partsOfRows(context, plan).some((part) => standsForRows(context, part));
}

/** Returns the collections that provide the elements of a collection. */
function partsOfRows(context: CheckContext, plan: Plan): readonly Plan[] {
  if (plan.kind === 'Variable') return [context.values.boundPlans.get(plan.id)].filter((bound) => bound !== undefined);
  if (plan.kind === 'Select') return plan.sources.map(({ collection }) => collection);
  if (plan.kind === 'SetOperation') return plan.operands;
  if (plan.kind === 'Convert' || plan.kind === 'Cast') return [plan.operand];
  if (plan.kind === 'Let') return [plan.body];
  if (plan.kind === 'Case') return [...plan.branches.map(({ then }) => then), plan.otherwise];
  return plan.kind === 'Call' ? plan.arguments : [];
}
