import type { CollectionType, FieldType, PrimitiveType, RecordType, Type } from '@svc/query-language';
import { assertNever } from '@svc/query-language';
import { READ_MESSAGES } from '@svc/text-formats';

import { duckType } from '../representation/duck-type.ts';
import { membersStructure } from '../representation/json-members.ts';
import { pointerTo } from '../representation/json-pointer.ts';
import { hasExactNames, memberNames } from '../representation/member-names.ts';
import { memberParts } from '../representation/relation-layout.ts';
import { quoteIdentifier, quoteText } from '../representation/sql-text.ts';
import { sqlText } from '../sql/print-sql.ts';
import { verbatim } from '../sql/sql.ts';
import { withVisibleFailure } from '../sql/visible-failure.ts';
import { unknownMembers } from './json-prototype.ts';
import { failReading, fromText, messageAbout, notNull, wrongKind, type ReadContext } from './from-text.ts';
import { MADE_OF_OTHERS } from './text-values.ts';

/** Strictness of reading JSON. */
export interface JsonMode extends Pick<ReadContext, 'isLenient' | 'isWhole' | 'isForStorage' | 'raise'> {
  readonly isTrusted: boolean;
  /** True if a member that a record type lacks is a failure. The engine's own reader has another option for that. */
  readonly isClosed?: boolean | undefined;
  /** Members that the outermost record may have in addition. */
  readonly hidden?: readonly string[];
}

/** Conversion of JSON to a type: the engine type to request, and the remaining conversion. */
export interface JsonReading {
  readonly engineType: string;
  /** Null if the value needs no conversion. */
  readonly convert: ((x: string, path: string) => string) | null;
}

/** Types that the engine converts as CAST does. Its integers round, and its timestamps ignore their offset, so those are read as text. */
const NATIVE: ReadonlySet<string> = new Set(['float', 'double', 'bool', 'string']);

/** Returns how to read a value with `read_json`, as natively as exactness allows. `depth` makes names of lambdas unique. */
export function jsonReading(type: Type, mode: JsonMode, depth = 0): JsonReading {
  const context = (path: string): ReadContext => contextOf(mode, path);
  const isChecked = !type.isNullable && !mode.isTrusted;
  switch (type.kind) {
    case 'PrimitiveType':
      return primitiveReading(type, mode, context);
    case 'AnyType':
      return { engineType: 'JSON', convert: isChecked ? (x, path) => notNull(x, 'JSON', context(path)) : null };
    case 'CollectionType':
      return collectionReading(type, mode, { depth, context, isChecked });
    case 'RecordType':
      return recordReading(type, mode, { depth, context, isChecked });
    case 'FunctionType':
    case 'ErrorType':
      throw new Error(`JSON cannot hold a ${type.kind}.`);
    default:
      return assertNever(type);
  }
}

function contextOf(mode: JsonMode, path: string): ReadContext {
  return { ...mode, format: 'json', path };
}

interface Place {
  readonly depth: number;
  readonly context: (path: string) => ReadContext;
  readonly isChecked: boolean;
}

function primitiveReading(type: PrimitiveType, mode: JsonMode, context: (path: string) => ReadContext): JsonReading {
  const isNative = NATIVE.has(type.name) || (mode.isTrusted && MADE_OF_OTHERS.has(type.name));
  if (!isNative) return { engineType: 'VARCHAR', convert: (x, path) => fromText(x, type, context(path)) };
  const carrier = duckType(type);
  if (mode.isTrusted || type.isNullable) return { engineType: carrier, convert: null };
  return { engineType: carrier, convert: (x, path) => notNull(x, carrier, context(path)) };
}

function collectionReading(type: CollectionType, mode: JsonMode, { depth, context, isChecked }: Place): JsonReading {
  const element = jsonReading(type.element, mode, depth + 1);
  const name = `j${depth}`;
  const { convert } = element;
  if (convert === null && !isChecked) return { engineType: `${element.engineType}[]`, convert: null };
  return {
    engineType: `${element.engineType}[]`,
    convert: (x, path) => {
      const list = convert === null ? x : `list_transform(${x}, lambda ${name}: ${convert(name, `${path}[]`)})`;
      const carrier = duckType(type);
      if (isChecked) return guarded(x, list, { carrier, context: context(path) });
      // A condition on the list must not come before that on the file.
      return mode.isTrusted || mode.raise !== undefined ? list : sqlText(withVisibleFailure(verbatim(list), carrier));
    },
  };
}

function recordReading(type: RecordType, mode: JsonMode, { depth, context, isChecked }: Place): JsonReading {
  if (type.fields.length === 0) {
    return {
      engineType: 'JSON',
      convert: (x, path) => guarded(nullIfNull(x), 'true', { carrier: 'BOOLEAN', context: context(path), isNullable: !isChecked }),
    };
  }
  const names = memberNames(type.fields);
  if (!hasExactNames(type.fields)) {
    return { engineType: 'JSON', convert: (x, path) => fromJson(nullIfNull(x), type, { mode, path, depth }) };
  }
  const readings = type.fields.map((field) => jsonReading(field.type, mode, depth));
  const engineType = `STRUCT(${readings.map((reading, i) => `${quoteIdentifier(names[i] ?? '')} ${reading.engineType}`).join(', ')})`;
  if (!isChecked && readings.every((reading) => reading.convert === null)) return { engineType, convert: null };
  return {
    engineType,
    convert: (x, path) => {
      const converted = memberParts(verbatim(x), type.fields).flatMap(({ field, expression }, i) => {
        const value = readings[i]?.convert?.(sqlText(expression), joinPath(path, field.name));
        return value === undefined ? [] : [`${quoteIdentifier(names[i] ?? '')} := ${value}`];
      });
      const members = converted.join(', ');
      // Of a wide record with few members to convert, the engine plans an update far faster than a new record.
      const updated = converted.length === 0 ? x : `struct_update(${x}, ${members})`;
      const record = converted.length < readings.length ? updated : `struct_pack(${members})`;
      return guarded(x, record, { carrier: duckType(type), context: context(path), isNullable: !isChecked });
    },
  };
}

interface FromJson {
  readonly mode: JsonMode;
  /** Path of the value in messages; empty by default. */
  readonly path?: string;
  /** Number of lambdas around. */
  readonly depth?: number;
}

/** Converts a JSON expression, NULL for `null`, to a type: slower than `read_json`, for types that it cannot express. */
export function fromJson(j: string, type: Type, { mode, path = '', depth = 0 }: FromJson): string {
  const context = contextOf(mode, path);
  const guard = {
    carrier: type.kind === 'FunctionType' || type.kind === 'ErrorType' ? '' : duckType(type),
    context,
    isNullable: type.isNullable,
  };
  switch (type.kind) {
    case 'PrimitiveType':
      return fromText(`json_extract_string(${j}, '$')`, type, context);
    case 'AnyType':
      return type.isNullable ? j : notNull(j, 'JSON', context);
    case 'CollectionType': {
      const name = `j${depth}`;
      const element = fromJson(nullIfNull(name), type.element, { mode, path: `${path}[]`, depth: depth + 1 });
      return ofKind(j, 'ARRAY', `list_transform(CAST(${j} AS JSON[]), lambda ${name}: ${element})`, { ...guard, mode });
    }
    case 'RecordType': {
      if (type.fields.length === 0) return ofKind(j, 'OBJECT', 'true', { ...guard, mode });
      const record = recordFromJson(j, type, { mode, path, depth });
      if (mode.isClosed !== true) return ofKind(j, 'OBJECT', record, { ...guard, mode });
      const known = [...type.fields.map(({ name }) => name), ...(path === '' ? (mode.hidden ?? []) : [])];
      const unknown = unknownMembers(j, known, `m${depth}`);
      const failure = failUnknown(`${unknown}[1]`, known, { context, carrier: guard.carrier });
      return ofKind(j, 'OBJECT', `CASE WHEN len(${unknown}) > 0 THEN ${failure} ELSE ${record} END`, { ...guard, mode });
    }
    case 'FunctionType':
    case 'ErrorType':
      throw new Error(`JSON cannot hold a ${type.kind}.`);
    default:
      return assertNever(type);
  }
}

function recordFromJson(j: string, { fields }: RecordType, { mode, path, depth }: Required<FromJson>): string {
  const names = memberNames(fields);
  const packed = (values: readonly string[]): string =>
    `struct_pack(${values.map((value, i) => `${quoteIdentifier(names[i] ?? '')} := ${value}`).join(', ')})`;
  const pathOf = ({ name }: FieldType): string => joinPath(path, name);
  if (fields.length < 2) return packed(fields.map((field) => memberFromJson(j, field, { mode, path: pathOf(field), depth })));
  if (!hasExactNames(fields)) {
    // Named, since the engine would plan a long path to it for each member.
    const name = `m${depth}`;
    const members = fields.map((field) => memberFromJson(name, field, { mode, path: pathOf(field), depth: depth + 1 }));
    return `list_extract(list_transform([${j}], lambda ${name}: ${packed(members)}), 1)`;
  }
  return membersAtOnce(j, fields, depth, (members) =>
    packed(
      members.map(({ field, sql }) =>
        field.type.kind === 'PrimitiveType'
          ? fromText(sql, field.type, contextOf(mode, pathOf(field)))
          : fromJson(nullIfNull(sql), field.type, { mode, path: pathOf(field), depth: depth + 1 }),
      ),
    ),
  );
}

/** A member of a JSON object: text of a primitive, or JSON. */
interface Member {
  readonly field: FieldType;
  readonly sql: string;
}

/**
 * SQL of what is made of the members of an object, all taken at once: the engine would parse the object for each single one. The
 * names of fields do not differ in case alone; `depth` makes the name of the lambda unique.
 */
export function membersAtOnce(
  j: string,
  fields: readonly FieldType[],
  depth: number,
  make: (members: readonly Member[]) => string,
): string {
  const all = `m${depth}`;
  const members = fields.map((field) => ({ field, sql: `struct_extract(${all}, ${quoteText(field.name)})` }));
  return `list_extract(list_transform([json_transform(${j}, ${quoteText(membersStructure(fields))})], lambda ${all}: ${make(members)}), 1)`;
}

/** Converts a member of a JSON object to the type of a field; `path` is that of the member. */
export function memberFromJson(j: string, { name, type }: FieldType, of: FromJson): string {
  return fromJson(nullIfNull(`json_extract(${j}, ${quoteText(pointerTo(name))})`), type, of);
}

/** SQL that fails of a member that the type lacks; `name` is SQL of its name. */
export function failUnknown(
  name: string,
  known: readonly string[],
  { context, carrier }: { readonly context: ReadContext; readonly carrier: string },
): string {
  if (context.isForStorage !== true) return failReading(context, messageAbout(name, READ_MESSAGES.unknownMember), carrier);
  const start = `field ${context.path === '' ? '' : `${context.path}.`}`;
  const message = messageAbout(name, (field) => READ_MESSAGES.unknownField(`${start}${field}`, known));
  return failReading({ ...context, path: '' }, message, carrier);
}

/** Maps JSON `null`, which the engine keeps as a value, to NULL. */
export function nullIfNull(j: string): string {
  return `nullif(${j}, 'null')`;
}

interface Guard {
  readonly carrier: string;
  readonly context: ReadContext;
  readonly isNullable?: boolean;
}

/** Returns `value` if x is not NULL; otherwise NULL or, if not nullable, an error. */
function guarded(x: string, value: string, { carrier, context, isNullable = false }: Guard): string {
  return isNullable ? `CASE WHEN ${x} IS NOT NULL THEN ${value} END` : notNull(x, carrier, context, value);
}

const KIND_WORDS = { ARRAY: 'a collection', OBJECT: 'a record' } as const;

/** `value` where j is JSON of the kind: the engine would make a record of NULLs out of a text. */
function ofKind(j: string, kind: keyof typeof KIND_WORDS, value: string, { mode, ...guard }: Guard & { readonly mode: JsonMode }): string {
  if (mode.isTrusted) return guarded(j, value, guard);
  const { carrier, context, isNullable = false } = guard;
  const misfit = mode.isLenient && isNullable ? 'NULL' : wrongKind(j, KIND_WORDS[kind], carrier, context);
  return guarded(j, `CASE WHEN json_type(${j}) = '${kind}' THEN ${value} ELSE ${misfit} END`, guard);
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
