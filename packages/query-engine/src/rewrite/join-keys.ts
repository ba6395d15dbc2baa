import type { Comparison, Plan, PlanSource, Select, VariableId } from '@svc/query-language';
import { boundBy, boundBySource, isFallible, mapChildren, nullable, nullOf } from '@svc/query-language';

import { allOf, conjuncts } from '../analysis/conjuncts.ts';
import { isJoinKey, leadingKeys, sideOf, type JoinSides } from '../analysis/join-key.ts';
import { freeVariables, somePart, usesAny } from '../analysis/variables.ts';
import { isVolatile } from '../analysis/volatility.ts';
import { holdsQuery } from './fold-group-subqueries.ts';

/**
 * Prepares comparisons as keys of joins, and of correlated queries, where the engine would compare all pairs of rows.
 *
 * - `a JOIN b ON a.x > 0 AND b.y = 1 / a.x`: keys that can fail become the first conditions; those before them that use the rows of one
 *   side guard the values of this side, `b.y = CASE WHEN a.x > 0 THEN 1 / a.x END`.
 * - `FROM a, b WHERE a.x > 0 AND b.y = 1 / a.x`: so do those of WHERE, which move into the join.
 * - `a LEFT JOIN b ON a.x = b.x AND a.y > 0`: conditions of a side whose rows are kept guard a key, `CASE WHEN a.y > 0 THEN a.x END = b.x`.
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

/** Moves the first conditions of WHERE into the join of the sources that they compare, if keys that can fail are among them. */
function withWhereInJoins(plan: Select): Select {
  const { where, sources } = plan;
  if (where === null || !sources.every(({ join }) => join === 'cross' || join === 'inner')) return plan;
  const conditions = conjuncts(where);
  const first = conditions.find(isFallible);
  const at = sources.findLastIndex((source) => first !== undefined && usesAny(first, new Set(boundBySource(source))));
  const [source, ...later] = sources.slice(Math.max(at, 0));
  if (source === undefined || at <= 0 || [source, ...later].some(({ join }) => join !== 'cross')) return plan;
  const sides = { left: new Set(sources.slice(0, at).flatMap(boundBySource)), right: new Set(boundBySource(source)) };
  if (usesAny(source.collection, sides.left)) return plan;
  const unbound = new Set(later.flatMap(boundBySource));
  const stays = (part: Plan): boolean => usesAny(part, unbound) || (isFallible(part) && !isJoinKey(part, sides));
  const end = conditions.findIndex(stays);
  const moved = keysFirst(end < 0 ? conditions : conditions.slice(0, end), sides);
  if (moved === null) return plan;
  const joined = { ...source, join: 'inner', on: allOf(moved, where.span) } as const;
  return withWhereInJoins({
    ...plan,
    where: end < 0 ? null : allOf(conditions.slice(end), where.span),
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
    const guarded = guardedByKept(keysFirst(conditions, sides) ?? conditions, sides, join);
    return guarded === conditions ? source : { ...source, on: allOf(guarded, on.span) };
  };
  return { ...plan, sources: plan.sources.map(prepared) };
}

/** Prepares the conditions of WHERE between the rows of a query and those around. */
function withCorrelatedKey(plan: Select, around: ReadonlySet<VariableId>): Select {
  const { where, sources } = plan;
  if (where === null || sources.some(({ collection }) => usesAny(collection, around))) return plan;
  const conditions = keysFirst(conjuncts(where), { left: around, right: new Set(sources.flatMap(boundBySource)) });
  return conditions === null ? plan : { ...plan, where: allOf(conditions, where.span) };
}

/**
 * Returns conditions with the keys that can fail as the first ones, guarded by the conditions before them; null without such keys, and
 * if a condition of one side before them cannot be a guard. The others stay as they are.
 */
function keysFirst(conditions: readonly Plan[], sides: JoinSides): readonly Plan[] | null {
  const isBarrier = (part: Plan): boolean =>
    isFallible(part) ? !isJoinKey(part, sides) : sideOf(part, sides) !== 'both' && !isGuard(part, sides);
  const end = conditions.findIndex(isBarrier);
  const before = end < 0 ? conditions : conditions.slice(0, end);
  const keys = before.flatMap((key, i) => {
    if (!isFallible(key) || !isJoinKey(key, sides)) return [];
    const guards = before.slice(0, i).filter((part) => !isFallible(part) && isGuard(part, sides));
    return [guardedKey(key, guards, sides, isFallible)];
  });
  if (keys.length === 0) return null;
  return [...keys, ...conditions.filter((part) => !isFallible(part) || !before.includes(part))];
}

/** Moves conditions that use only a side whose rows an outer join keeps into a key: the engine compares all pairs by them. */
function guardedByKept(conditions: readonly Plan[], sides: JoinSides, join: PlanSource['join']): readonly Plan[] {
  const kept: readonly string[] = { left: ['left'], right: ['right'], full: ['left', 'right'] }[join as string] ?? [];
  const isMoved = (part: Plan): boolean => kept.includes(sideOf(part, sides)) && !isFallible(part) && isGuard(part, sides);
  const [moved, others] = [conditions.filter(isMoved), conditions.filter((part) => !isMoved(part))];
  const leading = leadingKeys(others, sides).length;
  const keys = others.filter((part, i): part is Comparison => isJoinKey(part, sides) && (i < leading || !isFallible(part)));
  const key = keys.find(({ operator }) => operator === '=') ?? keys[0];
  if (key === undefined || moved.length === 0) return conditions;
  return others.map((part) => (part === key ? guardedKey(key, moved, sides, () => true) : part));
}

/** Returns whether a condition can be evaluated for the rows of one side. */
function isGuard(condition: Plan, sides: JoinSides): boolean {
  const isBound = [...freeVariables(condition)].every((id) => sides.left.has(id) || sides.right.has(id));
  return sideOf(condition, sides) !== 'both' && isBound && !holdsQuery(condition) && !isVolatile(condition);
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
    return { kind: 'Case', type, span, branches: [{ when, then: side }], otherwise: nullOf(type, span) };
  };
  const [left, right] = [guarded(key.left), guarded(key.right)];
  return { ...key, left, right, type: left.type.isNullable || right.type.isNullable ? nullable(key.type) : key.type };
}
