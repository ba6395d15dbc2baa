import type { AnyType, CollectionType, ErrorType, FieldType, PrimitiveName, PrimitiveType, RecordType, Type } from './type.ts';

/** A primitive type, not nullable. */
export function primitive(name: PrimitiveName): PrimitiveType {
  return PRIMITIVES[name];
}

const NAMES: readonly PrimitiveName[] = [
  'byte',
  'short',
  'int',
  'long',
  'float',
  'double',
  'decimal',
  'bool',
  'string',
  'date',
  'time',
  'timestamp',
  'interval',
  'binary',
  'regex',
];

const PRIMITIVES = Object.fromEntries(NAMES.map((name) => [name, { kind: 'PrimitiveType', name, isNullable: false }])) as Readonly<
  Record<PrimitiveName, PrimitiveType>
>;

/** The primitive types, not nullable. */
export const byte = PRIMITIVES.byte;
export const short = PRIMITIVES.short;
export const int = PRIMITIVES.int;
export const long = PRIMITIVES.long;
export const float = PRIMITIVES.float;
export const double = PRIMITIVES.double;
export const decimal = PRIMITIVES.decimal;
export const bool = PRIMITIVES.bool;
export const string = PRIMITIVES.string;
export const date = PRIMITIVES.date;
export const time = PRIMITIVES.time;
export const timestamp = PRIMITIVES.timestamp;
export const interval = PRIMITIVES.interval;
export const binary = PRIMITIVES.binary;
export const regex = PRIMITIVES.regex;

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
