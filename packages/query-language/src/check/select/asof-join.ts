import type { ComparisonOperator, Plan, PlanSource } from '../../plan/plan.ts';
import { usesAny } from '../../plan/variables.ts';
import type { Join } from '../../syntax/ast.ts';
import type { CheckContext } from '../check-context.ts';
import { report } from '../check-context.ts';
import { checkCondition } from '../check-value.ts';
import { isFaulty } from '../operand.ts';
import type { Scope } from '../scope.ts';
import { variablesOf } from './checked-source.ts';

/** Comparison operators with their operands exchanged. */
const EXCHANGED: Readonly<Partial<Record<ComparisonOperator, ComparisonOperator>>> = {
  '=': '=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** Checks the ON of an ASOF JOIN: comparisons with the left side first, exactly one of which is an inequality. */
export function checkAsof(
  context: CheckContext,
  join: Join,
  at: {
    readonly left: readonly { readonly plan: PlanSource }[];
    readonly right: { readonly plan: PlanSource };
    readonly scope: Scope;
  },
): Plan | null {
  const { on } = join;
  if (on === null) return report(context, 'asof-condition', join.span);
  const condition = checkCondition(context, on, at.scope);
  if (isFaulty(condition)) return condition;
  const [left, right] = [variablesOf(at.left), variablesOf([at.right])];
  const operands = condition.kind === 'Logical' && condition.operator === 'and' ? condition.operands : [condition];
  const sides = operands.map((operand) => leftFirst(operand, left, right));
  const isWhole = sides.every((side) => side !== null);
  if (!isWhole || sides.filter((side) => side !== null && side.operator !== '=').length !== 1)
    return report(context, 'asof-condition', on.span);
  return { ...condition, kind: 'Logical', operator: 'and', operands: sides };
}

function leftFirst(
  condition: Plan,
  left: ReadonlySet<number>,
  right: ReadonlySet<number>,
): (Plan & { readonly kind: 'Comparison' }) | null {
  const operator = condition.kind === 'Comparison' ? EXCHANGED[condition.operator] : undefined;
  if (condition.kind !== 'Comparison' || operator === undefined) return null;
  const isOf = (plan: Plan, own: ReadonlySet<number>, other: ReadonlySet<number>): boolean => usesAny(plan, own) && !usesAny(plan, other);
  if (isOf(condition.left, left, right) && isOf(condition.right, right, left)) return condition;
  if (isOf(condition.left, right, left) && isOf(condition.right, left, right))
    return { ...condition, operator, left: condition.right, right: condition.left };
  return null;
}
