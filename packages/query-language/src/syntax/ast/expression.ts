/** Expressions, with the declarations, clauses and windows in them: all refer to one another, so this one recursive type is one file. */
import type { Span } from '../../text/span.ts';
import type { BooleanLiteral, NullLiteral, NumberLiteral, RegexLiteral, StringLiteral, TemporalLiteral } from './literals.ts';
import type { Name } from './name.ts';
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
export interface NameExpression {
  readonly kind: 'NameExpression';
  readonly span: Span;
  readonly name: Name;
}

/** `*`: the row or the group of the SELECT around it; also a source (`FROM *`) and `COUNT(*)`. */
export interface StarExpression {
  readonly kind: 'StarExpression';
  readonly span: Span;
}

/** `[a, b]`; `collection(a, b)` is read as the same. */
export interface CollectionExpression {
  readonly kind: 'CollectionExpression';
  readonly span: Span;
  readonly elements: readonly Expression[];
}

/** `(a: 1, 2)`; a field without a name has `name: null`. `record(a: 1)` is the same construct. */
export interface RecordExpression {
  readonly kind: 'RecordExpression';
  readonly span: Span;
  readonly fields: readonly RecordField[];
}

/** `name: value`; null if the value implies the name. */
export interface RecordField {
  readonly kind: 'RecordField';
  readonly span: Span;
  readonly name: Name | null;
  readonly value: Expression;
}

/** `target.field` */
export interface FieldAccess {
  readonly kind: 'FieldAccess';
  readonly span: Span;
  readonly target: Expression;
  readonly field: Name;
}

/** `target[index]` */
export interface IndexAccess {
  readonly kind: 'IndexAccess';
  readonly span: Span;
  readonly target: Expression;
  readonly index: Expression;
}

/** `operand INTO (x: a, …)` */
export interface IntoExpression {
  readonly kind: 'IntoExpression';
  readonly span: Span;
  readonly operand: Expression;
  readonly record: RecordExpression;
}

/** `operand EXCLUDE (a, b)` */
export interface ExcludeExpression {
  readonly kind: 'ExcludeExpression';
  readonly span: Span;
  readonly operand: Expression;
  readonly names: readonly Name[];
}

/** `operator operand` */
export interface UnaryExpression {
  readonly kind: 'UnaryExpression';
  readonly span: Span;
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

/** `left operator right` */
export interface BinaryExpression {
  readonly kind: 'BinaryExpression';
  readonly span: Span;
  readonly operator: BinaryOperator;
  readonly operatorSpan: Span;
  readonly left: Expression;
  readonly right: Expression;
}

/** `(UNION | EXCEPT | INTERSECT) [ALL]`; ORDER BY, LIMIT and OFFSET of the whole chain are in an OrderedChain. */
export interface SetExpression {
  readonly kind: 'SetExpression';
  readonly span: Span;
  readonly operator: 'UNION' | 'UNION ALL' | 'EXCEPT' | 'EXCEPT ALL' | 'INTERSECT' | 'INTERSECT ALL';
  readonly operatorSpan: Span;
  readonly left: Expression;
  readonly right: Expression;
}

/** A chain of set operators followed by ORDER BY, LIMIT or OFFSET of the whole chain. */
export interface OrderedChain {
  readonly kind: 'OrderedChain';
  readonly span: Span;
  readonly operand: SetExpression;
  readonly orderBy: readonly OrderItem[];
  readonly limit: Expression | null;
  readonly offset: Expression | null;
}

/** `operand AT TIME ZONE zone` */
export interface AtTimeZoneExpression {
  readonly kind: 'AtTimeZoneExpression';
  readonly span: Span;
  readonly operand: Expression;
  readonly zone: Expression;
}

/** `operand PARSE AS regex [SKIP | NULL | ERROR | (e) | literal ON FAIL]` */
export interface ParseAsExpression {
  readonly kind: 'ParseAsExpression';
  readonly span: Span;
  readonly operand: Expression;
  readonly regex: Expression;
  readonly onFail: 'null' | 'skip' | 'error' | 'value';
  readonly failValue: Expression | null;
}

/** `CAST(e AS type)` and `TRY_CAST(e AS type)` */
export interface CastExpression {
  readonly kind: 'CastExpression';
  readonly span: Span;
  readonly isTry: boolean;
  readonly operand: Expression;
  readonly type: TypeExpression;
}

/** `operand [NOT] IN right`; for `(e, …)` `list` is set and `right` is null. */
export interface InExpression {
  readonly kind: 'InExpression';
  readonly span: Span;
  readonly isNegated: boolean;
  readonly operand: Expression;
  readonly right: Expression | null;
  readonly list: readonly Expression[] | null;
}

/** `operand [NOT] LIKE|ILIKE pattern [ESCAPE escape]` */
export interface LikeExpression {
  readonly kind: 'LikeExpression';
  readonly span: Span;
  readonly isNegated: boolean;
  readonly isCaseInsensitive: boolean;
  readonly operand: Expression;
  readonly pattern: Expression;
  readonly escape: Expression | null;
}

/** `operand [NOT] BETWEEN low AND high` */
export interface BetweenExpression {
  readonly kind: 'BetweenExpression';
  readonly span: Span;
  readonly isNegated: boolean;
  readonly operand: Expression;
  readonly low: Expression;
  readonly high: Expression;
}

/** `operand IS [NOT] NULL` */
export interface IsNullExpression {
  readonly kind: 'IsNullExpression';
  readonly span: Span;
  readonly isNegated: boolean;
  readonly operand: Expression;
}

/** `left IS [NOT] DISTINCT FROM right` */
export interface IsDistinctExpression {
  readonly kind: 'IsDistinctExpression';
  readonly span: Span;
  readonly isNegated: boolean;
  readonly left: Expression;
  readonly right: Expression;
}

/** `IF condition THEN value ELSE value` */
export interface IfExpression {
  readonly kind: 'IfExpression';
  readonly span: Span;
  readonly condition: Expression;
  readonly consequent: Expression;
  readonly alternate: Expression;
}

/** Both SQL forms: `operand` is null in the searched one. */
export interface CaseExpression {
  readonly kind: 'CaseExpression';
  readonly span: Span;
  readonly operand: Expression | null;
  readonly branches: readonly CaseBranch[];
  readonly alternate: Expression | null;
}

/** `WHEN when THEN then` */
export interface CaseBranch {
  readonly kind: 'CaseBranch';
  readonly span: Span;
  readonly when: Expression;
  readonly then: Expression;
}

/** `callee(arguments) [FILTER (WHERE e)] [IGNORE NULLS] [OVER (…)]`; DISTINCT and ORDER BY inside the parentheses. */
export interface CallExpression {
  readonly kind: 'CallExpression';
  readonly span: Span;
  readonly callee: Expression;
  readonly arguments: readonly Argument[];
  readonly isDistinct: boolean;
  readonly orderBy: readonly OrderItem[];
  readonly filter: Expression | null;
  readonly ignoresNulls: boolean;
  readonly window: Window | null;
}

/** `expression` or `name := expression` */
export interface Argument {
  readonly kind: 'Argument';
  readonly span: Span;
  /** Span of the parentheses around the whole value, if any. */
  readonly bracketSpan: Span | null;
  readonly name: Name | null;
  readonly value: Expression;
}

/** `OVER ([PARTITION BY …] [ORDER BY …] [(ROWS | RANGE) BETWEEN … AND …])` */
export interface Window {
  readonly kind: 'Window';
  readonly span: Span;
  /** The named window of the WINDOW clause that this one extends. */
  readonly base: Name | null;
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly OrderItem[];
  readonly frame: WindowFrame | null;
}

/** `(ROWS | RANGE) BETWEEN bound AND bound` */
export interface WindowFrame {
  readonly kind: 'WindowFrame';
  readonly span: Span;
  readonly unit: 'rows' | 'range';
  readonly start: FrameBound;
  readonly end: FrameBound;
}

/** `UNBOUNDED|offset PRECEDING|FOLLOWING`, `CURRENT ROW` */
export interface FrameBound {
  readonly kind: 'FrameBound';
  readonly span: Span;
  readonly type: 'unbounded-preceding' | 'preceding' | 'current-row' | 'following' | 'unbounded-following';
  readonly offset: Expression | null;
}

/** `READ…(location [AS type] {, option := value})` and the PARSE_ family: a call whose first argument may have AS type. */
export interface TypedCallExpression {
  readonly kind: 'TypedCallExpression';
  readonly span: Span;
  readonly callee: Name;
  readonly arguments: readonly Argument[];
  /** The type after AS, and the index of the argument it follows. */
  readonly type: TypeExpression;
  readonly typedArgument: number;
}

/** `\(x: int [, …]) [: type] -> body` */
export interface LambdaExpression {
  readonly kind: 'LambdaExpression';
  readonly span: Span;
  readonly parameters: readonly Parameter[];
  readonly resultType: TypeExpression | null;
  readonly body: Expression;
}

/** `{ declarations expression }`; also the tree of `WITH a AS (…) SELECT …`. */
export interface BlockExpression {
  readonly kind: 'BlockExpression';
  readonly span: Span;
  readonly declarations: readonly Declaration[];
  readonly result: Expression;
}

/** `@ name ( arguments )` */
export interface Annotation {
  readonly kind: 'Annotation';
  readonly span: Span;
  readonly name: Name;
  readonly arguments: readonly Argument[];
}

/** `{ annotation } [PRIVATE] name [: type] := expression` */
export interface DataDeclaration {
  readonly kind: 'DataDeclaration';
  readonly span: Span;
  readonly annotations: readonly Annotation[];
  readonly isPrivate: boolean;
  readonly name: Name;
  readonly type: TypeExpression | null;
  readonly value: Expression;
}

/** `{ annotation } [PRIVATE] name ( [params] ) [: type] := expression` */
export interface FunctionDeclaration {
  readonly kind: 'FunctionDeclaration';
  readonly span: Span;
  readonly annotations: readonly Annotation[];
  readonly isPrivate: boolean;
  readonly name: Name;
  readonly parameters: readonly Parameter[];
  readonly resultType: TypeExpression | null;
  readonly body: Expression;
}

/** `[PRIVATE] TYPE name := type` */
export interface TypeDeclaration {
  readonly kind: 'TypeDeclaration';
  readonly span: Span;
  readonly isPrivate: boolean;
  readonly name: Name;
  readonly type: TypeExpression;
}

/** Union of the declarations before the expression of a program or a block. */
export type Declaration = DataDeclaration | FunctionDeclaration | TypeDeclaration;

/** `name [: type] [:= default]`; only a lambda's parameter may lack its type. */
export interface Parameter {
  readonly kind: 'Parameter';
  readonly span: Span;
  readonly name: Name;
  readonly type: TypeExpression | null;
  readonly defaultValue: Expression | null;
}

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
