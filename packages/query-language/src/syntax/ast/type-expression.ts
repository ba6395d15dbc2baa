/** Types as written. */
import type { Name } from './name.ts';
import type { Node } from './node.ts';

/** A type by name: a built-in one or one of `TYPE name := …`; `sizes` are the numbers of `varchar(20)`, `decimal(10, 2)`. */
export interface NamedTypeExpression extends Node<'NamedTypeExpression'> {
  readonly name: Name;
  readonly sizes: readonly number[];
  readonly isNullable: boolean;
}

/** `collection(T)` */
export interface CollectionTypeExpression extends Node<'CollectionTypeExpression'> {
  readonly element: TypeExpression;
  readonly isNullable: boolean;
}

/** `record(name: T, …)` */
export interface RecordTypeExpression extends Node<'RecordTypeExpression'> {
  readonly fields: readonly FieldTypeExpression[];
  readonly isNullable: boolean;
}

/** A `name: T` of a record type. */
export interface FieldTypeExpression extends Node<'FieldTypeExpression'> {
  readonly name: Name;
  readonly type: TypeExpression;
}

/** `([name:] T, …) -> U` */
export interface FunctionTypeExpression extends Node<'FunctionTypeExpression'> {
  readonly parameters: readonly FunctionTypeParameter[];
  readonly result: TypeExpression;
  readonly isNullable: boolean;
}

/** A `[name:] T` of a function type. */
export interface FunctionTypeParameter extends Node<'FunctionTypeParameter'> {
  readonly name: Name | null;
  readonly type: TypeExpression;
}

/** Union of all type expressions. */
export type TypeExpression = NamedTypeExpression | CollectionTypeExpression | RecordTypeExpression | FunctionTypeExpression;
