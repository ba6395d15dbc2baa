/** Types as written. */
import type { Span } from '../../text/span.ts';
import type { Name } from './name.ts';

/** A type by name: a built-in one or one of `TYPE name := …`; `sizes` are the numbers of `varchar(20)`, `decimal(10, 2)`. */
export interface NamedTypeExpression {
  readonly kind: 'NamedTypeExpression';
  readonly span: Span;
  readonly name: Name;
  readonly sizes: readonly number[];
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

/** A `name: T` of a record type. */
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

/** A `[name:] T` of a function type. */
export interface FunctionTypeParameter {
  readonly kind: 'FunctionTypeParameter';
  readonly span: Span;
  readonly name: Name | null;
  readonly type: TypeExpression;
}

/** Union of all type expressions. */
export type TypeExpression = NamedTypeExpression | CollectionTypeExpression | RecordTypeExpression | FunctionTypeExpression;
