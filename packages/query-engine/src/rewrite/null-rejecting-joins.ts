import type { Plan, Select, Type, VariableId } from '@svc/query-language';
import { boundBy, boundBySource, isFallible, mapChildren, mapSelect } from '@svc/query-language';

import { allOf, conjuncts } from '../analysis/conjuncts.ts';
import { somePart, usesAny } from '../analysis/variables.ts';

const BOOL: Type = { kind: 'PrimitiveType', name: 'bool', isNullable: false };

/**
 * Adds IS NOT NULL to the keys of inner joins within a row. For a correlated join the engine adds the row's lists to the
 * keys, and where it then filters NULLs of other keys, it confuses the hashes of the lists (1.5.6) and loses rows; here NULLs
 * are filtered before.
 */
export function rejectNullsInJoins(plan: Plan): Plan {
  return somePart(plan, isJoin) ? rewrite(plan, false) : plan;
}

function isJoin(plan: Plan): plan is Select {
  return plan.kind === 'Select' && plan.sources.length > 1;
}

function rewrite(plan: Plan, isWithinRow: boolean): Plan {
  if (plan.kind === 'Reduce') return mapChildren(plan, (child) => rewrite(child, isWithinRow || child === plan.body));
  if (plan.kind !== 'Select') return mapChildren(plan, (child) => rewrite(child, isWithinRow));
  const own = new Set(boundBy(plan));
  return mapSelect(
    isWithinRow && isJoin(plan) ? rejectNulls(plan) : plan,
    (child) => rewrite(child, isWithinRow || usesAny(child, own)),
    (child) => rewrite(child, true),
  );
}

function rejectNulls(plan: Select): Select {
  const own = new Set(plan.sources.flatMap(boundBySource));
  return {
    ...plan,
    where: plan.where === null ? null : withoutNulls(plan.where, own),
    sources: plan.sources.map((source) =>
      source.join === 'inner' && source.on !== null ? { ...source, on: withoutNulls(source.on, own) } : source,
    ),
  };
}

function withoutNulls(condition: Plan, own: ReadonlySet<VariableId>): Plan | null {
  const conditions = conjuncts(condition);
  const compared = conditions.flatMap((part) => (part.kind === 'Comparison' && part.operator === '=' ? [part.left, part.right] : []));
  const nullable = compared.filter((operand) => operand.type.isNullable && usesAny(operand, own) && !isFallible(operand));
  if (nullable.length === 0) return condition;
  const { span } = condition;
  const areThere = nullable.map((operand): Plan => ({
    kind: 'Not',
    type: BOOL,
    span,
    operand: { kind: 'IsNull', type: BOOL, span, operand },
  }));
  return allOf([...areThere, ...conditions], span);
}
