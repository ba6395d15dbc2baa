import type { ScalarValue } from './value.ts';

/**
 * The programs of the random tests, as trees whose every node knows its type and whose names are resolved: made by the
 * generator, written out by `print-term.ts`, evaluated by `evaluate.ts`. A table of interfaces, long on purpose.
 */

export type Scalar = 'short' | 'int' | 'long' | 'double' | 'bool' | 'string';

/** A type without NULL: any value may be NULL. `unknown` is that of NULL and of the elements of `[]`. */
export type Shape = Scalar | 'unknown' | RecordShape | CollectionShape;

export interface RecordShape {
  readonly kind: 'record';
  readonly fields: readonly { readonly name: string; readonly shape: Shape }[];
}

export interface CollectionShape {
  readonly kind: 'collection';
  readonly element: Shape;
}

export interface Literal {
  readonly kind: 'literal';
  readonly shape: Scalar;
  readonly value: ScalarValue;
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

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';
export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>=' | 'IS DISTINCT FROM' | 'IS NOT DISTINCT FROM';
export type SetOperator = 'UNION' | 'UNION ALL' | 'EXCEPT' | 'INTERSECT';
export type BinaryOperator = ArithmeticOperator | ComparisonOperator | SetOperator | 'AND' | 'OR' | '||' | '++' | '+++';

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

interface Call {
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

/** `operand EXCLUDE (…)`: `kept` are the places of the fields that stay. */
interface Exclude {
  readonly kind: 'exclude';
  readonly shape: RecordShape;
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

/** A call of a declared function. */
interface DeclaredCall {
  readonly kind: 'declared-call';
  readonly shape: Shape;
  readonly function: FunctionDeclaration;
  readonly arguments: readonly Term[];
}

/** An aggregate of the rows of the SELECT `select`; without argument `COUNT(*)`. */
export interface Aggregate {
  readonly kind: 'aggregate';
  readonly shape: Shape;
  readonly select: number;
  readonly name: string;
  readonly argument: Term | null;
  readonly separator: string | null;
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
    | 'LAG'
    | 'LEAD'
    | 'FIRST_VALUE'
    | 'LAST_VALUE'
    | 'COUNT'
    | 'SUM'
    | 'AVG'
    | 'MIN'
    | 'MAX';
  readonly argument: Term | null;
  /** How far LAG and LEAD look. */
  readonly offset: number | null;
  readonly partitionBy: readonly Term[];
  readonly orderBy: readonly Order[];
  /** `ROWS BETWEEN n PRECEDING AND CURRENT ROW` */
  readonly rowsBefore: number | null;
}

/** A built-in function over a collection, with `\(parameter) -> body`. */
export interface LambdaCall {
  readonly kind: 'lambda-call';
  readonly shape: Shape;
  readonly name: 'TRANSFORM' | 'FILTER' | 'ANY' | 'ALL' | 'FIND_FIRST';
  readonly collection: Term;
  readonly parameter: { readonly id: number; readonly name: string; readonly shape: Shape };
  readonly body: Term;
}

export interface Try {
  readonly kind: 'try';
  readonly shape: Shape;
  readonly operand: Term;
}

export interface Cast {
  readonly kind: 'cast';
  readonly shape: Scalar;
  readonly operand: Term;
  readonly isTry: boolean;
}

/** `*` of the SELECT `select`: its row, or its group. */
interface Star {
  readonly kind: 'star';
  readonly shape: Shape;
  readonly select: Pick<Select, 'id' | 'sources'>;
  readonly isGroup: boolean;
}

/** A key of the SELECT around, written again as the expression that it is. */
interface Key {
  readonly kind: 'key';
  readonly shape: Shape;
  readonly id: number;
  readonly written: Term;
}

export interface Source {
  readonly id: number;
  readonly shape: Shape;
  /** Null where the source has no name of its own. */
  readonly alias: string | null;
  /** False where the name is that of the collection, without AS. */
  readonly isAliasWritten: boolean;
  readonly position: { readonly id: number; readonly name: string } | null;
  readonly collection: Term;
  readonly join: ',' | 'JOIN' | 'LEFT JOIN' | 'RIGHT JOIN' | 'FULL JOIN' | 'CROSS JOIN' | null;
  readonly on: Term | null;
}

export interface Item {
  readonly value: Term;
  /** The name of the field of the result; null for a single item that gives bare values. */
  readonly field: string | null;
  readonly isFieldWritten: boolean;
}

export interface Order {
  readonly value: Term;
  readonly isDescending: boolean;
  readonly nulls: 'first' | 'last' | null;
}

/** A name of ORDER BY that stands for an item, or its position. */
interface ItemName {
  readonly kind: 'item-name';
  readonly shape: Shape;
  readonly select: number;
  readonly index: number;
  /** Null for a position. */
  readonly name: string | null;
}

export interface Select {
  readonly kind: 'select';
  readonly shape: Shape;
  readonly id: number;
  readonly isDistinct: boolean;
  readonly items: readonly Item[];
  readonly sources: readonly Source[];
  readonly where: Term | null;
  readonly keys: readonly { readonly id: number; readonly value: Term; readonly alias: string | null }[];
  /** One group of all rows, and no collection as a result. */
  readonly isSingle: boolean;
  readonly having: Term | null;
  readonly orderBy: readonly Order[];
  readonly limit: Term | null;
  readonly offset: Term | null;
}

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
  | DeclaredCall
  | Aggregate
  | Window
  | LambdaCall
  | Try
  | Cast
  | Star
  | Key
  | ItemName
  | Select;

export type TermKind = Term['kind'];

export interface DataDeclaration {
  readonly kind: 'data';
  readonly id: number;
  readonly name: string;
  readonly value: Term;
}

export interface FunctionDeclaration {
  readonly kind: 'function';
  readonly name: string;
  /** One that is not nullable makes the call NULL where it is given NULL. */
  readonly parameters: readonly { readonly id: number; readonly name: string; readonly shape: Scalar; readonly isNullable: boolean }[];
  readonly body: Term;
}

export interface RandomProgram {
  readonly declarations: readonly (DataDeclaration | FunctionDeclaration)[];
  readonly result: Term;
}

/** Whether two types are the same. */
export function isSameShape(a: Shape, b: Shape): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  if (a.kind === 'collection' || b.kind === 'collection')
    return a.kind === 'collection' && b.kind === 'collection' && isSameShape(a.element, b.element);
  return (
    a.fields.length === b.fields.length &&
    a.fields.every((field, i) => field.name === b.fields[i]?.name && isSameShape(field.shape, b.fields[i].shape))
  );
}

const NUMBERS: readonly Shape[] = ['short', 'int', 'long', 'double'];

/** The type of both; only for types that have one. */
export function commonShape(a: Shape, b: Shape): Shape {
  if (a === 'unknown') return b;
  if (b === 'unknown' || isSameShape(a, b)) return a;
  if (typeof a === 'string' && typeof b === 'string') {
    const place = Math.max(NUMBERS.indexOf(a), NUMBERS.indexOf(b));
    const common = NUMBERS[place];
    if (common !== undefined && NUMBERS.includes(a) && NUMBERS.includes(b)) return common;
  }
  if (typeof a === 'object' && typeof b === 'object') {
    if (a.kind === 'collection' && b.kind === 'collection') return { kind: 'collection', element: commonShape(a.element, b.element) };
    if (a.kind === 'record' && b.kind === 'record')
      return {
        kind: 'record',
        fields: a.fields.map((field, i) => ({ name: field.name, shape: commonShape(field.shape, b.fields[i]?.shape ?? 'unknown') })),
      };
  }
  throw new Error(`no type has the values of ${JSON.stringify(a)} and ${JSON.stringify(b)}`);
}
