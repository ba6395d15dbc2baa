/**
 * The plan: the first-order, typed tree that the checker builds from a program and the engine lowers. Names are resolved to
 * numbered variables, functions and lambdas are expanded, conversions are explicit, and only these few node kinds are left.
 * Plain data: it could be printed or stored.
 *
 * Rules that hold in every plan:
 * - `type` is the type of the node's value; operands of one operator have already been converted to the same type by
 * `Convert` (nullability aside), so no reader unifies again.
 * - A variable is bound exactly once in the whole plan (by Let, a source, or a Reduce) and used below its binder.
 * - `span` is the position in the query's text at which a run-time error of this node is reported.
 */
import type { Span } from '../text/span.ts';
import type { CollectionType, Type } from '../types/type.ts';

/** The members of every node; `type` is that of its value. */
interface Node<Kind extends string, Value extends Type = Type> {
  readonly kind: Kind;
  readonly type: Value;
  readonly span: Span;
}

/** Identifies a variable within one plan. */
export type VariableId = number;

/**
 * A constant. `value` is null for NULL; true or false; a number's digits as text; a string itself; a regex's
 * pattern in RE2 syntax; `2001-08-22`, `01:02:03.456000`, `2001-08-22 03:04:05.321000`; an interval as
 * `<months> <days> <microseconds>`. NaN and the infinities of double are `NaN`, `Infinity`, `-Infinity`.
 */
export interface Constant extends Node<'Constant'> {
  readonly value: string | boolean | null;
}

/** A value known only when the plan runs: `now`, `today`, `user`, `scopes`, or `argument:<name>` of a query that is a function. */
export interface Parameter extends Node<'Parameter'> {
  readonly name: string;
}

/** A use of a variable: a Let's value, a source's row or position, a group key, a Reduce's accumulator or element. */
export interface Variable extends Node<'Variable'> {
  readonly id: VariableId;
}

/** `value` is evaluated at most once, and not at all where `body` does not use it; `body` may use `id`. */
export interface Let extends Node<'Let'> {
  readonly id: VariableId;
  readonly name: string;
  readonly value: Plan;
  readonly body: Plan;
}

/** Implicit widening that cannot fail: promotion, T to T nullable, to any, records and collections member by member. */
export interface Convert extends Node<'Convert'> {
  readonly operand: Plan;
}

/** CAST and TRY_CAST. */
export interface Cast extends Node<'Cast'> {
  readonly operand: Plan;
  readonly isTry: boolean;
}

/** NULL where `operand` fails. */
export interface Try extends Node<'Try'> {
  readonly operand: Plan;
}

/** The value of `operand`. A failure is recorded under `key`, the number of a row, and the value is NULL. */
export interface Noted extends Node<'Noted'> {
  readonly operand: Plan;
  readonly key: Plan;
}

/** `negate` has one operand; `concatenate` is `||`, of texts. */
export type ArithmeticOperator = 'add' | 'subtract' | 'multiply' | 'divide' | 'modulo' | 'negate' | 'concatenate';

/**
 * `+ - * / %`, unary minus, and concatenation of two or more strings. Numeric operands have the type of the result. Temporal
 * operands keep their types, which select the operation in the engine.
 */
export interface Arithmetic extends Node<'Arithmetic'> {
  readonly operator: ArithmeticOperator;
  readonly operands: readonly Plan[];
}

/** `is-distinct` and `is-not-distinct` compare NULL as a value. */
export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>=' | 'is-distinct' | 'is-not-distinct';

/** Both sides are of one type. */
export interface Comparison extends Node<'Comparison'> {
  readonly operator: ComparisonOperator;
  readonly left: Plan;
  readonly right: Plan;
}

/** n-ary, three-valued; later operands are evaluated only if the earlier ones do not decide. */
export interface Logical extends Node<'Logical'> {
  readonly operator: 'and' | 'or';
  readonly operands: readonly Plan[];
}

/** `NOT operand`, in three-valued logic. */
export interface Not extends Node<'Not'> {
  readonly operand: Plan;
}

/** `operand IS NULL`: never NULL itself. */
export interface IsNull extends Node<'IsNull'> {
  readonly operand: Plan;
}

/** `operand IN collection`: SQL's three values. */
export interface In extends Node<'In'> {
  readonly operand: Plan;
  readonly collection: Plan;
}

/** `operand LIKE pattern [ESCAPE escape]`. */
export interface Like extends Node<'Like'> {
  readonly operand: Plan;
  readonly pattern: Plan;
  readonly escape: Plan | null;
  readonly isCaseInsensitive: boolean;
}

/** The first branch whose condition is TRUE; only that branch is evaluated. IF, which yields NULL for NULL, has two branches. */
export interface Case extends Node<'Case'> {
  readonly branches: readonly { readonly when: Plan; readonly then: Plan }[];
  readonly otherwise: Plan;
}

/** The first operand that is not NULL; later ones are evaluated only where needed. */
export interface Coalesce extends Node<'Coalesce'> {
  readonly operands: readonly Plan[];
}

/** A record built field by field, in the order of the fields of `type`. */
export interface RecordLiteral extends Node<'RecordLiteral'> {
  readonly values: readonly Plan[];
}

/** The field at `index` of a record; NULL of a NULL record. */
export interface Field extends Node<'Field'> {
  readonly target: Plan;
  readonly index: number;
}

/** Member (`key` of type string) or element (`key` of an integer type) of an `any`. */
export interface Navigate extends Node<'Navigate'> {
  readonly target: Plan;
  readonly key: Plan;
}

/** Element of a collection, from 0; NULL outside. */
export interface Element extends Node<'Element'> {
  readonly target: Plan;
  readonly index: Plan;
}

/** `[elements]`, all of the element type. */
export interface CollectionLiteral extends Node<'CollectionLiteral'> {
  readonly elements: readonly Plan[];
}

/**
 * A built-in function by its upper-case name. Arguments are in the order of the overload's parameters, converted to their
 * types; omitted optional ones are absent at the end, and NULL constants in the middle.
 */
export interface Call extends Node<'Call'> {
  readonly function: string;
  readonly arguments: readonly Plan[];
}

/** `REDUCE(collection, start, \(accumulator, element) -> body)`. */
export interface Reduce extends Node<'Reduce'> {
  readonly collection: Plan;
  readonly start: Plan;
  readonly accumulator: VariableId;
  readonly element: VariableId;
  readonly body: Plan;
}

/** A READ. `key` identifies the resolved source in the environment that the plan was checked against. */
export interface Read extends Node<'Read'> {
  readonly key: string;
  /** Names of fields with records in them of which the plan uses members only: further members of such a record do not matter. */
  readonly usedByMember?: readonly string[];
}

/** The rows of a user table of the caller's namespace. */
export interface TableScan extends Node<'TableScan', CollectionType> {
  readonly table: string;
}

/**
 * `union-all` keeps order; the others return rows in ascending order, NULL first, without duplicates. `except` removes all
 * other operands from the first.
 */
export interface SetOperation extends Node<'SetOperation'> {
  readonly operator: 'union-all' | 'union' | 'intersect' | 'except';
  readonly operands: readonly Plan[];
}

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
export interface Select extends Node<'Select'> {
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
export interface Aggregate extends Node<'Aggregate'> {
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
export interface WindowCall extends Node<'WindowCall'> {
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

/** Union of all plan nodes. `mapChildren` lists the children of each. */
export type Plan =
  | Constant
  | Parameter
  | Variable
  | Let
  | Convert
  | Cast
  | Try
  | Noted
  | Arithmetic
  | Comparison
  | Logical
  | Not
  | IsNull
  | In
  | Like
  | Case
  | Coalesce
  | RecordLiteral
  | Field
  | Navigate
  | Element
  | CollectionLiteral
  | Call
  | Reduce
  | Read
  | TableScan
  | SetOperation
  | Select
  | Aggregate
  | WindowCall;
