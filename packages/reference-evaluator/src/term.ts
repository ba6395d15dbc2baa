import type { Cast, ParseAs, Regex, Trip, Try } from './conversion-term.ts';
import type { Block, DeclaredCall } from './program.ts';
import type { Aggregate, ItemName, Key, Merged, OrderedChain, Select, Star, Window } from './select-term.ts';
import type { CollectionShape, RecordShape, Scalar, Shape } from './shape.ts';
import type { ScalarValue } from './value.ts';

/**
 * Random programs as trees whose nodes are typed and whose names are resolved: built by the generator, printed by
 * `print-term.ts`, evaluated by `evaluate.ts`. SELECT is in `select-term.ts`.
 */

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

/** Operators of numbers and of times. */
export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';
/** Operators with a boolean result. */
export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>=' | 'IS DISTINCT FROM' | 'IS NOT DISTINCT FROM';
/** Operators of collections. */
export type SetOperator = 'UNION' | 'UNION ALL' | 'EXCEPT' | 'INTERSECT';
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

/** A call of a function of the language. */
export interface Call {
  readonly kind: 'call';
  readonly shape: Shape;
  readonly name: string;
  readonly arguments: readonly Term[];
}

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

interface Parameter {
  readonly id: number;
  readonly name: string;
  readonly shape: Shape;
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
  | ItemName
  | Merged
  | OrderedChain
  | Select;

/** Discriminator of the terms. */
export type TermKind = Term['kind'];
