import type { Plan, PlanSource, Select } from '@svc/query-language';
import { isFallible, mapChildren } from '@svc/query-language';

import { allOf, conjuncts } from '../analysis/conjuncts.ts';
import { hasWindows } from '../analysis/relational-analysis.ts';
import { somePart } from '../analysis/variables.ts';

/**
 * Moves conditions of fields that a SELECT in FROM only passes on into that SELECT. Its items, which may fail, are then not
 * evaluated for rows that the conditions drop, as in SQL; the engine moves them between relations alone, and not between lists.
 */
export function pushFilters(plan: Plan): Plan {
  return somePart(plan, (part) => part.kind === 'Select' && passedOnBy(part) !== null) ? rewrite(plan) : plan;
}

/** From the outermost SELECT inwards, since a condition may move through several. */
function rewrite(plan: Plan): Plan {
  return mapChildren(plan.kind === 'Select' ? withConditionsMoved(plan) : plan, rewrite);
}

interface PassedOn {
  readonly source: PlanSource;
  readonly from: Select;
  readonly where: Plan;
}

/** Returns the one source of a SELECT with conditions, if these may be tested on its rows before its items, which may fail. */
function passedOnBy({ sources: [source, another], where }: Select): PassedOn | null {
  if (where === null || source === undefined || another !== undefined || source.position !== null) return null;
  const from = source.collection;
  if (from.kind !== 'Select' || from.grouping !== null || from.limit !== null || from.offset !== null || hasWindows(from)) return null;
  return isFallible(from.item) ? { source, from, where } : null;
}

function withConditionsMoved(plan: Select): Select {
  const found = passedOnBy(plan);
  if (found === null) return plan;
  const { source, from, where } = found;
  const [moved, kept]: [Plan[], Plan[]] = [[], []];
  for (const condition of conjuncts(where)) {
    const onRows = kept.length > 0 && isFallible(condition) ? null : overRowsOf(found, condition);
    if (onRows === null) kept.push(condition);
    else moved.push(onRows);
  }
  const inside = allOf([...(from.where === null ? [] : [from.where]), ...moved], where.span);
  return { ...plan, where: allOf(kept, where.span), sources: [{ ...source, collection: { ...from, where: inside } }] };
}

/** Returns a condition of rows of a SELECT over its own rows; null if it uses what the SELECT computes. */
function overRowsOf({ source, from: { item } }: PassedOn, condition: Plan): Plan | null {
  let isOfPassed = true;
  const passed = (value: Plan | undefined, part: Plan): Plan => {
    if (value !== undefined && isPassedOn(value)) return value;
    isOfPassed = false;
    return part;
  };
  const replace = (part: Plan): Plan => {
    const isField = part.kind === 'Field' && part.target.kind === 'Variable' && part.target.id === source.row;
    if (isField && item.kind === 'RecordLiteral') return passed(item.values[part.index], part);
    if (part.kind === 'Variable' && part.id === source.row) return passed(item, part);
    return mapChildren(part, replace);
  };
  const replaced = replace(condition);
  return isOfPassed ? replaced : null;
}

/** Returns whether a value is a row or a field of one, which costs nothing to read twice. */
function isPassedOn(plan: Plan): boolean {
  return plan.kind === 'Variable' || (plan.kind === 'Field' && isPassedOn(plan.target));
}
