/**
 * What was written: the untyped tree, one readonly interface per construct of the grammar.
 * Every node has `kind` first and a `span`; names keep the case they were written in.
 * A table of interfaces, long on purpose.
 */
import type { Span } from '../text/span.ts';

/** An identifier as written. `isQuoted` (back-ticks) makes it case-sensitive and never a keyword. */
export interface Name {
  readonly kind: 'Name';
  readonly span: Span;
  readonly text: string;
  readonly isQuoted: boolean;
}

// ---- programs ---------------------------------------------------------------------------------

/** `{ import | declaration } [ expression ]` */
export interface Program {
  readonly kind: 'Program';
  readonly span: Span;
  readonly imports: readonly Import[];
  readonly declarations: readonly Declaration[];
  readonly result: Expression | null;
}

/** `FROM package IMPORT name [AS name] {, …};` */
export interface ImportNames {
  readonly kind: 'ImportNames';
  readonly span: Span;
  readonly packageName: Name;
  readonly names: readonly ImportedName[];
}

/** `IMPORT package [AS name];` */
export interface ImportPackage {
  readonly kind: 'ImportPackage';
  readonly span: Span;
  readonly packageName: Name;
  readonly alias: Name | null;
}

/** One `name [AS alias]` of an import. */
export interface ImportedName {
  readonly kind: 'ImportedName';
  readonly span: Span;
  readonly name: Name;
  readonly alias: Name | null;
}

export type Import = ImportNames | ImportPackage;

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

export type Declaration = DataDeclaration | FunctionDeclaration | TypeDeclaration;

/** `name [: type] [:= default]`; only a lambda's parameter may lack its type. */
export interface Parameter {
  readonly kind: 'Parameter';
  readonly span: Span;
  readonly name: Name;
  readonly type: TypeExpression | null;
  readonly defaultValue: Expression | null;
}

// ---- types as written -------------------------------------------------------------------------

/** A type by name: a built-in one or one of `TYPE name := …`. */
export interface NamedTypeExpression {
  readonly kind: 'NamedTypeExpression';
  readonly span: Span;
  readonly name: Name;
  readonly isNullable: boolean;
}

/** `collection(T)` */
export interface CollectionTypeExpression {
  readonly kind: 'CollectionTypeExpression';
  readonly span: Span;
  readonly element: TypeExpression;
  readonly isNullable: boolean;
}

/** `record(name: T, …)` */
export interface RecordTypeExpression {
  readonly kind: 'RecordTypeExpression';
  readonly span: Span;
  readonly fields: readonly FieldTypeExpression[];
  readonly isNullable: boolean;
}

/** One `name: T` of a record type. */
export interface FieldTypeExpression {
  readonly kind: 'FieldTypeExpression';
  readonly span: Span;
  readonly name: Name;
  readonly type: TypeExpression;
}

/** `([name:] T, …) -> U` */
export interface FunctionTypeExpression {
  readonly kind: 'FunctionTypeExpression';
  readonly span: Span;
  readonly parameters: readonly FunctionTypeParameter[];
  readonly result: TypeExpression;
  readonly isNullable: boolean;
}

/** One `[name:] T` of a function type. */
export interface FunctionTypeParameter {
  readonly kind: 'FunctionTypeParameter';
  readonly span: Span;
  readonly name: Name | null;
  readonly type: TypeExpression;
}

export type TypeExpression = NamedTypeExpression | CollectionTypeExpression | RecordTypeExpression | FunctionTypeExpression;

// ---- expressions ------------------------------------------------------------------------------

export interface NullLiteral {
  readonly kind: 'NullLiteral';
  readonly span: Span;
}

export interface BooleanLiteral {
  readonly kind: 'BooleanLiteral';
  readonly span: Span;
  readonly value: boolean;
}

/** `type` is settled by the lexer from suffix and size; `text` has digits only (sign of a literal minus, no suffix). */
export interface NumberLiteral {
  readonly kind: 'NumberLiteral';
  readonly span: Span;
  readonly type: 'int' | 'long' | 'float' | 'double' | 'decimal';
  readonly text: string;
}

/** `value` has its escapes processed. */
export interface StringLiteral {
  readonly kind: 'StringLiteral';
  readonly span: Span;
  readonly value: string;
}

/** `date "…"`, `time "…"`, `timestamp "…"`, `interval "…"`; `text` as written, read by the checker. */
export interface TemporalLiteral {
  readonly kind: 'TemporalLiteral';
  readonly span: Span;
  readonly type: 'date' | 'time' | 'timestamp' | 'interval';
  readonly text: string;
  readonly textSpan: Span;
}

/** `r"…"`: `pattern` has its escapes processed, and has not been checked. */
export interface RegexLiteral {
  readonly kind: 'RegexLiteral';
  readonly span: Span;
  readonly pattern: string;
}

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

/** `(a: 1, 2)`; a field without name has `name: null`. `record(a: 1)` is not a form of its own. */
export interface RecordExpression {
  readonly kind: 'RecordExpression';
  readonly span: Span;
  readonly fields: readonly RecordField[];
}

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

/** `callee(arguments) [FILTER (WHERE e)] [OVER (…)]`; DISTINCT and ORDER BY inside the parentheses. */
export interface CallExpression {
  readonly kind: 'CallExpression';
  readonly span: Span;
  readonly callee: Expression;
  readonly arguments: readonly Argument[];
  readonly isDistinct: boolean;
  readonly orderBy: readonly OrderItem[];
  readonly filter: Expression | null;
  readonly window: Window | null;
}

/** `expression` or `name := expression` */
export interface Argument {
  readonly kind: 'Argument';
  readonly span: Span;
  readonly name: Name | null;
  readonly value: Expression;
}

/** `OVER ([PARTITION BY …] [ORDER BY …] [ROWS BETWEEN … AND …])` */
export interface Window {
  readonly kind: 'Window';
  readonly span: Span;
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly OrderItem[];
  readonly frame: WindowFrame | null;
}

export interface WindowFrame {
  readonly kind: 'WindowFrame';
  readonly span: Span;
  readonly start: FrameBound;
  readonly end: FrameBound;
}

export interface FrameBound {
  readonly kind: 'FrameBound';
  readonly span: Span;
  readonly type: 'unbounded-preceding' | 'preceding' | 'current-row' | 'following' | 'unbounded-following';
  readonly offset: Expression | null;
}

export type UnaryOperator = '-' | '+' | 'NOT';

export interface UnaryExpression {
  readonly kind: 'UnaryExpression';
  readonly span: Span;
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

export type LogicalOperator = 'OR' | 'AND';

/** `=` covers `==`; `<>` covers `!=`. */
export type ComparisonSign = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** Operators between values that bind more tightly than a comparison. */
export type ValueOperator = ArithmeticSign | '||' | '++' | '+++';

export type ArithmeticSign = '+' | '-' | '*' | '/' | '%';

/** A new one is a compile error wherever it has to be known: in the lexer, the parser, the printer, the check. */
export type BinaryOperator = LogicalOperator | ComparisonSign | ValueOperator;

export interface BinaryExpression {
  readonly kind: 'BinaryExpression';
  readonly span: Span;
  readonly operator: BinaryOperator;
  readonly operatorSpan: Span;
  readonly left: Expression;
  readonly right: Expression;
}

/** `UNION | UNION ALL | EXCEPT | INTERSECT`, with ORDER BY, LIMIT and OFFSET of the whole chain in a SetChain. */
export interface SetExpression {
  readonly kind: 'SetExpression';
  readonly span: Span;
  readonly operator: 'UNION' | 'UNION ALL' | 'EXCEPT' | 'INTERSECT';
  readonly operatorSpan: Span;
  readonly left: Expression;
  readonly right: Expression;
}

/** A chain of set operators followed by ORDER BY, LIMIT or OFFSET that belong to the chain as a whole. */
export interface OrderedChain {
  readonly kind: 'OrderedChain';
  readonly span: Span;
  readonly operand: SetExpression;
  readonly orderBy: readonly OrderItem[];
  readonly limit: Expression | null;
  readonly offset: Expression | null;
}

/** `operand [NOT] IN right`; `list` is set where the right side is `(e, …)`, then `right` is null. */
export interface InExpression {
  readonly kind: 'InExpression';
  readonly span: Span;
  readonly isNegated: boolean;
  readonly operand: Expression;
  readonly right: Expression | null;
  readonly list: readonly Expression[] | null;
}

export interface LikeExpression {
  readonly kind: 'LikeExpression';
  readonly span: Span;
  readonly isNegated: boolean;
  readonly isCaseInsensitive: boolean;
  readonly operand: Expression;
  readonly pattern: Expression;
  readonly escape: Expression | null;
}

export interface BetweenExpression {
  readonly kind: 'BetweenExpression';
  readonly span: Span;
  readonly isNegated: boolean;
  readonly operand: Expression;
  readonly low: Expression;
  readonly high: Expression;
}

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

/** `operand AT TIME ZONE zone` */
export interface AtTimeZoneExpression {
  readonly kind: 'AtTimeZoneExpression';
  readonly span: Span;
  readonly operand: Expression;
  readonly zone: Expression;
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

/** `operand PARSE AS regex [SKIP | NULL | ERROR | (e) | literal ON FAIL]` */
export interface ParseAsExpression {
  readonly kind: 'ParseAsExpression';
  readonly span: Span;
  readonly operand: Expression;
  readonly regex: Expression;
  readonly onFail: 'null' | 'skip' | 'error' | 'value';
  readonly failValue: Expression | null;
}

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

export interface CaseBranch {
  readonly kind: 'CaseBranch';
  readonly span: Span;
  readonly when: Expression;
  readonly then: Expression;
}

/** `CAST(e AS type)` and `TRY_CAST(e AS type)` */
export interface CastExpression {
  readonly kind: 'CastExpression';
  readonly span: Span;
  readonly isTry: boolean;
  readonly operand: Expression;
  readonly type: TypeExpression;
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

/** `{ declarations expression }`; also what `WITH a AS (…) SELECT …` is read as. */
export interface BlockExpression {
  readonly kind: 'BlockExpression';
  readonly span: Span;
  readonly declarations: readonly Declaration[];
  readonly result: Expression;
}

// ---- SELECT -----------------------------------------------------------------------------------

export interface SelectExpression {
  readonly kind: 'SelectExpression';
  readonly span: Span;
  readonly isDistinct: boolean;
  readonly items: readonly SelectItem[];
  readonly sources: readonly Source[];
  readonly where: Expression | null;
  readonly groupBy: readonly GroupItem[];
  readonly having: Expression | null;
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

export interface ReplaceItem {
  readonly kind: 'ReplaceItem';
  readonly span: Span;
  readonly value: Expression;
  readonly name: Name;
}

export type SelectItem = ExpressionItem | StarItem;

/**
 * One source of FROM. The first has `join: null`; a comma is `join: {type: 'cross', isComma: true}`.
 * `alias IN e` and `alias = e` are read as `e AS alias`.
 */
export interface Source {
  readonly kind: 'Source';
  readonly span: Span;
  readonly join: Join | null;
  readonly collection: Expression;
  readonly alias: Name | null;
  readonly position: Name | null;
}

export interface Join {
  readonly kind: 'Join';
  readonly span: Span;
  readonly type: 'inner' | 'left' | 'right' | 'full' | 'cross';
  readonly isComma: boolean;
  readonly on: Expression | null;
  readonly using: readonly Name[];
}

export interface GroupItem {
  readonly kind: 'GroupItem';
  readonly span: Span;
  readonly value: Expression;
  readonly alias: Name | null;
}

export interface OrderItem {
  readonly kind: 'OrderItem';
  readonly span: Span;
  readonly value: Expression;
  readonly isDescending: boolean;
  readonly nulls: 'first' | 'last' | null;
}

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
