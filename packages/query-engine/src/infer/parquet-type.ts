import { DuckDBTypeId, type DuckDBDecimalType, type DuckDBMapType, type DuckDBStructType, type DuckDBType } from '@duckdb/node-api';
import type { CollectionType, PrimitiveName, RecordType, Type } from '@svc/query-language';
import { READ_MESSAGES, uniqueNames } from '@svc/text-formats';

import { DECIMAL_SCALE, DECIMAL_WIDTH, duckType } from '../representation/duck-type.ts';
import { memberNames } from '../representation/member-names.ts';
import { quoteIdentifier, quoteText } from '../representation/sql-text.ts';
import { EngineFailure } from '../statements/engine-failure.ts';
import { elementNode, type SchemaNode } from './parquet-schema.ts';

/** The engine's types that require a conversion, with the language's type. */
const PRIMITIVES: Partial<Record<DuckDBTypeId, PrimitiveName>> = {
  [DuckDBTypeId.BOOLEAN]: 'bool',
  [DuckDBTypeId.TINYINT]: 'byte',
  [DuckDBTypeId.SMALLINT]: 'short',
  [DuckDBTypeId.INTEGER]: 'int',
  [DuckDBTypeId.BIGINT]: 'long',
  [DuckDBTypeId.UTINYINT]: 'short',
  [DuckDBTypeId.USMALLINT]: 'int',
  [DuckDBTypeId.UINTEGER]: 'long',
  [DuckDBTypeId.UBIGINT]: 'decimal',
  [DuckDBTypeId.HUGEINT]: 'decimal',
  [DuckDBTypeId.FLOAT]: 'float',
  [DuckDBTypeId.DOUBLE]: 'double',
  [DuckDBTypeId.DECIMAL]: 'decimal',
  [DuckDBTypeId.VARCHAR]: 'string',
  [DuckDBTypeId.ENUM]: 'string',
  [DuckDBTypeId.UUID]: 'string',
  [DuckDBTypeId.BLOB]: 'binary',
  [DuckDBTypeId.DATE]: 'date',
  [DuckDBTypeId.TIME]: 'time',
  [DuckDBTypeId.TIME_NS]: 'time',
  [DuckDBTypeId.TIME_TZ]: 'time',
  [DuckDBTypeId.TIMESTAMP]: 'timestamp',
  [DuckDBTypeId.TIMESTAMP_S]: 'timestamp',
  [DuckDBTypeId.TIMESTAMP_MS]: 'timestamp',
  [DuckDBTypeId.TIMESTAMP_NS]: 'timestamp',
  [DuckDBTypeId.TIMESTAMP_TZ]: 'timestamp',
  [DuckDBTypeId.INTERVAL]: 'interval',
};

/**
 * Converts the engine's type of a column; `node` is its schema node in the footer, which has nullability and exact names.
 * Fails with an EngineFailure if it is a type that no column can have.
 */
export function parquetType(engine: DuckDBType, node: SchemaNode | undefined): Type {
  const isNullable = node === undefined || node.repetition === 'OPTIONAL';
  if (engine.typeId === DuckDBTypeId.STRUCT) {
    const spelled = engine.entryNames.map((name, i) => node?.children[i]?.name ?? name);
    const fields = uniqueNames(spelled).map((name, i) => ({ name, type: parquetType(entryType(engine, i), node?.children[i]) }));
    return { kind: 'RecordType', isNullable, fields };
  }
  if (engine.typeId === DuckDBTypeId.LIST || engine.typeId === DuckDBTypeId.ARRAY)
    return { kind: 'CollectionType', isNullable, element: parquetType(engine.valueType, elementNode(node)) };
  if (engine.typeId === DuckDBTypeId.MAP) {
    const pair = node?.children[0];
    const fields = [
      { name: 'key', type: parquetType(engine.keyType, pair?.children[0]) },
      { name: 'value', type: parquetType(engine.valueType, pair?.children[1]) },
    ];
    return { kind: 'CollectionType', isNullable, element: { kind: 'RecordType', isNullable: false, fields } };
  }
  // The engine reads such a decimal, and fails where it is cast.
  if (engine.typeId === DuckDBTypeId.DECIMAL && engine.scale > engine.width)
    throw new EngineFailure('parquet', READ_MESSAGES.notOfFormat('Parquet'));
  const name = engine.alias === 'JSON' ? undefined : PRIMITIVES[engine.typeId];
  return name === undefined ? { kind: 'AnyType', isNullable, isUndetermined: false } : { kind: 'PrimitiveType', name, isNullable };
}

function entryType({ entryTypes }: DuckDBStructType, i: number): DuckDBType {
  const type = entryTypes[i];
  if (type === undefined) throw new Error('A struct has fewer types than names.');
  return type;
}

/**
 * SQL that converts a value of an engine type to the representation of the language's type; null if it is the same. `depth` is
 * the number of lambdas around it, each of which has a variable of its own.
 */
export function parquetValue(x: string, engine: DuckDBType, type: Type, depth = 0): string | null {
  if (type.kind === 'AnyType') return engine.alias === 'JSON' ? `nullif(${x}, 'null')` : `to_json(${x})`;
  if (type.kind === 'PrimitiveType') return primitiveValue(x, engine, type.name);
  if (engine.typeId === DuckDBTypeId.MAP && type.kind === 'CollectionType') return mapValue(x, engine, type, depth);
  if (type.kind === 'CollectionType' && (engine.typeId === DuckDBTypeId.LIST || engine.typeId === DuckDBTypeId.ARRAY)) {
    const name = `p${depth}`;
    const element = nestedValue(name, engine.valueType, type.element, depth + 1);
    if (element !== null) return `list_transform(${x}, lambda ${name}: ${element})`;
    return engine.typeId === DuckDBTypeId.ARRAY ? `CAST(${x} AS ${duckType(type)})` : null;
  }
  if (type.kind === 'RecordType' && engine.typeId === DuckDBTypeId.STRUCT) return structValue(x, engine, type, depth);
  return `CAST(${x} AS ${duckType(type)})`;
}

/** Converts a value within another, whose decimals have the common scale unless it has too few digits before the point for them. */
function nestedValue(x: string, engine: DuckDBType, type: Type, depth: number): string | null {
  const isCommon = engine.typeId === DuckDBTypeId.DECIMAL ? fitsCommonScale(engine) : engine.typeId === DuckDBTypeId.UBIGINT;
  if (isCommon && type.kind === 'PrimitiveType' && type.name === 'decimal') return `CAST(${x} AS ${duckType(type)})`;
  return parquetValue(x, engine, type, depth);
}

const fitsCommonScale = ({ width, scale }: DuckDBDecimalType): boolean =>
  scale < DECIMAL_SCALE && width - scale <= DECIMAL_WIDTH - DECIMAL_SCALE;

/** Members are renamed if the footer has two whose names differ in case only. */
function structValue(x: string, engine: DuckDBStructType, type: RecordType, depth: number): string | null {
  const names = memberNames(type.fields);
  const parts = engine.entryNames.map((name) => `struct_extract(${x}, ${quoteText(name)})`);
  const members = parts.map((part, i) => nestedValue(part, entryType(engine, i), type.fields[i]?.type ?? type, depth));
  if (members.every((member) => member === null) && names.every((name, i) => name === engine.entryNames[i])) return null;
  const packed = members.map((member, i) => `${quoteIdentifier(names[i] ?? '')} := ${member ?? parts[i] ?? ''}`);
  return `CASE WHEN ${x} IS NOT NULL THEN struct_pack(${packed.join(', ')}) END`;
}

/** Keys and values become records. */
function mapValue(x: string, engine: DuckDBMapType, type: CollectionType, depth: number): string {
  const [key, value] = type.element.kind === 'RecordType' ? type.element.fields : [];
  const name = `p${depth}`;
  const [k, v] = [`${name}."key"`, `${name}."value"`];
  const keys = key === undefined ? null : nestedValue(k, engine.keyType, key.type, depth + 1);
  const values = value === undefined ? null : nestedValue(v, engine.valueType, value.type, depth + 1);
  if (keys === null && values === null) return `CAST(map_entries(${x}) AS ${duckType(type)})`;
  return `list_transform(map_entries(${x}), lambda ${name}: struct_pack("key" := ${keys ?? k}, "value" := ${values ?? v}))`;
}

/** Returns the scale that the value of an engine type has, if that is a decimal. */
export function parquetScale(engine: DuckDBType): number | undefined {
  if (engine.typeId === DuckDBTypeId.UBIGINT || engine.typeId === DuckDBTypeId.HUGEINT) return 0;
  return engine.typeId === DuckDBTypeId.DECIMAL ? engine.scale : undefined;
}

function primitiveValue(x: string, engine: DuckDBType, name: PrimitiveName): string | null {
  if (engine.typeId === DuckDBTypeId.DECIMAL && engine.width === DECIMAL_WIDTH) return null;
  const scale = parquetScale(engine);
  if (scale !== undefined) return `CAST(${x} AS DECIMAL(${DECIMAL_WIDTH},${scale}))`;
  // The engine would round up to 24:00; nanoseconds of timestamps are cut off, too.
  if (engine.typeId === DuckDBTypeId.TIME_NS) return `CAST(left(CAST(${x} AS VARCHAR), ${'00:00:00.000000'.length}) AS TIME)`;
  const carrier = duckType({ kind: 'PrimitiveType', name, isNullable: false });
  return engine.toString() === carrier ? null : `CAST(${x} AS ${carrier})`;
}
