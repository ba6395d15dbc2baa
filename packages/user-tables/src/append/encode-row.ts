import type { CollectionType, FieldType, RecordType, Type } from '@svc/query-language';
import { assertNever, printType } from '@svc/query-language';

import type { TableColumns } from '../types/table-columns.ts';
import type { CopyWriter } from './copy-writer.ts';
import { isExactNumber, type JsonObject, type JsonValue } from './exact-json.ts';
import { primitiveValues } from './primitive-values.ts';
import { RowError, shown } from './row-error.ts';

/** Writes one field of a row, given as JSON; undefined if the row lacks it. Throws RowError. */
export type FieldEncoder<Input> = (writer: CopyWriter, input: Input) => void;

/** The version byte before a binary jsonb. */
const JSONB = 1;

/** Returns a writer of rows given as JSON. It throws RowError, after which the COPY writer's contents are invalid. */
export function jsonRowEncoder({ kind, columns }: TableColumns): (writer: CopyWriter, row: JsonValue) => void {
  const encoders = columns.map(({ field, sqlType }) => ({ name: field.name, encode: jsonFieldEncoder(field, sqlType) }));
  const [only] = encoders;
  if (kind === 'value' && only !== undefined) {
    return (writer, row) => {
      writer.int16(1);
      only.encode(writer, row);
    };
  }
  const known = new Set(encoders.map(({ name }) => name));
  return (writer, row) => {
    if (!isObject(row)) throw new RowError(null, `expected an object with the fields of the table, found ${shown(row)}`);
    let given = 0;
    writer.int16(encoders.length);
    for (const { name, encode } of encoders) {
      const value = memberOf(row, name);
      if (value !== undefined) given += 1;
      encode(writer, value);
    }
    refuseUnknown(row, given, known, '');
  };
}

function jsonFieldEncoder({ name, type }: FieldType, sqlType: string): FieldEncoder<JsonValue | undefined> {
  if (type.kind === 'PrimitiveType') {
    const { expected, fromJson, write } = primitiveValues(type.name);
    return (writer, json) => {
      if (json === null || json === undefined) return writeNull(writer, { name, type });
      const value = fromJson(json);
      if (value === undefined) throw new RowError(name, `expected ${type.name} (${expected}), found ${shown(json)}`);
      write(writer, value);
    };
  }
  const version = sqlType === 'jsonb' ? JSONB : undefined;
  const toText = nestedText(type);
  return (writer, json) => {
    if (json === null || json === undefined) return writeNull(writer, { name, type });
    writer.textField(toText(json, name), version);
  };
}

/** Writes NULL, or fails if the field is not nullable. */
export function writeNull(writer: CopyWriter, { name, type }: FieldType): void {
  if (!type.isNullable) throw new RowError(name, `missing or null, and its type ${printType(type)} is not nullable`);
  writer.nothing();
}

/** Encodes a value that is not NULL as JSON for the reader of tables. */
function nestedText(type: Type): (json: JsonValue, path: string) => string {
  switch (type.kind) {
    case 'PrimitiveType': {
      const { expected, fromJson, toJson } = primitiveValues(type.name);
      return (json, path) => {
        const value = fromJson(json);
        if (value === undefined) throw new RowError(path, `expected ${type.name} (${expected}), found ${shown(json)}`);
        const text = toJson(value);
        if (text === undefined) throw new RowError(path, `${shown(json)} cannot be stored within a nested value`);
        return text;
      };
    }
    case 'AnyType':
      return anyText;
    case 'CollectionType':
      return collectionText(type);
    case 'RecordType':
      return recordText(type);
    case 'FunctionType':
    case 'ErrorType':
      throw new Error(`A table holds no ${type.kind}.`);
    default:
      return assertNever(type);
  }
}

/** JSON as it was sent: the order of members and the digits of numbers stay. */
function anyText(json: JsonValue, path: string): string {
  const text = JSON.stringify(json);
  // Both are written as escapes, which is all that a lone one can be in JSON text.
  if (/\\u(?:0000|d[89a-f])/.test(text)) {
    const isBad = (value: JsonValue): boolean => {
      if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
      if (typeof value !== 'object' || value === null || isExactNumber(value)) return false;
      return Object.entries(value).some(([name, member]) => isBad(name) || isBad(member as JsonValue));
    };
    if (isBad(json)) throw new RowError(path, 'it holds text with U+0000 or half a surrogate pair, which cannot be stored');
  }
  return text;
}

function collectionText(type: CollectionType): (json: JsonValue, path: string) => string {
  const member = memberText(type.element);
  return (json, path) => {
    if (!Array.isArray(json)) throw new RowError(path, `expected an array for ${printType(type)}, found ${shown(json)}`);
    return `[${(json as readonly JsonValue[]).map((each, i) => member(each, `${path}[${i}]`)).join(',')}]`;
  };
}

function recordText(type: RecordType): (json: JsonValue, path: string) => string {
  const members = type.fields.map((field) => ({ name: field.name, start: `${JSON.stringify(field.name)}:`, text: memberText(field.type) }));
  const known = new Set(members.map(({ name }) => name));
  return (json, path) => {
    if (!isObject(json)) throw new RowError(path, `expected an object for ${printType(type)}, found ${shown(json)}`);
    let given = 0;
    const texts = members.map(({ name, start, text }) => {
      const value = memberOf(json, name);
      if (value !== undefined) given += 1;
      return start + text(value, `${path}.${name}`);
    });
    refuseUnknown(json, given, known, `${path}.`);
    return `{${texts.join(',')}}`;
  };
}

/** Like `nestedText`, for nullable values. */
function memberText(type: Type): (json: JsonValue | undefined, path: string) => string {
  const text = nestedText(type);
  return (json, path) => {
    if (json !== null && json !== undefined) return text(json, path);
    if (!type.isNullable) throw new RowError(path, `missing or null, and its type ${printType(type)} is not nullable`);
    return 'null';
  };
}

function isObject(json: JsonValue): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json) && !isExactNumber(json);
}

/** Returns an own member: a field may be called `constructor`. */
function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function refuseUnknown(object: JsonObject, given: number, known: ReadonlySet<string>, prefix: string): void {
  const names = Object.keys(object);
  if (names.length === given) return;
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new RowError(prefix + unknown, `the table has no such field (known: ${[...known].join(', ') || 'none'})`);
}
