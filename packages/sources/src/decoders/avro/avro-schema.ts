import { EngineFailure } from '@svc/query-engine';
import type { PrimitiveName, Type } from '@svc/query-language';
import { anyType, nullable, primitive } from '@svc/query-language';

import { isoDate, isoTime, isoTimestamp } from './iso-text.ts';

/** How values of a schema are shown: their type, and a value as JSON of it. */
export interface AvroShape {
  readonly type: Type;
  readonly toJson: (value: unknown) => string;
}

interface SchemaObject {
  readonly type: unknown;
  readonly name?: string;
  readonly namespace?: string;
  readonly logicalType?: string;
  readonly scale?: number;
  readonly fields?: readonly { readonly name: string; readonly type: unknown }[];
  readonly items?: unknown;
  readonly values?: unknown;
}

/** Deeper is no data, and a schema that contains itself has no end. */
const MAX_DEPTH = 100;

/** The type that a schema of Avro says. Fails with an EngineFailure for one that contains itself. */
export function avroShape(schema: unknown): AvroShape {
  return shapeOf(schema, { named: new Map(), namespace: '', open: new Set() });
}

interface Names {
  /** By full name. */
  readonly named: Map<string, SchemaObject>;
  readonly namespace: string;
  /** Records within which this one stands. */
  readonly open: ReadonlySet<string>;
}

function shapeOf(schema: unknown, names: Names): AvroShape {
  if (names.open.size > MAX_DEPTH) throw new EngineFailure('unreadable', `the schema is nested more than ${MAX_DEPTH} levels deep`);
  if (Array.isArray(schema)) return unionShape(schema, names);
  if (typeof schema === 'string') return namedShape(schema, names);
  const object = schema as SchemaObject; // Anything else was refused by the library that reads the file.
  if (typeof object.type !== 'string') return shapeOf(object.type, names);
  const logical = object.logicalType === undefined ? undefined : LOGICAL[`${object.type} ${object.logicalType}`];
  if (logical !== undefined) {
    remember(object, names);
    return logical(object);
  }
  switch (object.type) {
    case 'record':
    case 'error':
      return recordShape(object, names);
    case 'array': {
      const element = shapeOf(object.items, names);
      return {
        type: { kind: 'CollectionType', element: element.type, isNullable: false },
        toJson: (value) => `[${(value as readonly unknown[]).map(element.toJson).join(',')}]`,
      };
    }
    case 'map':
      return mapShape(shapeOf(object.values, names));
    case 'enum':
      remember(object, names);
      return text('string', String);
    case 'fixed':
      remember(object, names);
      return BYTES;
    default:
      return namedShape(object.type, names);
  }
}

function text(name: PrimitiveName, toText: (value: unknown) => string): AvroShape {
  return { type: primitive(name), toJson: (value) => JSON.stringify(toText(value)) };
}

const digits = (name: PrimitiveName): AvroShape => ({ type: primitive(name), toJson: String });
/** JSON has no word for NaN and the infinities: as text the engine knows them. */
const real = (name: PrimitiveName): AvroShape => ({
  type: primitive(name),
  toJson: (value) => (Number.isFinite(value) ? JSON.stringify(value) : `"${String(value)}"`),
});
const BYTES: AvroShape = text('binary', (value) => asBuffer(value).toString('base64'));

function asBuffer(value: unknown): Buffer {
  return Buffer.from(value as Uint8Array);
}

const PRIMITIVES: Readonly<Record<string, AvroShape>> = {
  null: { type: nullable(anyType), toJson: () => 'null' },
  boolean: { type: primitive('bool'), toJson: String },
  int: digits('int'),
  long: digits('long'),
  float: real('float'),
  double: real('double'),
  string: text('string', String),
  bytes: BYTES,
};

const decimal = ({ scale = 0 }: SchemaObject): AvroShape => text('decimal', (value) => decimalText(asBuffer(value), scale));
const always =
  (shape: AvroShape): (() => AvroShape) =>
  () =>
    shape;

/** Logical types by what carries them; others are what carries them. */
const LOGICAL: Readonly<Record<string, (schema: SchemaObject) => AvroShape>> = {
  'int date': always(text('date', (value) => isoDate(Number(value)))),
  'int time-millis': always(text('time', (value) => isoTime(BigInt(Number(value)) * 1000n))),
  'long time-micros': always(text('time', (value) => isoTime(value as bigint))),
  'long timestamp-millis': always(text('timestamp', (value) => isoTimestamp((value as bigint) * 1000n))),
  'long timestamp-micros': always(text('timestamp', (value) => isoTimestamp(value as bigint))),
  'long timestamp-nanos': always(text('timestamp', (value) => isoTimestamp((value as bigint) / 1000n))),
  'long local-timestamp-millis': always(text('timestamp', (value) => isoTimestamp((value as bigint) * 1000n))),
  'long local-timestamp-micros': always(text('timestamp', (value) => isoTimestamp(value as bigint))),
  'long local-timestamp-nanos': always(text('timestamp', (value) => isoTimestamp((value as bigint) / 1000n))),
  'bytes decimal': decimal,
  'fixed decimal': decimal,
};

/** Big-endian two's complement, with the point put in. */
function decimalText(bytes: Buffer, scale: number): string {
  if (bytes.length === 0) return '0';
  const value = BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString('hex')}`));
  const sign = value < 0n ? '-' : '';
  const all = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  return scale === 0 ? sign + all : `${sign}${all.slice(0, -scale)}.${all.slice(-scale)}`;
}

function fullName(name: string, namespace: string): string {
  return name.includes('.') || namespace === '' ? name : `${namespace}.${name}`;
}

function remember(schema: SchemaObject, names: Names): string {
  const name = fullName(schema.name ?? '', schema.namespace ?? names.namespace);
  names.named.set(name, schema);
  return name;
}

function namedShape(name: string, names: Names): AvroShape {
  const known = PRIMITIVES[name];
  if (known !== undefined) return known;
  const full = [fullName(name, names.namespace), name].find((candidate) => names.named.has(candidate));
  const schema = full === undefined ? undefined : names.named.get(full);
  if (full === undefined || schema === undefined) throw new EngineFailure('unreadable', `the schema does not say what ${name} is`);
  if (names.open.has(full)) throw new EngineFailure('unreadable', `the schema's ${name} contains itself, which no type can say`);
  return shapeOf(schema, names);
}

function recordShape(schema: SchemaObject, names: Names): AvroShape {
  const name = remember(schema, names);
  const inside: Names = {
    ...names,
    namespace: name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : '',
    open: new Set([...names.open, name]),
  };
  const fields = (schema.fields ?? []).map((field) => ({ name: field.name, shape: shapeOf(field.type, inside) }));
  return {
    type: { kind: 'RecordType', fields: fields.map((field) => ({ name: field.name, type: field.shape.type })), isNullable: false },
    toJson: (value) => {
      const record = value as Readonly<Record<string, unknown>>;
      return `{${fields.map((field) => `${JSON.stringify(field.name)}:${field.shape.toJson(record[field.name])}`).join(',')}}`;
    },
  };
}

/** A map is a collection of keys and values, as in Parquet. */
function mapShape(value: AvroShape): AvroShape {
  const fields = [
    { name: 'key', type: primitive('string') },
    { name: 'value', type: value.type },
  ];
  return {
    type: { kind: 'CollectionType', element: { kind: 'RecordType', fields, isNullable: false }, isNullable: false },
    toJson: (map) => {
      const pairs = Object.entries(map as Readonly<Record<string, unknown>>);
      return `[${pairs.map(([key, member]) => `{"key":${JSON.stringify(key)},"value":${value.toJson(member)}}`).join(',')}]`;
    },
  };
}

/** With null: nullable. Of several other types: `any`, since a value says by itself what it is. */
function unionShape(branches: readonly unknown[], names: Names): AvroShape {
  const isNull = (branch: unknown): boolean => branch === 'null' || (branch as SchemaObject | null)?.type === 'null';
  const others = branches
    .filter((branch) => !isNull(branch))
    .map((branch) => ({ name: branchName(branch, names), ...shapeOf(branch, names) }));
  const byName = new Map(others.map((shape) => [shape.name, shape.toJson]));
  const toJson = (value: unknown): string => {
    if (value === null) return 'null';
    const [[name, inner] = ['', null]] = Object.entries(value as Readonly<Record<string, unknown>>);
    const print = byName.get(name);
    if (print === undefined) throw new EngineFailure('unreadable', `a value of ${name} is none of its union`);
    return print(inner);
  };
  const [only, second] = others;
  const type = only === undefined || second !== undefined ? anyType : only.type;
  return { type: others.length < branches.length || only === undefined ? nullable(type) : type, toJson };
}

function branchName(branch: unknown, names: Names): string {
  if (typeof branch === 'string') {
    if (branch in PRIMITIVES) return branch;
    const full = fullName(branch, names.namespace);
    return names.named.has(full) ? full : branch;
  }
  const object = branch as SchemaObject;
  return object.name === undefined ? String(object.type) : fullName(object.name, object.namespace ?? names.namespace);
}
