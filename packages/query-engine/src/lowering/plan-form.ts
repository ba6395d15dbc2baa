import type { Plan, Select, Type } from '@svc/query-language';
import { mapChildren } from '@svc/query-language';

import { canFail } from './can-fail.ts';
import type { Scope, Variables } from './scope.ts';
import { dependsOnRow } from './scope.ts';
import { boundBy, freeVariables, somePart, usesAny } from './variables.ts';

/** Functions of collections that a relation can stand in for. */
const OVER_RELATIONS = new Set(['TAKE', 'DROP', 'DISTINCT', 'SORT']);

/** Whether a value of the type is a collection, and never NULL: rows can stand for it. */
export function isRows(type: Type): boolean {
  return type.kind === 'CollectionType' && !type.isNullable;
}

/** Whether a collection comes from rows of a relation, not from a value: too many to make a list of without need. */
export function isRelational(plan: Plan, variables: Variables): boolean {
  switch (plan.kind) {
    case 'Read':
      return isRows(plan.type);
    case 'TableScan':
      return true;
    case 'Variable': {
      const binding = variables.get(plan.id);
      return binding?.kind === 'relation' || (binding?.kind === 'plan' && isRelational(binding.plan, binding.variables));
    }
    case 'Select':
      return !plan.isSingle && plan.sources.some((source) => isRelational(source.collection, variables));
    case 'SetOperation':
      return plan.operands.some((operand) => isRelational(operand, variables));
    case 'Convert':
    case 'Cast':
      return isRelational(plan.operand, variables);
    case 'Let':
      return isRelational(plan.body, variables) || isRelational(plan.value, variables);
    case 'Case':
      return [plan.otherwise, ...plan.branches.map((branch) => branch.then)].some((branch) => isRelational(branch, variables));
    case 'Call':
      return OVER_RELATIONS.has(plan.function) && plan.arguments[0] !== undefined && isRelational(plan.arguments[0], variables);
    case 'Aggregate':
    case 'Arithmetic':
    case 'Coalesce':
    case 'CollectionLiteral':
    case 'Comparison':
    case 'Constant':
    case 'Element':
    case 'Field':
    case 'In':
    case 'IsNull':
    case 'Like':
    case 'Logical':
    case 'Navigate':
    case 'Not':
    case 'Parameter':
    case 'RecordLiteral':
    case 'Reduce':
    case 'Try':
    case 'WindowCall':
      return false;
    default:
      return plan satisfies never;
  }
}

/**
 * Whether list functions cannot say a nested query: it reads a relation, joins to the right, or has windows, or holds a query
 * that does and that depends on its rows. What depends on rows further out alone is computed beside those.
 */
export function needsSubquery(plan: Plan, variables: Variables): boolean {
  if (plan.kind === 'Select') {
    const found = KNOWN.get(plan) ?? selectNeedsSubquery(plan, variables);
    KNOWN.set(plan, found);
    return found;
  }
  if (plan.kind === 'SetOperation')
    return plan.operands.some((operand) => isRelational(operand, variables) || (!isSingle(operand) && needsSubquery(operand, variables)));
  return isRelational(plan, variables);
}

/** An aggregate query has one value, which any list function takes. */
function isSingle(plan: Plan): boolean {
  return plan.kind === 'Select' && plan.isSingle;
}

/** What was found before: each SELECT is asked about by all around it. */
const KNOWN = new WeakMap<Select, boolean>();

function selectNeedsSubquery(plan: Select, variables: Variables): boolean {
  const isFull = plan.sources.some((source) => source.join === 'full') && !isFullBesideRow(plan, { variables });
  if (isFull || plan.sources.some((source) => isRelational(source.collection, variables) || source.join === 'right')) return true;
  if (hasWindows(plan)) return true;
  const own = new Set(boundBy(plan));
  return somePart(plan, (part) => {
    if (part === plan) return false;
    const isQuery = part.kind === 'Select' || part.kind === 'SetOperation';
    return isQuery && (usesAny(part, own) || holdsOuterAggregate(part)) && needsSubquery(part, variables);
  });
}

/**
 * Whether a query has a FULL JOIN and depends on a row around it: that sub-query the engine does not take. A variable that is
 * not bound yet is of a row between here and there.
 */
export function isFullBesideRow(plan: Plan, { variables }: { readonly variables: Variables }): boolean {
  if (plan.kind !== 'Select' || plan.sources.every((source) => source.join !== 'full')) return false;
  return dependsOnRow(plan, { variables }) || [...freeVariables(plan)].some((id) => !variables.has(id));
}

/**
 * Whether a query joins in a way that the engine does not take where it stands, and so has to be said over lists: a FULL JOIN
 * that depends on a row, or a RIGHT or FULL JOIN that can fail and must not run where its branch is not taken.
 */
export function isJoinOfLists(plan: Plan, scope: Scope): boolean {
  if (isFullBesideRow(plan, scope)) return true;
  if (plan.kind !== 'Select' || scope.guards.length === 0) return false;
  return keepsRight(plan) && plan.sources.some(({ collection, on }) => canFail(collection) || (on !== null && canFail(on)));
}

/** Whether a SELECT keeps rows on the right of a join that have none on its left. */
export function keepsRight(plan: Select): boolean {
  return plan.sources.slice(1).some(({ join }) => join === 'right' || join === 'full');
}

/** An aggregate in a nested SELECT's FROM is one of the SELECT around. */
function holdsOuterAggregate(plan: Plan): boolean {
  return plan.kind === 'Select' && plan.sources.some((source) => somePart(source.collection, (part) => part.kind === 'Aggregate'));
}

/** Whether a Select has window functions of its own. */
export function hasWindows(plan: Select): boolean {
  return [plan.item, ...plan.orderBy.map((key) => key.value)].some((part) => holdsWindow(part));
}

function holdsWindow(plan: Plan): boolean {
  if (plan.kind === 'WindowCall') return true;
  // Of a SELECT within, only its sources and bounds stand in the one around.
  if (plan.kind === 'Select')
    return [...plan.sources.map(({ collection }) => collection), plan.limit, plan.offset].some(
      (part) => part !== null && holdsWindow(part),
    );
  let found = false;
  mapChildren(plan, (child) => {
    found ||= holdsWindow(child);
    return child;
  });
  return found;
}

/** Whether some part of a plan becomes a sub-query that can fail: it runs whether or not its value is wanted. */
export function holdsFailingSubquery(plan: Plan, scope: { readonly variables: Variables }): boolean {
  return somePart(plan, (part) => {
    const binding = part.kind === 'Variable' ? scope.variables.get(part.id) : undefined;
    if (binding?.kind === 'plan') return holdsFailingSubquery(binding.plan, binding);
    if (!canFail(part)) return false;
    // Where the body reads a sub-query, the value stands beside the row.
    if (part.kind === 'Let' && canFail(part.value) && holdsSubquery(part.body, scope)) return true;
    if (part.kind === 'In') return canFail(part.operand) && isRelational(part.collection, scope.variables);
    const [first] = part.kind === 'Call' ? part.arguments : [part];
    return first !== undefined && needsSubquery(first, scope.variables);
  });
}

/** Whether some part of a plan becomes a sub-query, or reads one. */
export function holdsSubquery(plan: Plan, scope: { readonly variables: Variables }): boolean {
  return somePart(plan, (part) => {
    if (part.kind === 'Read' || part.kind === 'TableScan') return true;
    if (part.kind === 'Variable') {
      const binding = scope.variables.get(part.id);
      return (
        binding?.kind === 'relation' ||
        binding?.kind === 'shared' ||
        binding?.kind === 'attempted' ||
        (binding?.kind === 'plan' && holdsSubquery(binding.plan, binding))
      );
    }
    return (part.kind === 'Select' || part.kind === 'SetOperation') && needsSubquery(part, scope.variables);
  });
}
