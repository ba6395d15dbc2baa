/** SELECT and its clauses. */
import type { Span } from '../../text/span.ts';
import type { Window } from './calls.ts';
import type { Expression } from './expression.ts';
import type { Name } from './name.ts';

/** `SELECT [DISTINCT [ON (…)]] items [FROM sources] [WHERE …] [GROUP BY …] [HAVING …] [WINDOW …] [QUALIFY …] [ORDER BY …] [LIMIT …] [OFFSET …]` */
export interface SelectExpression {
  readonly kind: 'SelectExpression';
  readonly span: Span;
  readonly isDistinct: boolean;
  /** Expressions of `DISTINCT ON (…)`; `isDistinct` is false then. */
  readonly distinctOn: readonly Expression[];
  readonly items: readonly SelectItem[];
  readonly sources: readonly Source[];
  readonly where: Expression | null;
  readonly groupBy: readonly GroupItem[];
  /** Grouping sets of ROLLUP, CUBE and GROUPING SETS, as indexes into `groupBy`; null if all keys make one set. */
  readonly groupingSets: readonly (readonly number[])[] | null;
  /** `GROUP BY ALL`, and then `groupBy` is empty. */
  readonly isGroupedByAll: boolean;
  readonly having: Expression | null;
  readonly windows: readonly NamedWindow[];
  readonly qualify: Expression | null;
  readonly orderBy: readonly OrderItem[];
  readonly limit: Expression | null;
  readonly offset: Expression | null;
}

/** `expression [[AS] name]` or `name : expression` */
export interface ExpressionItem {
  readonly kind: 'ExpressionItem';
  readonly span: Span;
  readonly value: Expression;
  readonly alias: Name | null;
}

/** `(* | alias.*) [EXCLUDE (…)] [REPLACE (e AS name, …)]` */
export interface StarItem {
  readonly kind: 'StarItem';
  readonly span: Span;
  readonly source: Name | null;
  readonly exclude: readonly Name[];
  readonly replace: readonly ReplaceItem[];
  /** `* AS name`: only then the row is one field. */
  readonly alias: Name | null;
}

/** `value AS name`, in `* REPLACE (…)`. */
export interface ReplaceItem {
  readonly kind: 'ReplaceItem';
  readonly span: Span;
  readonly value: Expression;
  readonly name: Name;
}

/** An item of a SELECT. */
export type SelectItem = ExpressionItem | StarItem;

/**
 * One source of FROM. The first has `join: null`; a comma is `join: {type: 'cross', isComma: true}`. `alias IN e` and `alias
 * = e` are parsed as `e AS alias`; `columns` are the names of `e AS alias (name, …)`.
 */
export interface Source {
  readonly kind: 'Source';
  readonly span: Span;
  readonly join: Join | null;
  readonly collection: Expression;
  readonly alias: Name | null;
  readonly columns: readonly Name[];
  readonly position: Name | null;
}

/** The join of a source to those before it. */
export interface Join {
  readonly kind: 'Join';
  readonly span: Span;
  readonly type: 'inner' | 'left' | 'right' | 'full' | 'cross' | 'asof' | 'asof-left';
  readonly isComma: boolean;
  readonly on: Expression | null;
  readonly using: readonly Name[];
}

/** `value [AS alias]` */
export interface GroupItem {
  readonly kind: 'GroupItem';
  readonly span: Span;
  readonly value: Expression;
  readonly alias: Name | null;
}

/** `name AS (…)` behind WINDOW */
export interface NamedWindow {
  readonly kind: 'NamedWindow';
  readonly span: Span;
  readonly name: Name;
  readonly window: Window;
}

/** `value [ASC|DESC] [NULLS FIRST|LAST]` */
export interface OrderItem {
  readonly kind: 'OrderItem';
  readonly span: Span;
  readonly value: Expression;
  readonly isDescending: boolean;
  readonly nulls: 'first' | 'last' | null;
}
