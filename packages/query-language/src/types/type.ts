/** Types of values. Plain immutable data, compared by `isSameType`. */

/** Names of the types that have no parts, in their canonical spelling. */
export type PrimitiveName = NumericName | TemporalName | 'bool' | 'string' | 'binary' | 'regex';

/** Names of the types of numbers. */
export type NumericName = 'byte' | 'short' | 'int' | 'long' | 'float' | 'double' | 'decimal';

/** Names of the types of moments and lengths of time. */
export type TemporalName = 'date' | 'time' | 'timestamp' | 'interval';

/** A type that has no parts. */
export interface PrimitiveType {
  readonly kind: 'PrimitiveType';
  readonly name: PrimitiveName;
  readonly isNullable: boolean;
}

/** A value whose type is known only at run time. An untyped NULL is `any nullable`, undetermined. */
export interface AnyType {
  readonly kind: 'AnyType';
  readonly isNullable: boolean;
  /** True for an untyped NULL and the element of `[]`: unifies with, and is assignable to, every type. */
  readonly isUndetermined: boolean;
}

/** `record(name: type, …)`: the order of the fields is part of it. */
export interface RecordType {
  readonly kind: 'RecordType';
  readonly fields: readonly FieldType[];
  readonly isNullable: boolean;
}

/** A field of a record; its name keeps its case. */
export interface FieldType {
  readonly name: string;
  readonly type: Type;
}

/** `collection(element)` */
export interface CollectionType {
  readonly kind: 'CollectionType';
  readonly element: Type;
  readonly isNullable: boolean;
}

/** `(parameters) -> result` */
export interface FunctionType {
  readonly kind: 'FunctionType';
  readonly parameters: readonly FunctionParameterType[];
  readonly result: Type;
  readonly isNullable: boolean;
}

/** A parameter of a function type; its name prints and does not count when types are compared. */
export interface FunctionParameterType {
  readonly name: string | null;
  readonly type: Type;
  readonly isOptional: boolean;
}

/** Type of an expression whose fault has been reported. Compatible with every type, so that each fault is reported once. */
export interface ErrorType {
  readonly kind: 'ErrorType';
  readonly isNullable: false;
}

/** Union of all types. */
export type Type = PrimitiveType | AnyType | RecordType | CollectionType | FunctionType | ErrorType;
