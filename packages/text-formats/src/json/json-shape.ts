import type { PrimitiveName, Type } from '@svc/query-language';

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
  /** Number of its fields, those of records within it included. */
  size: number;
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
    size: 0,
    isOpaque: false,
  };
}

/** Options for deriving a type from a shape. */
export interface ShapeReading {
  /** True if only a part of the data was read: integers are long, and every field is nullable. */
  readonly isSampled: boolean;
}

/** Derives the type of a shape; mixed kinds are `any`. */
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
