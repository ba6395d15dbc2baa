import type { Comparison, Plan, PlanSource, Select, VariableId } from '@svc/query-language';
import { boundBy, boundBySource, mapChildren, nullable } from '@svc/query-language';

import { allOf, conjuncts } from '../analysis/conjuncts.ts';
import { isFallible } from '../analysis/fallibility.ts';
import { isFallibleKey, isJoinKey, sideOf, type JoinSides } from '../analysis/join-key.ts';
import { freeVariables, somePart, usesAny } from '../analysis/variables.ts';
import { holdsQuery } from './fold-group-subqueries.ts';

/**
 * Prepares equalities as keys of joins, and of correlated queries, where the engine would compare all pairs of rows.
 *
 * - `a JOIN b ON a.x > 0 AND b.y = 1 / a.x`: a key that can fail becomes the first condition; the conditions before it guard its
 *   sides, `b.y = CASE WHEN a.x > 0 THEN 1 / a.x END`.
 * - `FROM a, b WHERE a.x > 0 AND b.y = 1 / a.x`: so does one of WHERE, which moves into the join.
 * - `a LEFT JOIN b ON a.x = b.x AND a.y > 0`: conditions of a side whose rows are kept guard the key, `CASE WHEN a.y > 0 THEN a.x END = b.x`.
 */
export function prepareJoinKeys(plan: Plan): Plan {
  return somePart(plan, ({ kind }) => kind === 'Select') ? rewrite(plan, new Set()) : plan;
}

/** `around`: the variables of the rows around. */
function rewrite(plan: Plan, around: ReadonlySet<VariableId>): Plan {
  if (plan.kind !== 'Select') return mapChildren(plan, (child) => rewrite(child, around));
  const inside = new Set([...around, ...boundBy(plan)]);
  return mapChildren(withCorrelatedKey(withJoinKeys(withWhereInJoins(plan)), around), (child) => rewrite(child, inside));
}

/** Moves the conditions of WHERE up to a key that can fail into the join of the sources that the key compares. */
function withWhereInJoins(plan: Select): Select {
  const { where, sources } = plan;
  if (where === null || sources.length < 2 || !sources.every(({ join }) => join === 'cross' || join === 'inner')) return plan;
  const conditions = conjuncts(where);
  const end = conditions.findIndex(isFallible);
  const key = conditions[end];
  if (key === undefined) return plan;
  const at = sources.findLastIndex((source) => usesAny(key, new Set(boundBySource(source))));
  const [source, ...later] = sources.slice(at);
  if (source === undefined || at === 0 || [source, ...later].some(({ join }) => join !== 'cross')) return plan;
  const left = new Set(sources.slice(0, at).flatMap(boundBySource));
  const sides = { left, right: new Set(boundBySource(source)) };
  const moved = keyFirst(conditions.slice(0, end + 1), sides);
  const unbound = new Set(later.flatMap(boundBySource));
  if (moved === null || usesAny(source.collection, left) || conditions.slice(0, end).some((part) => usesAny(part, unbound))) return plan;
  const joined = { ...source, join: 'inner', on: allOf(moved, where.span) } as const;
  return withWhereInJoins({
    ...plan,
    where: allOf(conditions.slice(end + 1), where.span),
    sources: [...sources.slice(0, at), joined, ...later],
  });
}

/** Prepares the conditions of ON. */
function withJoinKeys(plan: Select): Select {
  const prepared = (source: PlanSource, i: number): PlanSource => {
    const { on, join } = source;
    if (on === null || join === 'asof' || join === 'asof-left') return source;
    const sides = { left: new Set(plan.sources.slice(0, i).flatMap(boundBySource)), right: new Set(boundBySource(source)) };
    if (usesAny(source.collection, sides.left)) return source;
    const conditions = conjuncts(on);
    const guarded = guardedByKept(keyFirst(conditions, sides) ?? conditions, sides, join);
    return guarded === conditions ? source : { ...source, on: allOf(guarded, on.span) };
  };
  return { ...plan, sources: plan.sources.map(prepared) };
}

/** Prepares the conditions of WHERE between the rows of a query and those around. */
function withCorrelatedKey(plan: Select, around: ReadonlySet<VariableId>): Select {
  const { where, sources } = plan;
  if (where === null || sources.some(({ collection }) => usesAny(collection, around))) return plan;
  const conditions = keyFirst(conjuncts(where), { left: around, right: new Set(sources.flatMap(boundBySource)) });
  return conditions === null ? plan : { ...plan, where: allOf(conditions, where.span) };
}

/**
 * Returns conditions with a key that can fail as the first one, guarded by those that were before it; null if there is none, or if
 * not all of these are of one side. The others stay as they are.
 */
function keyFirst(conditions: readonly Plan[], sides: JoinSides): readonly Plan[] | null {
  const index = conditions.findIndex(isFallible);
  const [before, key] = [conditions.slice(0, index), conditions[index]];
  if (key === undefined || !isFallibleKey(key, sides) || !before.every((part) => isGuard(part, sides))) return null;
  return [guardedKey(key, before, sides, isFallible), ...conditions.filter((part) => part !== key)];
}

/** Moves conditions that use only a side whose rows an outer join keeps into the key: the engine compares all pairs by them. */
function guardedByKept(conditions: readonly Plan[], sides: JoinSides, join: PlanSource['join']): readonly Plan[] {
  const kept: readonly string[] = { left: ['left'], right: ['right'], full: ['left', 'right'] }[join as string] ?? [];
  const isMoved = (part: Plan): boolean => kept.includes(sideOf(part, sides)) && !isFallible(part) && isGuard(part, sides);
  const [moved, others] = [conditions.filter(isMoved), conditions.filter((part) => !isMoved(part))];
  const key = others.find((part): part is Comparison => isJoinKey(part, sides) && (part === others[0] || !isFallible(part)));
  if (key === undefined || moved.length === 0) return conditions;
  return others.map((part) => (part === key ? guardedKey(key, moved, sides, () => true) : part));
}

/** Returns whether a condition can be evaluated for the rows of one side. */
function isGuard(condition: Plan, sides: JoinSides): boolean {
  const isBound = [...freeVariables(condition)].every((id) => sides.left.has(id) || sides.right.has(id));
  return sideOf(condition, sides) !== 'both' && isBound && !holdsQuery(condition);
}

/** Guards the sides of a key that `needsGuard` by the conditions of their rows: a side is NULL unless these are true. */
function guardedKey(key: Comparison, guards: readonly Plan[], sides: JoinSides, needsGuard: (side: Plan) => boolean): Comparison {
  const guarded = (side: Plan): Plan => {
    const { span } = side;
    const used = sideOf(side, sides);
    const when = allOf(
      guards.filter((part) => ['none', used].includes(sideOf(part, sides))),
      span,
    );
    if (when === null || !needsGuard(side)) return side;
    const type = nullable(side.type);
    return { kind: 'Case', type, span, branches: [{ when, then: side }], otherwise: { kind: 'Constant', type, span, value: null } };
  };
  const [left, right] = [guarded(key.left), guarded(key.right)];
  return { ...key, left, right, type: left.type.isNullable || right.type.isNullable ? nullable(key.type) : key.type };
}
