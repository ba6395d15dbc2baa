export { printType } from './print.ts';
/** Constructors and relations of types. */
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

/** `any`: a value whose type is known only when it runs. */
export const anyType: AnyType = { kind: 'AnyType', isNullable: false, isUndetermined: false };

/** The type of NULL alone. */
export const undeterminedNull: AnyType = { kind: 'AnyType', isNullable: true, isUndetermined: true };

/** The type of what could not be understood: agrees with everything. */
export const errorType: ErrorType = { kind: 'ErrorType', isNullable: false };

/** The numeric types, narrowest first: each widens to all that follow, decimal with float or double apart. */
export const NUMERIC_NAMES = ['byte', 'short', 'int', 'long', 'float', 'double', 'decimal'] as const satisfies readonly PrimitiveName[];

/** How many parts a record type may have. */
export const MOST_TYPE_PARTS = 20_000;

/** A record type would have more parts: the program cannot be checked. */
export class TypeTooLarge extends Error {}

/** `collection(element)` */
export function collectionOf(element: Type): CollectionType {
  return { kind: 'CollectionType', element, isNullable: false };
}

/** `record(…)`; throws TypeTooLarge where it would have too many parts. */
export function recordOf(fields: readonly FieldType[]): RecordType {
  const type: RecordType = { kind: 'RecordType', fields, isNullable: false };
  if (partsOf(type) > MOST_TYPE_PARTS) throw new TypeTooLarge();
  return type;
}

const PARTS = new WeakMap<Type, number>();

/** How many types a type is made of, itself included. Records share those of their fields: a short text can make a huge one. */
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

/** Whether two types are the same; names of a function's parameters do not count. */
export function isSameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.isNullable !== b.isNullable) return false;
  switch (a.kind) {
    case 'PrimitiveType':
      return b.kind === 'PrimitiveType' && a.name === b.name;
    case 'AnyType':
      return b.kind === 'AnyType' && a.isUndetermined === b.isUndetermined;
    case 'CollectionType':
      return b.kind === 'CollectionType' && isSameType(a.element, b.element);
    case 'RecordType':
      return b.kind === 'RecordType' && hasSameFields(a, b, isSameType);
    case 'FunctionType':
      return (
        b.kind === 'FunctionType' &&
        a.parameters.length === b.parameters.length &&
        isSameType(a.result, b.result) &&
        a.parameters.every((parameter, i) => isSameType(parameter.type, b.parameters[i]?.type ?? errorType))
      );
    case 'ErrorType':
      return b.kind === 'ErrorType';
    default:
      return a satisfies never;
  }
}

/** Whether two records have fields of the same names in the same order, and of types that `agree`. */
export function hasSameFields(a: RecordType, b: RecordType, agree: (x: Type, y: Type) => boolean): boolean {
  return (
    a.fields.length === b.fields.length &&
    a.fields.every((field, i) => {
      const other = b.fields[i];
      return other !== undefined && other.name === field.name && agree(field.type, other.type);
    })
  );
}

/** The type that values of both have after promotion, or null if there is none. */
export function unify(a: Type, b: Type): Type | null {
  if (a.kind === 'ErrorType' || b.kind === 'ErrorType') return errorType;
  const isNullable = a.isNullable || b.isNullable;
  const found = unifyForms(a, b);
  return found !== null && isNullable ? nullable(found) : found;
}

function unifyForms(a: Exclude<Type, ErrorType>, b: Exclude<Type, ErrorType>): Type | null {
  if (a.kind === 'AnyType' && a.isUndetermined) return notNullable(b);
  if (b.kind === 'AnyType' && b.isUndetermined) return notNullable(a);
  if (a.kind === 'FunctionType' || b.kind === 'FunctionType') return isSameType(notNullable(a), notNullable(b)) ? notNullable(a) : null;
  if (a.kind === 'AnyType' || b.kind === 'AnyType') return anyType;
  if (a.kind === 'PrimitiveType' && b.kind === 'PrimitiveType') return unifyPrimitives(a.name, b.name);
  if (a.kind === 'CollectionType' && b.kind === 'CollectionType') {
    const element = unify(a.element, b.element);
    return element === null ? null : collectionOf(element);
  }
  if (a.kind === 'RecordType' && b.kind === 'RecordType') return unifyRecords(a, b);
  return null;
}

function unifyPrimitives(a: PrimitiveName, b: PrimitiveName): Type | null {
  if (a === b) return primitive(a);
  if ((a === 'date' && b === 'timestamp') || (a === 'timestamp' && b === 'date')) return timestamp;
  const [i, j] = [rankOf(a), rankOf(b)];
  if (i < 0 || j < 0) return null;
  const wider = i > j ? a : b;
  const other = i > j ? b : a;
  return primitive(wider === 'decimal' && (other === 'float' || other === 'double') ? 'double' : wider);
}

function rankOf(name: PrimitiveName): number {
  return (NUMERIC_NAMES as readonly PrimitiveName[]).indexOf(name);
}

function unifyRecords(a: RecordType, b: RecordType): Type | null {
  if (a.fields.length !== b.fields.length) return null;
  const fields: FieldType[] = [];
  for (const [i, field] of a.fields.entries()) {
    const other = b.fields[i];
    const type = other === undefined || other.name !== field.name ? null : unify(field.type, other.type);
    if (type === null) return null;
    fields.push({ name: field.name, type });
  }
  return recordOf(fields);
}

/** Whether a value of `from` may stand where `to` is declared: after widening that cannot fail. */
export function isAssignable(from: Type, to: Type): boolean {
  if (from.kind === 'ErrorType' || to.kind === 'ErrorType') return true;
  if (from.isNullable && !to.isNullable) return false;
  if (from.kind === 'AnyType' && from.isUndetermined) return true;
  if (to.kind === 'AnyType') return from.kind !== 'FunctionType';
  switch (from.kind) {
    case 'PrimitiveType':
      return to.kind === 'PrimitiveType' && widens(from.name, to.name);
    case 'CollectionType':
      return to.kind === 'CollectionType' && isAssignable(from.element, to.element);
    case 'RecordType':
      return to.kind === 'RecordType' && hasSameFields(from, to, isAssignable);
    case 'FunctionType':
      return (
        to.kind === 'FunctionType' &&
        from.parameters.length === to.parameters.length &&
        isAssignable(from.result, to.result) &&
        from.parameters.every((parameter, i) => isAssignable(to.parameters[i]?.type ?? errorType, parameter.type))
      );
    case 'AnyType':
      return false;
    default:
      return from satisfies never;
  }
}

function widens(from: PrimitiveName, to: PrimitiveName): boolean {
  if (from === to || (from === 'date' && to === 'timestamp')) return true;
  const [i, j] = [rankOf(from), rankOf(to)];
  return i >= 0 && j >= 0 && i < j && !(to === 'decimal' && (from === 'float' || from === 'double'));
}

/** What a CAST can do: nothing, always succeed, fail for some values, or succeed for none. */
export type CastKind = 'identity' | 'always' | 'may-fail' | 'impossible';

/** What CAST from one type to another can do; that NULL stays NULL at the top is not counted. */
export function castKind(from: Type, to: Type): CastKind {
  if (from.kind === 'ErrorType' || to.kind === 'ErrorType') return 'always';
  if (from.kind === 'FunctionType' || to.kind === 'FunctionType') return 'impossible';
  if (isSameType(notNullable(from), notNullable(to))) return 'identity';
  if (from.kind === 'AnyType') return to.kind === 'AnyType' ? 'identity' : holdsCode(to) ? 'impossible' : 'may-fail';
  if (to.kind === 'AnyType') return 'always';
  if (isAssignable(notNullable(from), notNullable(to)) && !hasDateAsTimestamp(from, to)) return 'always';
  if (from.kind === 'PrimitiveType' && to.kind === 'PrimitiveType') return castPrimitives(from.name, to.name);
  if (to.kind === 'PrimitiveType') return to.name === 'string' ? 'always' : 'impossible';
  if (from.kind === 'CollectionType' && to.kind === 'CollectionType') return castMember(from.element, to.element);
  if (from.kind === 'RecordType' && to.kind === 'RecordType') return castRecords(from, to);
  return 'impossible';
}

/** There are dates beyond all timestamps, though the one is taken for the other without a cast. */
function hasDateAsTimestamp(from: Type, to: Type): boolean {
  if (from.kind === 'CollectionType' && to.kind === 'CollectionType') return hasDateAsTimestamp(from.element, to.element);
  if (from.kind === 'RecordType' && to.kind === 'RecordType')
    return from.fields.some(({ type }, i) => hasDateAsTimestamp(type, to.fields[i]?.type ?? type));
  return from.kind === 'PrimitiveType' && from.name === 'date' && to.kind === 'PrimitiveType' && to.name === 'timestamp';
}

/** Whether values of the type have a regex or a function among them, which no data gives. */
function holdsCode(type: Type): boolean {
  if (type.kind === 'CollectionType') return holdsCode(type.element);
  if (type.kind === 'RecordType') return type.fields.some((field) => holdsCode(field.type));
  return type.kind === 'FunctionType' || (type.kind === 'PrimitiveType' && type.name === 'regex');
}

function castPrimitives(from: PrimitiveName, to: PrimitiveName): CastKind {
  if (from === 'regex' || to === 'regex') return 'impossible';
  if (to === 'string') return from === 'binary' ? 'may-fail' : 'always';
  if (from === 'string') return to === 'binary' ? 'always' : 'may-fail';
  const [i, j] = [rankOf(from), rankOf(to)];
  if (i >= 0 && j >= 0) return i < j && to !== 'decimal' ? 'always' : 'may-fail';
  if (from === 'bool' || to === 'bool') return i >= 0 || j >= 0 ? 'always' : 'impossible';
  if (from === 'timestamp' && (to === 'date' || to === 'time')) return 'always';
  return from === 'date' && to === 'timestamp' ? 'may-fail' : 'impossible';
}

/** A member's NULL needs a nullable type. */
function castMember(from: Type, to: Type): CastKind {
  const kind = castKind(from, to);
  return kind !== 'impossible' && from.isNullable && !to.isNullable ? 'may-fail' : kind;
}

function castRecords(from: RecordType, to: RecordType): CastKind {
  const kinds = to.fields.map((field): CastKind => {
    const source = from.fields.find((candidate) => candidate.name === field.name);
    if (source === undefined) return field.type.isNullable ? 'always' : 'impossible';
    return castMember(source.type, field.type);
  });
  if (kinds.includes('impossible')) return 'impossible';
  return kinds.includes('may-fail') ? 'may-fail' : 'always';
}

/** Whether `=` compares values of the type: no functions, regexes or `any` in it. */
export function isComparable(type: Type): boolean {
  switch (type.kind) {
    case 'PrimitiveType':
      return type.name !== 'regex';
    case 'AnyType':
      return type.isUndetermined;
    case 'CollectionType':
      return isComparable(type.element);
    case 'RecordType':
      return type.fields.every((field) => isComparable(field.type));
    case 'FunctionType':
      return false;
    case 'ErrorType':
      return true;
    default:
      return type satisfies never;
  }
}

/** Whether values of the type have an order: what can be compared has one. */
export function isOrderable(type: Type): boolean {
  return isComparable(type);
}

/** Whether values of the type may be keys of groups, DISTINCT and the set operators. */
export function isKey(type: Type): boolean {
  return isComparable(type);
}
