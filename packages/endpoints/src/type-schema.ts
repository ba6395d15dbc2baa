import type { PrimitiveName, Type } from '@svc/query-language';
import { assertNever } from '@svc/query-language';

import { orNull, type Json, type OpenApiVersion } from './openapi-version.ts';

/** Use of a schema. */
export interface SchemaUse {
  readonly version: OpenApiVersion;
  /** An answer has every field of a record; in an argument those that may be null may be missing. A body has no others. */
  readonly of: 'answer' | 'argument' | 'body';
}

/** The schema of the JSON that a value of a type is written as, or read from. */
export function typeSchema(type: Type, use: SchemaUse): Json {
  const schema = schemaWithoutNull(type, use);
  return type.isNullable && schema['type'] !== undefined ? orNull(schema, use.version) : schema;
}

function schemaWithoutNull(type: Type, use: SchemaUse): Json {
  switch (type.kind) {
    case 'PrimitiveType':
      return primitiveSchema(type.name, use);
    case 'AnyType':
      return { description: 'Any JSON value.' };
    case 'CollectionType':
      return { type: 'array', items: typeSchema(type.element, use) };
    case 'RecordType': {
      const required = type.fields.filter((field) => use.of === 'answer' || !field.type.isNullable).map(({ name }) => name);
      return {
        type: 'object',
        properties: Object.fromEntries(type.fields.map((field) => [field.name, typeSchema(field.type, use)])),
        ...(required.length > 0 && { required }),
        ...(use.of === 'body' && { additionalProperties: false }),
      };
    }
    case 'FunctionType':
    case 'ErrorType':
      throw new Error('an endpoint neither takes nor answers this');
    default:
      return assertNever(type);
  }
}

/** Formats are those of the OpenAPI format registry; times have no zone. */
const PRIMITIVES = {
  byte: { type: 'integer', format: 'int8', minimum: -128, maximum: 127 },
  short: { type: 'integer', format: 'int16', minimum: -32768, maximum: 32767 },
  int: { type: 'integer', format: 'int32' },
  long: { type: 'integer', format: 'int64' },
  float: { type: 'number', format: 'float' },
  double: { type: 'number', format: 'double' },
  decimal: { type: 'number', format: 'decimal', description: 'Up to 38 digits.' },
  bool: { type: 'boolean' },
  string: { type: 'string' },
  date: { type: 'string', format: 'date' },
  time: { type: 'string', format: 'time-local' },
  timestamp: { type: 'string', format: 'date-time-local' },
  interval: { type: 'string', format: 'duration' },
  regex: { type: 'string', format: 'regex' },
} as const satisfies Partial<Record<PrimitiveName, Json>>;

function primitiveSchema(name: PrimitiveName, { version, of }: SchemaUse): Json {
  if (name === 'binary') return { type: 'string', ...(version === '3.0.3' ? { format: 'byte' } : { contentEncoding: 'base64' }) };
  const schema: Json = PRIMITIVES[name];
  // JSON has no NaN and no infinity.
  if ((name === 'float' || name === 'double') && of === 'answer')
    return orNull({ ...schema, description: 'null where it is not finite.' }, version);
  return schema;
}

const COUNTED = new WeakMap<Type, number>();

/** Returns the number of types in a type's schema. Types share their parts, schemas do not. */
export function countParts(type: Type): number {
  if (type.kind === 'CollectionType') return 1 + countParts(type.element);
  if (type.kind !== 'RecordType') return 1;
  const parts = COUNTED.get(type) ?? type.fields.reduce((sum, field) => sum + countParts(field.type), 1);
  COUNTED.set(type, parts);
  return parts;
}
