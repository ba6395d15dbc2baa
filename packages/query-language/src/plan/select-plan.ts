/** SELECT in a plan: its sources, keys, aggregates and windows. */
import type { Span } from '../text/span.ts';
import type { Type } from '../types/type.ts';
import type { Plan, VariableId } from './plan.ts';

/** A source of a Select. `collection` may use the row variables of earlier sources (a lateral source). */
export interface PlanSource {
  readonly row: VariableId;
  readonly rowType: Type;
  /** Variable of the element's position with AT, a long from 0. */
  readonly position: VariableId | null;
  readonly collection: Plan;
  /**
   * The first source is 'cross' without condition; RIGHT, FULL and ASOF have no dependent source. 'asof' and 'asof-left'
   * match each row with the nearest one: `on` has equalities and one inequality, each with the left side first.
   */
  readonly join: 'cross' | 'inner' | 'left' | 'right' | 'full' | 'asof' | 'asof-left';
  readonly on: Plan | null;
  /**
   * Row variables (of this or earlier sources) may be NULL rows of an outer join: their uses are typed nullable.
   * `isOptional` is true where this source's row may be such a NULL row.
   */
  readonly isOptional: boolean;
}

/** A key of GROUP BY, and the variable of its value. */
export interface GroupKey {
  readonly id: VariableId;
  readonly value: Plan;
  /** With several grouping sets: a long variable, 1 in groups whose set omits the key (which is NULL there), else 0. */
  readonly rolledUp: VariableId | null;
}

/** GROUP BY. */
export interface Grouping {
  readonly keys: readonly GroupKey[];
  /** Several groupings of the same rows, one after the other: the places of the keys of each. Null: one, by all keys. */
  readonly sets: readonly (readonly number[])[] | null;
}

/** A key of an order. */
export interface SortKey {
  readonly value: Plan;
  readonly isDescending: boolean;
  readonly areNullsFirst: boolean;
}

/**
 * One SELECT block. Rows of the sources → `where` → groups → `having` → `item` (the element of the result) → distinct →
 * order → offset, limit.
 * - `grouping: null`: item and sort keys see row variables, and may hold Window nodes.
 * - `grouping: {keys}`: they see key variables and Aggregate nodes; with no keys it is one group of all rows.
 * - `isSingle`: an aggregate query without GROUP BY: `type` is the item's (NULL if `having` fails), not a collection.
 * - `order`: 'source' = keep source order; 'sorted' = ascending by key or row after GROUP BY or DISTINCT, unless `orderBy`
 * overrides it; 'none' = no order is guaranteed (joins of independent sources).
 * - Sort keys may use `itemVariable`, the value of `item`; with `isDistinct` they use nothing else of the SELECT's own.
 */
export interface Select {
  readonly kind: 'Select';
  readonly type: Type;
  readonly span: Span;
  readonly sources: readonly PlanSource[];
  readonly where: Plan | null;
  readonly grouping: Grouping | null;
  readonly having: Plan | null;
  readonly item: Plan;
  readonly isSingle: boolean;
  readonly isDistinct: boolean;
  readonly itemVariable: VariableId;
  readonly orderBy: readonly SortKey[];
  readonly limit: Plan | null;
  readonly offset: Plan | null;
  readonly order: 'source' | 'sorted' | 'none';
}

/**
 * An aggregate over the rows of the enclosing Select (its group), by its upper-case name. `arguments` see row variables;
 * empty for COUNT(*). COLLECT of the row represents `*` as a group. Without `orderBy`, rows are in source order.
 */
export interface Aggregate {
  readonly kind: 'Aggregate';
  readonly type: Type;
  readonly span: Span;
  readonly function: string;
  readonly arguments: readonly Plan[];
  readonly isDistinct: boolean;
  readonly orderBy: readonly SortKey[];
  readonly filter: Plan | null;
}

/** Bound of a window frame: a number of rows, or a distance in the value of the one sort key. */
export interface FrameEdge {
  readonly type: 'unbounded-preceding' | 'preceding' | 'current-row' | 'following' | 'unbounded-following';
  readonly offset: Plan | null;
}

/** `f(…) OVER (…)`, in an item or sort key of a Select without grouping. */
export interface WindowCall {
  readonly kind: 'WindowCall';
  readonly type: Type;
  readonly span: Span;
  readonly function: string;
  readonly arguments: readonly Plan[];
  readonly isDistinct: boolean;
  /** For LAG, LEAD and NTH_VALUE: skips rows whose first argument is NULL. */
  readonly ignoresNulls: boolean;
  readonly filter: Plan | null;
  readonly partitionBy: readonly Plan[];
  readonly orderBy: readonly SortKey[];
  readonly frame: { readonly unit: 'rows' | 'range'; readonly start: FrameEdge; readonly end: FrameEdge } | null;
}
