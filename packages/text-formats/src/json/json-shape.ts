import type { AnyType, PrimitiveName, Type } from '@svc/query-language';

/** Statistics of one place in JSON documents, collected by the scanner without materializing values. */
export interface JsonShape {
  hasNull: boolean;
  hasBool: boolean;
  hasString: boolean;
  /** Integers of 32, of 64 bits; any other number. */
  number: 'none' | 'int' | 'long' | 'double';
  /** Fields in order of their first occurrence; null if there was no object. */
  fields: Map<string, JsonFieldShape> | null;
  objects: number;
  element: JsonShape | null;
  hasArray: boolean;
  /** True if it is too deep or too wide for a type. */
  isOpaque: boolean;
}

/** A field of the scanned objects. */
export interface JsonFieldShape {
  readonly shape: JsonShape;
  /** Number of objects that have the field. */
  count: number;
  /** Number of the last object that had it, so that a repeated key counts once. */
  lastObject: number;
}

/** Creates an empty shape. */
export function emptyShape(): JsonShape {
  return {
    hasNull: false,
    hasBool: false,
    hasString: false,
    number: 'none',
    fields: null,
    objects: 0,
    element: null,
    hasArray: false,
    isOpaque: false,
  };
}

/** More fields than this, those of records within it included, are keys of a map rather than fields of a record. */
export const MAX_FIELDS = 5000;

/**
 * The same for a record within another value: the engine plans what is done with its fields, one by one, in the square of their
 * number (1,000: 1 s).
 */
const MAX_MEMBER_FIELDS = 1000;

/** Options for deriving a type from a shape. */
export interface ShapeReading {
  /** True if only a part of the data was read: integers are long, and every field is nullable. */
  readonly isSampled: boolean;
}

/** Derives the type of a shape; mixed kinds are `any`. */
export function shapeType(shape: JsonShape, reading: ShapeReading): Type {
  const { type, fields } = typeOf(shape, reading);
  return fields > MAX_FIELDS ? { ...ANY, isNullable: type.isNullable === true } : type;
}

const ANY: AnyType = { kind: 'AnyType', isNullable: false, isUndetermined: false };

/** A type, and the number of its fields, those of records within it included. */
interface CountedType {
  readonly type: Type;
  readonly fields: number;
}

function typeOf(shape: JsonShape, reading: ShapeReading): CountedType {
  const { type, fields } = kindOf(shape, reading);
  return { type: { ...type, isNullable: shape.hasNull } as Type, fields }; // Only an error type has no choice, and none is made here.
}

function kindOf(shape: JsonShape, reading: ShapeReading): CountedType {
  const kinds = [shape.hasBool, shape.hasString, shape.number !== 'none', shape.fields !== null, shape.hasArray].filter(Boolean).length;
  if (kinds !== 1 || shape.isOpaque) return { type: ANY, fields: 0 };
  if (shape.fields !== null) return recordType(shape, reading);
  if (shape.hasArray) {
    const { type: element, fields } = shape.element === null ? { type: ANY, fields: 0 } : memberType(shape.element, reading);
    return { type: { kind: 'CollectionType', element, isNullable: false }, fields };
  }
  return { type: { kind: 'PrimitiveType', name: primitiveName(shape, reading), isNullable: false }, fields: 0 };
}

/** The type of a field, or of the elements of an array. */
function memberType(shape: JsonShape, reading: ShapeReading): CountedType {
  const counted = typeOf(shape, reading);
  return counted.fields > MAX_MEMBER_FIELDS ? { type: { ...ANY, isNullable: shape.hasNull }, fields: 0 } : counted;
}

function primitiveName(shape: JsonShape, { isSampled }: ShapeReading): PrimitiveName {
  if (shape.hasBool) return 'bool';
  if (shape.hasString) return 'string';
  if (shape.number === 'double') return 'double';
  return isSampled || shape.number === 'long' ? 'long' : 'int';
}

function recordType(shape: JsonShape, reading: ShapeReading): CountedType {
  let count = 0;
  const fields = [...(shape.fields ?? [])].map(([name, field]) => {
    const { type, fields: within } = memberType(field.shape, reading);
    count += 1 + within;
    const canBeMissing = reading.isSampled || field.count < shape.objects;
    return { name, type: canBeMissing ? ({ ...type, isNullable: true } as Type) : type };
  });
  return { type: { kind: 'RecordType', fields, isNullable: false }, fields: count };
}
