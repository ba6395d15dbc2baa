/** Expressions, with the declarations, clauses and windows in them: all refer to one another, so this one recursive type is one file. */
import type { Span } from '../../text/span.ts';
import type { BooleanLiteral, NullLiteral, NumberLiteral, RegexLiteral, StringLiteral, TemporalLiteral } from './literals.ts';
import type { Name } from './name.ts';
import type { Node } from './node.ts';
import type { BinaryOperator, UnaryOperator } from './operators.ts';
import type { TypeExpression } from './type-expression.ts';

/** Union of all expressions. A new kind is a compile error in the printer, the walk and the check. */
export type Expression =
  | NullLiteral
  | BooleanLiteral
  | NumberLiteral
  | StringLiteral
  | TemporalLiteral
  | RegexLiteral
  | NameExpression
  | StarExpression
  | CollectionExpression
  | RecordExpression
  | FieldAccess
  | IndexAccess
  | CallExpression
  | TypedCallExpression
  | UnaryExpression
  | BinaryExpression
  | SetExpression
  | OrderedChain
  | InExpression
  | LikeExpression
  | BetweenExpression
  | IsNullExpression
  | IsDistinctExpression
  | AtTimeZoneExpression
  | IntoExpression
  | ExcludeExpression
  | ParseAsExpression
  | IfExpression
  | CaseExpression
  | CastExpression
  | LambdaExpression
  | BlockExpression
  | SelectExpression;

/** A name standing for a value: field, alias, parameter, declaration, view, table. */
export interface NameExpression extends Node<'NameExpression'> {
  readonly name: Name;
}

/** `*`: the row or the group of the SELECT around it; also a source (`FROM *`) and `COUNT(*)`. */
export type StarExpression = Node<'StarExpression'>;

/** `[a, b]`; `collection(a, b)` is read as the same. */
export interface CollectionExpression extends Node<'CollectionExpression'> {
  readonly elements: readonly Expression[];
}

/** `(a: 1, 2)`; a field without a name has `name: null`. `record(a: 1)` is the same construct. */
export interface RecordExpression extends Node<'RecordExpression'> {
  readonly fields: readonly RecordField[];
}

/** `name: value`; null if the value implies the name. */
export interface RecordField extends Node<'RecordField'> {
  readonly name: Name | null;
  readonly value: Expression;
}

/** `target.field` */
export interface FieldAccess extends Node<'FieldAccess'> {
  readonly target: Expression;
  readonly field: Name;
}

/** `target[index]` */
export interface IndexAccess extends Node<'IndexAccess'> {
  readonly target: Expression;
  readonly index: Expression;
}

/** `operand INTO (x: a, …)` */
export interface IntoExpression extends Node<'IntoExpression'> {
  readonly operand: Expression;
  readonly record: RecordExpression;
}

/** `operand EXCLUDE (a, b)` */
export interface ExcludeExpression extends Node<'ExcludeExpression'> {
  readonly operand: Expression;
  readonly names: readonly Name[];
}

/** `operator operand` */
export interface UnaryExpression extends Node<'UnaryExpression'> {
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

/** `left operator right` */
export interface BinaryExpression extends Node<'BinaryExpression'> {
  readonly operator: BinaryOperator;
  readonly operatorSpan: Span;
  readonly left: Expression;
  readonly right: Expression;
}

/** `(UNION | EXCEPT | INTERSECT) [ALL]`; ORDER BY, LIMIT and OFFSET of the whole chain are in an OrderedChain. */
export interface SetExpression extends Node<'SetExpression'> {
  readonly operator: 'UNION' | 'UNION ALL' | 'EXCEPT' | 'EXCEPT ALL' | 'INTERSECT' | 'INTERSECT ALL';
  readonly operatorSpan: Span;
  readonly left: Expression;
  readonly right: Expression;
}

/** A chain of set operators followed by ORDER BY, LIMIT or OFFSET of the whole chain. */
export interface OrderedChain extends Node<'OrderedChain'> {
  readonly operand: SetExpression;
  readonly orderBy: readonly OrderItem[];
  readonly limit: Expression | null;
  readonly offset: Expression | null;
}

/** `operand AT TIME ZONE zone` */
export interface AtTimeZoneExpression extends Node<'AtTimeZoneExpression'> {
  readonly operand: Expression;
  readonly zone: Expression;
}

/** `operand PARSE AS regex [SKIP | NULL | ERROR | (e) | literal ON FAIL]` */
export interface ParseAsExpression extends Node<'ParseAsExpression'> {
  readonly operand: Expression;
  readonly regex: Expression;
  readonly onFail: 'null' | 'skip' | 'error' | 'value';
  readonly failValue: Expression | null;
}

/** `CAST(e AS type)` and `TRY_CAST(e AS type)` */
export interface CastExpression extends Node<'CastExpression'> {
  readonly isTry: boolean;
  readonly operand: Expression;
  readonly type: TypeExpression;
}

/** `operand [NOT] IN right`; for `(e, …)` `list` is set and `right` is null. */
export interface InExpression extends Node<'InExpression'> {
  readonly isNegated: boolean;
  readonly operand: Expression;
  readonly right: Expression | null;
  readonly list: readonly Expression[] | null;
}

/** `operand [NOT] LIKE|ILIKE pattern [ESCAPE escape]` */
export interface LikeExpression extends Node<'LikeExpression'> {
  readonly isNegated: boolean;
  readonly isCaseInsensitive: boolean;
  readonly operand: Expression;
  readonly pattern: Expression;
  readonly escape: Expression | null;
}

/** `operand [NOT] BETWEEN low AND high` */
export interface BetweenExpression extends Node<'BetweenExpression'> {
  readonly isNegated: boolean;
  readonly operand: Expression;
  readonly low: Expression;
  readonly high: Expression;
}

/** `operand IS [NOT] NULL` */
export interface IsNullExpression extends Node<'IsNullExpression'> {
  readonly isNegated: boolean;
  readonly operand: Expression;
}

/** `left IS [NOT] DISTINCT FROM right` */
export interface IsDistinctExpression extends Node<'IsDistinctExpression'> {
  readonly isNegated: boolean;
  readonly left: Expression;
  readonly right: Expression;
}

/** `IF condition THEN value ELSE value` */
export interface IfExpression extends Node<'IfExpression'> {
  readonly condition: Expression;
  readonly consequent: Expression;
  readonly alternate: Expression;
}

/** Both SQL forms: `operand` is null in the searched one. */
export interface CaseExpression extends Node<'CaseExpression'> {
  readonly operand: Expression | null;
  readonly branches: readonly CaseBranch[];
  readonly alternate: Expression | null;
}

/** `WHEN when THEN then` */
export interface CaseBranch extends Node<'CaseBranch'> {
  readonly when: Expression;
  readonly then: Expression;
}

/** `callee(arguments) [FILTER (WHERE e)] [IGNORE NULLS] [OVER (…)]`; DISTINCT and ORDER BY inside the parentheses. */
export interface CallExpression extends Node<'CallExpression'> {
  readonly callee: Expression;
  readonly arguments: readonly Argument[];
  readonly isDistinct: boolean;
  readonly orderBy: readonly OrderItem[];
  readonly filter: Expression | null;
  readonly ignoresNulls: boolean;
  readonly window: Window | null;
}

/** `expression` or `name := expression` */
export interface Argument extends Node<'Argument'> {
  /** Span of the parentheses around the whole value, if any. */
  readonly bracketSpan: Span | null;
  readonly name: Name | null;
  readonly value: Expression;
}

/** `OVER ([PARTITION BY …] [ORDER BY …] [(ROWS | RANGE) BETWEEN … AND …])` */
export interface Window extends Node<'Window'> {
  /** The named window of the WINDOW clause that this one extends. */
  readonly base: Name | null;
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly OrderItem[];
  readonly frame: WindowFrame | null;
}

/** `(ROWS | RANGE) BETWEEN bound AND bound` */
export interface WindowFrame extends Node<'WindowFrame'> {
  readonly unit: 'rows' | 'range';
  readonly start: FrameBound;
  readonly end: FrameBound;
}

/** `UNBOUNDED|offset PRECEDING|FOLLOWING`, `CURRENT ROW` */
export interface FrameBound extends Node<'FrameBound'> {
  readonly type: 'unbounded-preceding' | 'preceding' | 'current-row' | 'following' | 'unbounded-following';
  readonly offset: Expression | null;
}

/** `READ…(location [AS type] {, option := value})` and the PARSE_ family: a call whose first argument may have AS type. */
export interface TypedCallExpression extends Node<'TypedCallExpression'> {
  readonly callee: Name;
  readonly arguments: readonly Argument[];
  /** The type after AS, and the index of the argument it follows. */
  readonly type: TypeExpression;
  readonly typedArgument: number;
}

/** `\(x: int [, …]) [: type] -> body` */
export interface LambdaExpression extends Node<'LambdaExpression'> {
  readonly parameters: readonly Parameter[];
  readonly resultType: TypeExpression | null;
  readonly body: Expression;
}

/** `{ declarations expression }`; also the tree of `WITH a AS (…) SELECT …`. */
export interface BlockExpression extends Node<'BlockExpression'> {
  readonly declarations: readonly Declaration[];
  readonly result: Expression;
}

/** `@ name ( arguments )` */
export interface Annotation extends Node<'Annotation'> {
  readonly name: Name;
  readonly arguments: readonly Argument[];
}

/** `{ annotation } [PRIVATE] name [: type] := expression` */
export interface DataDeclaration extends Node<'DataDeclaration'> {
  readonly annotations: readonly Annotation[];
  readonly isPrivate: boolean;
  readonly name: Name;
  readonly type: TypeExpression | null;
  readonly value: Expression;
}

/** `{ annotation } [PRIVATE] name ( [params] ) [: type] := expression` */
export interface FunctionDeclaration extends Node<'FunctionDeclaration'> {
  readonly annotations: readonly Annotation[];
  readonly isPrivate: boolean;
  readonly name: Name;
  readonly parameters: readonly Parameter[];
  readonly resultType: TypeExpression | null;
  readonly body: Expression;
}

/** `[PRIVATE] TYPE name := type` */
export interface TypeDeclaration extends Node<'TypeDeclaration'> {
  readonly isPrivate: boolean;
  readonly name: Name;
  readonly type: TypeExpression;
}

/** Union of the declarations before the expression of a program or a block. */
export type Declaration = DataDeclaration | FunctionDeclaration | TypeDeclaration;

/** `name [: type] [:= default]`; only a lambda's parameter may lack its type. */
export interface Parameter extends Node<'Parameter'> {
  readonly name: Name;
  readonly type: TypeExpression | null;
  readonly defaultValue: Expression | null;
}

/** `SELECT [DISTINCT [ON (…)]] items [FROM sources] [WHERE …] [GROUP BY …] [HAVING …] [WINDOW …] [QUALIFY …] [ORDER BY …] [LIMIT …] [OFFSET …]` */
export interface SelectExpression extends Node<'SelectExpression'> {
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
export interface ExpressionItem extends Node<'ExpressionItem'> {
  readonly value: Expression;
  readonly alias: Name | null;
}

/** `(* | alias.*) [EXCLUDE (…)] [REPLACE (e AS name, …)]` */
export interface StarItem extends Node<'StarItem'> {
  readonly source: Name | null;
  readonly exclude: readonly Name[];
  readonly replace: readonly ReplaceItem[];
  /** `* AS name`: only then the row is one field. */
  readonly alias: Name | null;
}

/** `value AS name`, in `* REPLACE (…)`. */
export interface ReplaceItem extends Node<'ReplaceItem'> {
  readonly value: Expression;
  readonly name: Name;
}

/** An item of a SELECT. */
export type SelectItem = ExpressionItem | StarItem;

/**
 * One source of FROM. The first has `join: null`; a comma is `join: {type: 'cross', isComma: true}`. `alias IN e` and `alias
 * = e` are parsed as `e AS alias`; `columns` are the names of `e AS alias (name, …)`.
 */
export interface Source extends Node<'Source'> {
  readonly join: Join | null;
  readonly collection: Expression;
  readonly alias: Name | null;
  readonly columns: readonly Name[];
  readonly position: Name | null;
}

/** The join of a source to those before it. */
export interface Join extends Node<'Join'> {
  readonly type: 'inner' | 'left' | 'right' | 'full' | 'cross' | 'asof' | 'asof-left';
  readonly isComma: boolean;
  readonly on: Expression | null;
  readonly using: readonly Name[];
}

/** `value [AS alias]` */
export interface GroupItem extends Node<'GroupItem'> {
  readonly value: Expression;
  readonly alias: Name | null;
}

/** `name AS (…)` behind WINDOW */
export interface NamedWindow extends Node<'NamedWindow'> {
  readonly name: Name;
  readonly window: Window;
}

/** `value [ASC|DESC] [NULLS FIRST|LAST]` */
export interface OrderItem extends Node<'OrderItem'> {
  readonly value: Expression;
  readonly isDescending: boolean;
  readonly nulls: 'first' | 'last' | null;
}
