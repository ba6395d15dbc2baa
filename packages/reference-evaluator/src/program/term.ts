import type { ArithmeticOperator, ComparisonOperator, SetOperator } from '../values/operators.ts';
import type { CollectionShape, RecordShape, Scalar, Shape } from '../values/shape.ts';
import type { ScalarValue } from '../values/value.ts';

/**
 * A random program: declarations and a result. Its terms form a tree whose nodes are typed and whose names are resolved:
 * `generate/` builds it, `print/` prints it, `evaluate/` evaluates it.
 */
export interface RandomProgram {
  readonly declarations: readonly (DataDeclaration | FunctionDeclaration)[];
  readonly result: Term;
}

/** `name := value;` */
export interface DataDeclaration {
  readonly kind: 'data';
  readonly id: number;
  readonly name: string;
  readonly value: Term;
  /** The declared type, that of the value or a wider one; null if there is none. */
  readonly shape: Scalar | null;
}

/** `name(parameters) := body;` */
export interface FunctionDeclaration {
  readonly kind: 'function';
  readonly name: string;
  readonly parameters: readonly FunctionParameter[];
  readonly body: Term;
  /** True if it is written as a value, `name := \(…) -> body`: its arguments are positional then. */
  readonly isLambda: boolean;
  /** True if another function has the same name. */
  readonly isOverloaded: boolean;
}

/** A parameter. NULL for one that is not nullable makes the call NULL. */
export interface FunctionParameter {
  readonly id: number;
  readonly name: string;
  readonly shape: Scalar;
  readonly isNullable: boolean;
  readonly default: Term | null;
}

/** Union of all terms. */
export type Term =
  | Literal
  | Null
  | Variable
  | Field
  | Unary
  | Binary
  | IsNull
  | Between
  | In
  | If
  | Case
  | Call
  | RecordTerm
  | CollectionTerm
  | Index
  | Exclude
  | Into
  | Block
  | DeclaredCall
  | Aggregate
  | Window
  | LambdaCall
  | Like
  | Reduce
  | Regex
  | ParseAs
  | Try
  | Cast
  | Trip
  | Star
  | Key
  | GroupingTerm
  | ItemName
  | Merged
  | OrderedChain
  | Select;

/** Discriminator of the terms. */
export type TermKind = Term['kind'];

// Names, constants and operators.

/** A constant. */
export interface Literal {
  readonly kind: 'literal';
  readonly shape: Scalar;
  readonly value: ScalarValue;
  /** True if it is printed as a plain string, beside a term of its type. */
  readonly isText?: true;
}

interface Null {
  readonly kind: 'null';
  readonly shape: 'unknown';
}

/** A name: an alias, a position, a key, a parameter, a declaration or a table. */
interface Variable {
  readonly kind: 'variable';
  readonly shape: Shape;
  readonly id: number;
  readonly name: string;
}

/** `target.name`, on a collection the collection of its elements' fields; a bare one is written `name`. */
interface Field {
  readonly kind: 'field';
  readonly shape: Shape;
  readonly target: Term;
  readonly index: number;
  readonly name: string;
  readonly isBare: boolean;
}

interface Unary {
  readonly kind: 'unary';
  readonly shape: Shape;
  readonly operator: '-' | 'NOT';
  readonly operand: Term;
}

/** Union of all binary operators. */
export type BinaryOperator = ArithmeticOperator | ComparisonOperator | SetOperator | 'AND' | 'OR' | '||' | '++' | '+++';

/** Two terms with an operator between them. */
export interface Binary {
  readonly kind: 'binary';
  readonly shape: Shape;
  readonly operator: BinaryOperator;
  readonly left: Term;
  readonly right: Term;
}

interface IsNull {
  readonly kind: 'is-null';
  readonly shape: 'bool';
  readonly isNegated: boolean;
  readonly operand: Term;
}

interface Between {
  readonly kind: 'between';
  readonly shape: 'bool';
  readonly isNegated: boolean;
  readonly operand: Term;
  readonly low: Term;
  readonly high: Term;
}

/** `operand IN right`, or `operand IN (list)`. */
interface In {
  readonly kind: 'in';
  readonly shape: 'bool';
  readonly isNegated: boolean;
  readonly operand: Term;
  readonly right: Term | readonly Term[];
}

/** `operand [NOT] [I]LIKE pattern [ESCAPE escape]` */
export interface Like {
  readonly kind: 'like';
  readonly shape: 'bool';
  readonly isNegated: boolean;
  readonly isOfAnyCase: boolean;
  readonly operand: Term;
  readonly pattern: Term;
  readonly escape: string | null;
}

// Branches, blocks and calls.

interface If {
  readonly kind: 'if';
  readonly shape: Shape;
  readonly condition: Term;
  readonly consequent: Term;
  readonly alternate: Term;
}

interface Case {
  readonly kind: 'case';
  readonly shape: Shape;
  readonly operand: Term | null;
  readonly branches: readonly { readonly when: Term; readonly then: Term }[];
  readonly alternate: Term | null;
}

/** `{ name := value; result }` */
export interface Block {
  readonly kind: 'block';
  readonly shape: Shape;
  readonly declaration: DataDeclaration;
  readonly result: Term;
}

/** A call of a function of the language. */
export interface Call {
  readonly kind: 'call';
  readonly shape: Shape;
  readonly name: string;
  readonly arguments: readonly Term[];
}

/** A call of a declared function. */
export interface DeclaredCall {
  readonly kind: 'declared-call';
  readonly shape: Shape;
  readonly function: FunctionDeclaration;
  /** By parameter; null where the default is used. */
  readonly arguments: readonly (Term | null)[];
  /** Number of positional arguments; the others are written by name, in reverse order. */
  readonly byPosition: number;
}

// Records, collections, and functions of their elements.

interface RecordTerm {
  readonly kind: 'record';
  readonly shape: RecordShape;
  readonly values: readonly Term[];
}

interface CollectionTerm {
  readonly kind: 'collection';
  readonly shape: CollectionShape;
  readonly elements: readonly Term[];
}

interface Index {
  readonly kind: 'index';
  readonly shape: Shape;
  readonly target: Term;
  readonly index: Term;
}

/** `operand EXCLUDE (…)`: `kept` are the indexes of the remaining fields; over a collection it maps. */
interface Exclude {
  readonly kind: 'exclude';
  readonly shape: RecordShape | CollectionShape;
  readonly operand: Term;
  readonly excluded: readonly string[];
  readonly kept: readonly number[];
}

/** `operand INTO (…)`: the fields see those of `operand`, which is bound to `id`; over a collection it maps. */
interface Into {
  readonly kind: 'into';
  readonly shape: RecordShape | CollectionShape;
  readonly operand: Term;
  readonly id: number;
  readonly record: RecordTerm;
}

interface Parameter {
  readonly id: number;
  readonly name: string;
  readonly shape: Shape;
}

/** A built-in function over a collection, with `\(parameter) -> body`. */
export interface LambdaCall {
  readonly kind: 'lambda-call';
  readonly shape: Shape;
  readonly name: 'TRANSFORM' | 'FILTER' | 'ANY' | 'ALL' | 'FIND_FIRST';
  readonly collection: Term;
  readonly parameter: Parameter;
  readonly body: Term;
  /** Name of the function that `body` calls, if it is written instead of a lambda. */
  readonly function: string | null;
}

/** `REDUCE(collection, start, \(sofar, element) -> body)` */
export interface Reduce {
  readonly kind: 'reduce';
  readonly shape: Shape;
  readonly collection: Term;
  readonly start: Term;
  readonly sofar: Parameter;
  readonly element: Parameter;
  readonly body: Term;
}

// Conversions.

/** `r"…"` */
export interface Regex {
  readonly kind: 'regex';
  readonly shape: 'string';
  readonly pattern: string;
}

/** `operand PARSE AS r"…"` */
export interface ParseAs {
  readonly kind: 'parse-as';
  readonly shape: CollectionShape;
  readonly operand: Term;
  readonly pattern: string;
  readonly onFail: 'null' | 'skip';
}

/** `TRY(…)`. */
export interface Try {
  readonly kind: 'try';
  readonly shape: Shape;
  readonly operand: Term;
}

/** `CAST(… AS …)` and `TRY_CAST(… AS …)`. */
export interface Cast {
  readonly kind: 'cast';
  readonly shape: Shape;
  readonly operand: Term;
  readonly isTry: boolean;
}

/** `PARSE_JSON(TO_JSON(operand) AS …)`, or `CAST(CAST(operand AS any).field AS …)` */
export interface Trip {
  readonly kind: 'trip';
  readonly shape: Shape;
  readonly operand: Term;
  readonly through: 'json' | 'any';
  readonly field: { readonly name: string; readonly index: number } | null;
}

// SELECT, and the terms that occur only in one.

/** A SELECT of a random program. */
export interface Select {
  readonly kind: 'select';
  readonly shape: Shape;
  readonly id: number;
  readonly isDistinct: boolean;
  /** `DISTINCT ON (keys)`: of rows with equal keys the first; empty without. */
  readonly distinctOn: readonly Term[];
  readonly items: readonly Item[];
  readonly sources: readonly Source[];
  readonly where: Term | null;
  readonly keys: readonly GroupKey[];
  /** Several groupings by the keys; null for one by all of them. */
  readonly groupings: Groupings | null;
  /** True for one group of all rows, whose result is no collection. */
  readonly isSingle: boolean;
  readonly having: Term | null;
  readonly qualify: Term | null;
  readonly orderBy: readonly Order[];
  readonly limit: Term | null;
  readonly offset: Term | null;
}

/** A source of its FROM. */
export interface Source {
  readonly id: number;
  readonly shape: Shape;
  /** Null if the source has no alias. */
  readonly alias: string | null;
  /** False if the name is that of the collection, without AS. */
  readonly isAliasWritten: boolean;
  readonly position: { readonly id: number; readonly name: string } | null;
  readonly collection: Term;
  readonly join: ',' | 'JOIN' | 'LEFT JOIN' | 'RIGHT JOIN' | 'FULL JOIN' | 'CROSS JOIN' | 'ASOF JOIN' | 'ASOF LEFT JOIN' | null;
  /** Of an ASOF join: comparisons of the two sides, exactly one of which is an inequality. */
  readonly on: Term | null;
  /** The fields merged by USING; their equality is in `on`. */
  readonly using: readonly Merged[];
}

/** An item of a SELECT. */
export interface Item {
  readonly value: Term;
  /** Name of the result's field; null for a single item with bare values. */
  readonly field: string | null;
  readonly isFieldWritten: boolean;
  /** The `*` it belongs to; the items of one are adjacent. */
  readonly spread?: Spread;
}

/** `*` or `alias.*`, with EXCLUDE and REPLACE. */
export interface Spread {
  readonly alias: string | null;
  readonly excluded: readonly string[];
  readonly replaced: readonly { readonly name: string; readonly value: Term }[];
}

/** A key of GROUP BY; `position` is that of its item, from 1, if it is written as a position. */
export interface GroupKey {
  readonly id: number;
  readonly value: Term;
  readonly alias: string | null;
  readonly position: number | null;
}

/** `ROLLUP (keys)`, `CUBE (keys)` or `GROUPING SETS (…)`: the places of the keys of each grouping. */
export interface Groupings {
  readonly word: 'ROLLUP' | 'CUBE' | 'GROUPING SETS';
  readonly sets: readonly (readonly number[])[];
}

/** An item of ORDER BY. */
export interface Order {
  readonly value: Term;
  readonly isDescending: boolean;
  readonly nulls: 'first' | 'last' | null;
}

/** `*` of the SELECT `select`: its row, or its group. */
export interface Star {
  readonly kind: 'star';
  readonly shape: Shape;
  readonly select: Pick<Select, 'id' | 'sources'>;
  readonly isGroup: boolean;
}

/** A key of the SELECT around, written again as the expression that it is. */
export interface Key {
  readonly kind: 'key';
  readonly shape: Shape;
  readonly id: number;
  readonly written: Term;
}

/** `GROUPING(keys)`: a bit for each key, 1 where the grouping leaves it out. */
export interface GroupingTerm {
  readonly kind: 'grouping';
  readonly shape: 'long';
  readonly keys: readonly Key[];
}

/** An item in ORDER BY, by name or position. */
export interface ItemName {
  readonly kind: 'item-name';
  readonly shape: Shape;
  readonly select: number;
  readonly index: number;
  /** Null for a position. */
  readonly name: string | null;
}

/** A field merged by USING, by its name: the first of its parts that is not NULL. */
export interface Merged {
  readonly kind: 'merged';
  readonly shape: Shape;
  readonly name: string;
  readonly isBare: true;
  readonly parts: readonly Term[];
}

/** An aggregate of the rows of the SELECT `select`; without argument `COUNT(*)`. */
export interface Aggregate {
  readonly kind: 'aggregate';
  readonly shape: Shape;
  readonly select: number;
  readonly name: string;
  readonly argument: Term | null;
  /** The separator of STRING_AGG, the fraction of QUANTILE. */
  readonly separator: string | number | null;
  /** The sort key of ARG_MIN and ARG_MAX. */
  readonly by: Term | null;
  readonly isDistinct: boolean;
  readonly orderBy: readonly Order[];
  readonly filter: Term | null;
}

/** `name(argument) OVER (…)` on the rows of the SELECT `select`; without argument also `COUNT(*)`. */
export interface Window {
  readonly kind: 'window';
  readonly shape: Shape;
  readonly select: number;
  readonly name:
    | 'ROW_NUMBER'
    | 'RANK'
    | 'DENSE_RANK'
    | 'PERCENT_RANK'
    | 'CUME_DIST'
    | 'NTILE'
    | 'LAG'
    | 'LEAD'
    | 'FIRST_VALUE'
    | 'LAST_VALUE'
    | 'NTH_VALUE'
    | 'COUNT'
    | 'SUM'
    | 'AVG'
    | 'MIN'
    | 'MAX'
    | 'MEDIAN'
    | 'STDDEV'
    | 'MODE'
    | 'BOOL_AND'
    | 'BOOL_OR'
    | 'COUNT_DISTINCT';
  readonly argument: Term | null;
  /** Offset of LAG and LEAD; number of buckets of NTILE; place of NTH_VALUE. */
  readonly offset: number | null;
  /** `IGNORE NULLS` */
  readonly ignoresNulls: boolean;
  readonly partitionBy: readonly Term[];
  readonly orderBy: readonly Order[];
  readonly frame: WindowFrame | null;
  /** Name under which the clause WINDOW declares it; null if it stands in OVER. */
  readonly declaredAs: string | null;
}

/** `ROWS` or `RANGE BETWEEN start AND end` */
export interface WindowFrame {
  readonly unit: 'ROWS' | 'RANGE';
  readonly start: FrameEdge;
  readonly end: FrameEdge;
}

/** `CURRENT ROW`, or so far before or after it in rows, or in the value of ORDER BY; null for UNBOUNDED. */
export interface FrameEdge {
  readonly side: 'PRECEDING' | 'CURRENT ROW' | 'FOLLOWING';
  readonly offset: Literal | null;
}

/** A chain of set operators with ORDER BY, LIMIT and OFFSET; its right side is a SELECT. */
export interface OrderedChain {
  readonly kind: 'ordered-chain';
  readonly shape: Shape;
  readonly operands: Binary;
  readonly orderBy: readonly ChainKey[];
  readonly limit: Term | null;
  readonly offset: Term | null;
}

/** A field of the rows, by its name or position, or the row if it is not a record. */
export interface ChainKey {
  readonly index: number;
  /** Null for a position. */
  readonly name: string | null;
  readonly isOfRecord: boolean;
  readonly isDescending: boolean;
  readonly nulls: 'first' | 'last' | null;
}
