import type { Call, Plan, Select, Type } from '@svc/query-language';
import { boundBy, findUnguarded, mapChildren } from '@svc/query-language';

import { holdsGenerator } from './generators.ts';
import type { ScopeBinding, ScopeVariables } from './scope-bindings.ts';
import { bindingOf } from './scope-bindings.ts';
import { somePart, usesAny } from './variables.ts';
import { isVolatile } from './volatility.ts';

/** Returns whether a type is a collection that is never NULL, which can be represented by rows. */
export function isRows(type: Type): boolean {
  return type.kind === 'CollectionType' && !type.isNullable;
}

/** Returns whether a collection comes from the rows of a relation rather than from a value: possibly too many to materialize a list. */
export function isRelational(plan: Plan, variables: ScopeVariables): boolean {
  const test = RELATIONAL[plan.kind as RelationalKind] as IsRelational<Plan> | undefined; // each is asked of plans of its kind
  return test !== undefined && test(plan, variables);
}

/** The kinds of plans that may be rows of a relation; all others are lists. */
export type RelationalKind = keyof typeof RELATIONAL;

type IsRelational<P> = (plan: P, variables: ScopeVariables) => boolean;

const RELATIONAL = {
  Read: (plan) => isRows(plan.type),
  TableScan: () => true,
  Variable: (plan, variables) => variables.get(plan.id)?.kind === 'relation',
  Field: (plan, variables) => isRows(plan.type) && isDocument(plan.target, variables),
  Select: (plan, variables) => !plan.isSingle && plan.sources.some((source) => isRelational(source.collection, variables)),
  SetOperation: (plan, variables) => plan.operands.some((operand) => isRelational(operand, variables)),
  Convert: ofConverted,
  Cast: ofConverted,
  Let: (plan, variables) => isRelational(plan.body, variables) || isRelational(plan.value, variables),
  Case: (plan, variables) =>
    [plan.otherwise, ...plan.branches.map((branch) => branch.then)].some((branch) => isRelational(branch, variables)),
} satisfies { readonly [K in Plan['kind']]?: IsRelational<Plan & { readonly kind: K }> };

/** Returns whether a value is a document of a source, or a part of one: it exists once, and its collections may be long. */
function isDocument(plan: Plan, variables: ScopeVariables): boolean {
  if (plan.kind === 'Field') return isDocument(plan.target, variables);
  return plan.kind === 'Read' || (plan.kind === 'Variable' && variables.get(plan.id)?.isDocument === true);
}

/** Returns how a declared value that depends on no row is read: the rows of a relation, or one value. */
export function bindingOfValue(value: Plan, variables: ScopeVariables): ScopeBinding {
  if (isRows(value.type) && isRelational(value, variables)) return { kind: 'relation' };
  return { kind: 'shared', isDocument: isDocument(value, variables) };
}

/** Rows are widened and cast one by one, unless the whole is converted to or from `any`. */
function ofConverted({ operand, type }: Plan & { readonly kind: 'Convert' | 'Cast' }, variables: ScopeVariables): boolean {
  return type.kind === 'CollectionType' && operand.type.kind === 'CollectionType' && isRelational(operand, variables);
}

/** Returns whether a call becomes a semi-join: the existence of a relation's rows. */
export function isSemiJoin({ function: name, arguments: [collection] }: Call, variables: ScopeVariables): boolean {
  return name === 'EXISTS' && collection !== undefined && isRows(collection.type) && isRelational(collection, variables);
}

/** A query: a SELECT or a set operator. */
function isQuery(plan: Plan): plan is Plan & { readonly kind: 'Select' | 'SetOperation' } {
  return plan.kind === 'Select' || plan.kind === 'SetOperation';
}

/** Returns whether a SELECT reads one collection, without groups and windows: list functions can lower it. */
export function isOverOneCollection(plan: Select): boolean {
  const { sources, grouping } = plan;
  return sources.length === 1 && (grouping === null || (grouping.keys.length === 0 && grouping.sets === null)) && !hasWindows(plan);
}

/**
 * Returns whether a nested query becomes a subquery instead of list functions: it reads a relation, joins, groups, or has
 * windows, or contains a query that does and depends on its rows. A part that depends on outer rows only is computed beside
 * those.
 */
export function needsSubquery(plan: Plan, variables: ScopeVariables): boolean {
  if (plan.kind === 'Select') {
    const found = KNOWN.get(plan) ?? selectNeedsSubquery(plan, variables);
    KNOWN.set(plan, found);
    return found;
  }
  // An aggregate query has one value, which any list function accepts.
  if (plan.kind === 'SetOperation')
    return plan.operands.some(
      (operand) =>
        isRelational(operand, variables) || (!(operand.kind === 'Select' && operand.isSingle) && needsSubquery(operand, variables)),
    );
  return isRelational(plan, variables);
}

/**
 * Returns whether a SELECT produces much for each of many rows that it generates: as rows these are accounted for, and can
 * be interrupted.
 */
function multiplies(plan: Select): boolean {
  if (!plan.sources.some(({ collection }) => holdsGenerator(collection))) return false;
  const parts = [plan.item, plan.where, plan.having, ...plan.orderBy.map((key) => key.value)];
  return parts.some((part) => part !== null && holdsGenerator(part));
}

/** Cache, since each SELECT is examined by all enclosing ones. */
const KNOWN = new WeakMap<Select, boolean>();

function selectNeedsSubquery(plan: Select, variables: ScopeVariables): boolean {
  if (!isOverOneCollection(plan) || plan.sources.some(({ collection }) => isReadAsRows(collection, variables)) || multiplies(plan))
    return true;
  const own = new Set(boundBy(plan));
  return somePart(plan, (part) => {
    if (part === plan) return false;
    // The engine would look for each element in a list of all rows.
    if (part.kind === 'In') return isRelational(part.collection, variables) && usesAny(part.operand, own);
    return isQuery(part) && (usesAny(part, own) || holdsOuterAggregate(part)) && needsSubquery(part, variables);
  });
}

/**
 * Returns whether a source is rows already. Its conditions can then be tested before the items of a query within it are
 * evaluated, which a list of these would hold for all rows.
 */
function isReadAsRows(collection: Plan, variables: ScopeVariables): boolean {
  return (
    isRelational(collection, variables) || (collection.kind === 'Select' && !collection.isSingle && needsSubquery(collection, variables))
  );
}

/** Returns whether a SELECT keeps unmatched rows of a join's right side. */
export function keepsRight(plan: Select): boolean {
  return plan.sources.slice(1).some(({ join }) => join === 'right' || join === 'full');
}

/** An aggregate in a nested SELECT's FROM is one of the SELECT around. */
function holdsOuterAggregate(plan: Plan): boolean {
  return plan.kind === 'Select' && plan.sources.some((source) => somePart(source.collection, (part) => part.kind === 'Aggregate'));
}

/** Returns whether a Select has window functions of its own. */
export function hasWindows(plan: Select): boolean {
  return [plan.item, ...plan.orderBy.map((key) => key.value)].some((part) => holdsOfAround(part, WINDOWS));
}

/** Returns whether a value contains aggregates or windows of the SELECT around it. */
export function holdsAggregates(value: Plan): boolean {
  return holdsOfAround(value, AGGREGATES);
}

const WINDOWS: ReadonlySet<Plan['kind']> = new Set(['WindowCall']);
const AGGREGATES: ReadonlySet<Plan['kind']> = new Set(['WindowCall', 'Aggregate']);

function holdsOfAround(plan: Plan, kinds: ReadonlySet<Plan['kind']>): boolean {
  if (kinds.has(plan.kind)) return true;
  // Of a nested SELECT, only its sources and bounds belong to the enclosing one.
  if (plan.kind === 'Select')
    return [...plan.sources.map(({ collection }) => collection), plan.limit, plan.offset].some(
      (part) => part !== null && holdsOfAround(part, kinds),
    );
  let found = false;
  mapChildren(plan, (child) => {
    found ||= holdsOfAround(child, kinds);
    return child;
  });
  return found;
}

/** Returns whether a value reads rows or is volatile, so that its result depends on where and when it is evaluated. */
export function holdsQueries(value: Plan, scope: { readonly variables: ScopeVariables }): boolean {
  return isVolatile(value) || holdsSubquery(value, scope);
}

/** Returns whether some part of a plan becomes a subquery, or reads one: a variable bound to rows or to a shared value. */
export function holdsSubquery(plan: Plan, scope: { readonly variables: ScopeVariables }): boolean {
  return somePart(plan, (part) => {
    const binding = bindingOf(part, scope);
    if (binding !== undefined) return binding.kind === 'relation' || binding.kind === 'shared';
    return part.kind === 'Read' || part.kind === 'TableScan' || (isQuery(part) && needsSubquery(part, scope.variables));
  });
}

/** Returns whether a branch or TRY guards a plan. Other plans may be evaluated in any case. */
export function isGuardable(plan: Plan, scope: { readonly variables: ScopeVariables }): boolean {
  return findUnguarded(plan, (variable) => isRelational(variable, scope.variables)) === null;
}
