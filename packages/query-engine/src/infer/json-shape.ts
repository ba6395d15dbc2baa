import type { PrimitiveName, Type } from '@svc/query-language';

/** What was seen at one place of JSON documents. Filled by the scanner, which makes no value of what it reads. */
export interface JsonShape {
  hasNull: boolean;
  hasBool: boolean;
  hasString: boolean;
  /** Integers of 32, of 64 bits; any other number. */
  number: 'none' | 'int' | 'long' | 'double';
  /** Fields in the order in which they were first seen; null where no object was. */
  fields: Map<string, JsonFieldShape> | null;
  objects: number;
  element: JsonShape | null;
  hasArray: boolean;
  /** Too deep or too wide to be a type. */
  isOpaque: boolean;
}

/** One field of the objects that were seen. */
export interface JsonFieldShape {
  readonly shape: JsonShape;
  /** In how many objects it was. */
  count: number;
  /** The number of the object that had it last, so that a repeated key counts once. */
  lastObject: number;
}

/** A shape of which nothing was seen. */
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

/** More fields than this are keys of a map rather than fields of a record. */
export const MAX_FIELDS = 5000;

/** How what was seen is read as a type. */
export interface ShapeReading {
  /** Not all data was seen: integers are long, and every field can be missing. */
  readonly isSampled: boolean;
}

/** The type of what was seen; mixed kinds are `any`. */
export function shapeType(shape: JsonShape, reading: ShapeReading): Type {
  return { ...kindOf(shape, reading), isNullable: shape.hasNull } as Type; // Only an error type has no choice, and none is made here.
}

function kindOf(shape: JsonShape, reading: ShapeReading): Type {
  const kinds = [shape.hasBool, shape.hasString, shape.number !== 'none', shape.fields !== null, shape.hasArray].filter(Boolean).length;
  if (kinds !== 1 || shape.isOpaque) return { kind: 'AnyType', isNullable: false, isUndetermined: false };
  if (shape.fields !== null) return recordType(shape, reading);
  if (shape.hasArray) {
    const element: Type =
      shape.element === null ? { kind: 'AnyType', isNullable: false, isUndetermined: false } : shapeType(shape.element, reading);
    return { kind: 'CollectionType', element, isNullable: false };
  }
  return { kind: 'PrimitiveType', name: primitiveName(shape, reading), isNullable: false };
}

function primitiveName(shape: JsonShape, { isSampled }: ShapeReading): PrimitiveName {
  if (shape.hasBool) return 'bool';
  if (shape.hasString) return 'string';
  if (shape.number === 'double') return 'double';
  return isSampled || shape.number === 'long' ? 'long' : 'int';
}

function recordType(shape: JsonShape, reading: ShapeReading): Type {
  const fields = [...(shape.fields ?? [])].map(([name, field]) => {
    const type = shapeType(field.shape, reading);
    const canBeMissing = reading.isSampled || field.count < shape.objects;
    return { name, type: canBeMissing ? ({ ...type, isNullable: true } as Type) : type };
  });
  return { kind: 'RecordType', fields, isNullable: false };
}
