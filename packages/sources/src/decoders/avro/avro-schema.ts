import { anyType, nullable, primitive } from '@svc/query-language';
import { ReadFailure } from '@svc/text-formats';

import { LOGICAL, PRIMITIVES, UUID_SHAPE, decimalShape, fixedShape } from './avro-scalars.ts';
import type { AvroShape } from './avro-shape.ts';

/** Members are validated at use: a file may contain anything. */
type SchemaObject = Readonly<
  Partial<Record<'type' | 'name' | 'namespace' | 'logicalType' | 'scale' | 'size' | 'fields' | 'symbols' | 'items' | 'values', unknown>>
>;

/** Limits nesting, since a schema that contains itself is infinite. */
const MAX_DEPTH = 100;
/** Bounds schemas whose named records refer to others exponentially. */
const MAX_PARTS = 10_000;
/** Digits behind the point of a decimal. */
const MAX_SCALE = 100;

/** Converts an Avro schema. Fails with a ReadFailure for one that is recursive, too large, or invalid. */
export function avroShape(schema: unknown): AvroShape {
  return shapeOf(schema, { named: new Map(), namespace: '', open: new Set(), depth: 0, parts: { count: 0 } });
}

interface Place {
  /** By full name. */
  readonly named: Map<string, SchemaObject>;
  readonly namespace: string;
  /** Enclosing records. */
  readonly open: ReadonlySet<string>;
  readonly depth: number;
  readonly parts: { count: number };
}

const bad = (what: string): ReadFailure => new ReadFailure('unreadable', what);
const notUnderstood = (): ReadFailure => bad('the schema of the file cannot be understood');

function shapeOf(schema: unknown, outer: Place): AvroShape {
  const place = { ...outer, depth: outer.depth + 1 };
  place.parts.count += 1;
  if (place.depth > MAX_DEPTH) throw bad(`the schema is nested more than ${MAX_DEPTH} levels deep`);
  if (place.parts.count > MAX_PARTS) throw bad(`the schema has more than ${MAX_PARTS} parts`);
  if (Array.isArray(schema)) return unionShape(schema, place);
  if (typeof schema === 'string') return namedShape(schema, place);
  if (typeof schema !== 'object' || schema === null) throw notUnderstood();
  const object: SchemaObject = schema;
  return typeof object.type === 'string' ? objectShape(object, object.type, place) : shapeOf(object.type, place);
}

function objectShape(object: SchemaObject, type: string, place: Place): AvroShape {
  switch (type) {
    case 'record':
    case 'error':
      return recordShape(object, place);
    case 'array':
      return arrayShape(shapeOf(object.items, place));
    case 'map':
      return mapShape(shapeOf(object.values, place));
    case 'enum':
      return enumShape(object, place);
    case 'fixed': {
      remember(object, place);
      const size = numberOf(object.size, Number.MAX_SAFE_INTEGER);
      if (object.logicalType === 'uuid' && size === 16) return UUID_SHAPE;
      return object.logicalType === 'decimal' ? decimalShape(numberOf(object.scale ?? 0, MAX_SCALE), size) : fixedShape(size);
    }
    case 'bytes':
      return object.logicalType === 'decimal' ? decimalShape(numberOf(object.scale ?? 0, MAX_SCALE), null) : namedShape(type, place);
    default:
      return LOGICAL.get(`${type} ${String(object.logicalType)}`) ?? namedShape(type, place);
  }
}

function numberOf(value: unknown, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw notUnderstood();
}

function fullName(name: string, namespace: string): string {
  return name.includes('.') || namespace === '' ? name : `${namespace}.${name}`;
}

function remember(schema: SchemaObject, place: Place): string {
  const { name, namespace } = schema;
  if (typeof name !== 'string') throw notUnderstood();
  const full = fullName(name, typeof namespace === 'string' ? namespace : place.namespace);
  place.named.set(full, schema);
  return full;
}

function namedShape(name: string, place: Place): AvroShape {
  const known = PRIMITIVES.get(name);
  if (known !== undefined) return known;
  const full = [fullName(name, place.namespace), name].find((candidate) => place.named.has(candidate));
  const schema = full === undefined ? undefined : place.named.get(full);
  if (full === undefined || schema === undefined) throw bad(`the schema does not say what ${name} is`);
  if (place.open.has(full)) throw bad(`the schema's ${name} contains itself, which no type can say`);
  return shapeOf(schema, { ...place, namespace: namespaceOf(full) });
}

function namespaceOf(full: string): string {
  return full.includes('.') ? full.slice(0, full.lastIndexOf('.')) : '';
}

function enumShape(schema: SchemaObject, place: Place): AvroShape {
  remember(schema, place);
  if (!Array.isArray(schema.symbols)) throw notUnderstood();
  const symbols = schema.symbols.map((symbol) => JSON.stringify(String(symbol)));
  const write: AvroShape['write'] = (bytes, to) => {
    const symbol = symbols[bytes.count()];
    if (symbol === undefined) throw bad('a value is none of its enum');
    to.add(symbol);
  };
  return { type: primitive('string'), write };
}

function recordShape(schema: SchemaObject, place: Place): AvroShape {
  const name = remember(schema, place);
  const inside: Place = { ...place, namespace: namespaceOf(name), open: new Set([...place.open, name]) };
  if (!Array.isArray(schema.fields)) throw notUnderstood();
  const fields = schema.fields.map((field: SchemaObject | null, i) => {
    if (typeof field?.name !== 'string') throw notUnderstood();
    return { name: field.name, key: `${i === 0 ? '' : ','}${JSON.stringify(field.name)}:`, ...shapeOf(field.type, inside) };
  });
  if (new Set(fields.map((field) => field.name)).size < fields.length) throw bad(`two fields of the schema's ${name} have one name`);
  const write: AvroShape['write'] = (bytes, to) => {
    to.add('{');
    for (const field of fields) {
      to.add(field.key);
      field.write(bytes, to);
    }
    to.add('}');
  };
  return {
    type: { kind: 'RecordType', fields: fields.map((field) => ({ name: field.name, type: field.type })), isNullable: false },
    write,
  };
}

function arrayShape(element: AvroShape): AvroShape {
  const write: AvroShape['write'] = (bytes, to) => {
    let before = '[';
    bytes.items(() => {
      to.add(before);
      before = ',';
      element.write(bytes, to);
    });
    to.add(before === '[' ? '[]' : ']');
  };
  return { type: { kind: 'CollectionType', element: element.type, isNullable: false }, write };
}

/** A map is a collection of keys and values, as in Parquet. */
function mapShape(value: AvroShape): AvroShape {
  const fields = [
    { name: 'key', type: primitive('string') },
    { name: 'value', type: value.type },
  ];
  return arrayShape({
    type: { kind: 'RecordType', fields, isNullable: false },
    write: (bytes, to) => {
      to.add(`{"key":${JSON.stringify(bytes.string())},"value":`);
      value.write(bytes, to);
      to.add('}');
    },
  });
}

/** Converts a union: with null it is nullable; with several other types it is `any`. */
function unionShape(branches: readonly unknown[], place: Place): AvroShape {
  const shapes = branches.map((branch) => shapeOf(branch, place));
  const others = shapes.filter((shape) => shape !== PRIMITIVES.get('null'));
  const [only, second] = others;
  const type = only === undefined || second !== undefined ? anyType : only.type;
  const write: AvroShape['write'] = (bytes, to) => {
    const shape = shapes[bytes.count()];
    if (shape === undefined) throw bad('a value is none of its union');
    shape.write(bytes, to);
  };
  return { type: others.length < branches.length || only === undefined ? nullable(type) : type, write };
}
