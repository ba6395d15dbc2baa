import type { AnyType, CollectionType, ErrorType, FieldType, PrimitiveName, PrimitiveType, RecordType, Type } from './type.ts';

/** A primitive type, not nullable. */
export function primitive(name: PrimitiveName): PrimitiveType {
  return { kind: 'PrimitiveType', name, isNullable: false };
}

/** The primitive types, not nullable. */
export const byte = primitive('byte');
export const short = primitive('short');
export const int = primitive('int');
export const long = primitive('long');
export const float = primitive('float');
export const double = primitive('double');
export const decimal = primitive('decimal');
export const bool = primitive('bool');
export const string = primitive('string');
export const date = primitive('date');
export const time = primitive('time');
export const timestamp = primitive('timestamp');
export const interval = primitive('interval');
export const binary = primitive('binary');
export const regex = primitive('regex');

/** Returns whether a type is one of some primitive types, nullable or not. */
export function isPrimitive<Name extends PrimitiveName>(
  type: Type | undefined,
  ...names: readonly Name[]
): type is PrimitiveType & { readonly name: Name } {
  return type?.kind === 'PrimitiveType' && (names as readonly PrimitiveName[]).includes(type.name);
}

/** `any`: a value whose type is known only at run time. */
export const anyType: AnyType = { kind: 'AnyType', isNullable: false, isUndetermined: false };

/** The type of an untyped NULL. */
export const undeterminedNull: AnyType = { kind: 'AnyType', isNullable: true, isUndetermined: true };

/** Type of an expression with a reported fault. Compatible with every type. */
export const errorType: ErrorType = { kind: 'ErrorType', isNullable: false };

/** Maximum number of parts of a record type. */
export const MOST_TYPE_PARTS = 20_000;

/** A record type would have more parts: the program cannot be checked. */
export class TypeTooLarge extends Error {}

/** `collection(element)` */
export function collectionOf(element: Type): CollectionType {
  return { kind: 'CollectionType', element, isNullable: false };
}

/** The type of a collection's elements, or of the only element that another value stands for. */
export function elementOrItself(type: Type): Type {
  return type.kind === 'CollectionType' ? type.element : type;
}

/** `record(…)`; throws TypeTooLarge if it exceeds the limit of parts. */
export function recordOf(fields: readonly FieldType[]): RecordType {
  const type: RecordType = { kind: 'RecordType', fields, isNullable: false };
  if (partsOf(type) > MOST_TYPE_PARTS) throw new TypeTooLarge();
  return type;
}

const PARTS = new WeakMap<Type, number>();

/**
 * Returns the number of types a type consists of, itself included. Records share the types of their fields: a short text can
 * build a huge one.
 */
function partsOf(type: Type): number {
  if (type.kind === 'CollectionType') return 1 + partsOf(type.element);
  if (type.kind !== 'RecordType') return 1;
  const parts = PARTS.get(type) ?? type.fields.reduce((sum, field) => sum + partsOf(field.type), 1);
  PARTS.set(type, parts);
  return parts;
}

/** The type with NULL among its values. */
export function nullable(type: Type): Type {
  return type.kind === 'ErrorType' || type.isNullable ? type : { ...type, isNullable: true };
}

/** The type without NULL. */
export function notNullable(type: Type): Type {
  return type.kind === 'ErrorType' || !type.isNullable ? type : { ...type, isNullable: false };
}
