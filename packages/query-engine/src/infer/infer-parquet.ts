import { DuckDBTypeId, type DuckDBType } from '@duckdb/node-api';
import type { CollectionType, FieldType, PrimitiveName, Type } from '@svc/query-language';

import type { EngineLease } from '../instances/engine-lease.ts';
import { fileList } from '../readers/file-columns.ts';
import type { FileColumn, OnError, ParquetColumn, ParquetReadPlan, ReadFile } from '../readers/read-plan.ts';
import { duckType } from '../representation/duck-type.ts';
import { memberNames } from '../representation/member-names.ts';
import { memberParts } from '../representation/relation-layout.ts';
import { quoteIdentifier } from '../representation/sql-text.ts';
import { EngineFailure } from '../statements/engine-failure.ts';
import { runStatement } from '../statements/run-statement.ts';
import type { Inferred } from './inferred.ts';

export interface ParquetOptions {
  /** The type of a row, told. */
  readonly rowType?: Type;
  readonly onError?: OnError;
  readonly fileColumns?: readonly FileColumn[];
  readonly signal: AbortSignal;
}

/** The type of Parquet files by their footers; a required column is not nullable where it is required in every file. Fails with an EngineFailure. */
export async function inferParquet(
  lease: EngineLease,
  files: readonly ReadFile[],
  options: ParquetOptions,
): Promise<Inferred<ParquetReadPlan>> {
  if (files.length === 0) throw new EngineFailure('missing-file', 'there is no file to read');
  const { signal } = options;
  const from = `read_parquet(${fileList(files)}, hive_partitioning=false)`;
  const described = await lease.run(signal, async (connection) => {
    const result = await connection.run(`SELECT * FROM ${from} LIMIT 0`);
    return result.columnNames().map((name, i) => ({ name, type: result.columnType(i) }));
  });
  const roots = await schemaTrees(lease, files, signal);
  const columns = described.map(({ name, type }, i): ParquetColumn => {
    const nodes = roots.map((root) => root.children[i]);
    const field: FieldType = { name, type: typeOf(type, nodes) };
    return { field, name, conversion: conversionOf('$x', type, field.type) };
  });
  const fileColumns = options.fileColumns ?? [];
  const plan: ParquetReadPlan = {
    kind: 'parquet',
    files,
    fileColumns,
    columns,
    onError: options.onError ?? 'fail',
    compression: null,
    isTrusted: true,
  };
  const element: Type = { kind: 'RecordType', fields: [...columns, ...fileColumns].map((column) => column.field), isNullable: false };
  const type: CollectionType = { kind: 'CollectionType', element, isNullable: false };
  return { type, plan, isSampled: false };
}

/** A node of a footer's schema. */
interface SchemaNode {
  readonly repetition: string;
  readonly children: readonly SchemaNode[];
}

type Nodes = readonly (SchemaNode | undefined)[];

async function schemaTrees(lease: EngineLease, files: readonly ReadFile[], signal: AbortSignal): Promise<readonly SchemaNode[]> {
  const rows = await runStatement(lease, {
    sql: `SELECT repetition_type AS repetition, coalesce(num_children, 0)::INTEGER AS children FROM parquet_schema(${fileList(files)})`,
    signal,
  });
  let at = 0;
  const readNode = (): SchemaNode => {
    const row = rows[at++];
    const count = Number(row?.['children'] ?? 0);
    const repetition = row?.['repetition'];
    return { repetition: typeof repetition === 'string' ? repetition : 'OPTIONAL', children: Array.from({ length: count }, readNode) };
  };
  return files.map(readNode);
}

/** The engine's types that are not carried as they are, and the language's type of each. */
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
  [DuckDBTypeId.TIME_TZ]: 'time',
  [DuckDBTypeId.TIMESTAMP]: 'timestamp',
  [DuckDBTypeId.TIMESTAMP_S]: 'timestamp',
  [DuckDBTypeId.TIMESTAMP_MS]: 'timestamp',
  [DuckDBTypeId.TIMESTAMP_NS]: 'timestamp',
  [DuckDBTypeId.TIMESTAMP_TZ]: 'timestamp',
  [DuckDBTypeId.INTERVAL]: 'interval',
};

function typeOf(engine: DuckDBType, nodes: Nodes): Type {
  const isNullable = nodes.some((node) => node === undefined || node.repetition === 'OPTIONAL');
  if (engine.typeId === DuckDBTypeId.STRUCT) {
    const fields = engine.entryNames.map((name, i) => ({
      name,
      type: typeOf(
        entryType(engine.entryTypes, i),
        nodes.map((node) => node?.children[i]),
      ),
    }));
    return { kind: 'RecordType', isNullable, fields };
  }
  if (engine.typeId === DuckDBTypeId.LIST || engine.typeId === DuckDBTypeId.ARRAY) {
    return { kind: 'CollectionType', isNullable, element: typeOf(engine.valueType, nodes.map(elementNode)) };
  }
  if (engine.typeId === DuckDBTypeId.MAP) {
    const pairs = nodes.map((node) => node?.children[0]);
    const fields = [
      {
        name: 'key',
        type: typeOf(
          engine.keyType,
          pairs.map((pair) => pair?.children[0]),
        ),
      },
      {
        name: 'value',
        type: typeOf(
          engine.valueType,
          pairs.map((pair) => pair?.children[1]),
        ),
      },
    ];
    return { kind: 'CollectionType', isNullable, element: { kind: 'RecordType', isNullable: false, fields } };
  }
  const name = engine.alias === 'JSON' ? undefined : PRIMITIVES[engine.typeId];
  return name === undefined ? { kind: 'AnyType', isNullable, isUndetermined: false } : { kind: 'PrimitiveType', name, isNullable };
}

/** Of a list in three levels its inmost; writers of old left out the middle, or the list itself. */
function elementNode(node: SchemaNode | undefined): SchemaNode | undefined {
  if (node === undefined) return undefined;
  if (node.repetition === 'REPEATED') return { ...node, repetition: 'REQUIRED' };
  const [repeated] = node.children;
  const [element] = repeated?.children ?? [];
  return repeated?.children.length === 1 && element !== undefined ? element : repeated;
}

function entryType(types: readonly DuckDBType[], i: number): DuckDBType {
  const type = types[i];
  if (type === undefined) throw new Error('A struct has fewer types than names.');
  return type;
}

/** SQL that carries a value of the engine's type as the language's type is carried; null where it is already. */
function conversionOf(x: string, engine: DuckDBType, type: Type): string | null {
  if (type.kind === 'AnyType') return engine.alias === 'JSON' ? null : `to_json(${x})`;
  if (type.kind === 'PrimitiveType') return primitiveConversion(x, engine, type.name);
  if (engine.typeId === DuckDBTypeId.MAP && type.kind === 'CollectionType') return mapConversion(x, type);
  if (type.kind === 'CollectionType' && (engine.typeId === DuckDBTypeId.LIST || engine.typeId === DuckDBTypeId.ARRAY)) {
    const name = `p${depthOf(x)}`;
    const element = conversionOf(name, engine.valueType, type.element);
    if (element !== null) return `list_transform(${x}, lambda ${name}: ${element})`;
    return engine.typeId === DuckDBTypeId.ARRAY ? `CAST(${x} AS ${duckType(type)})` : null;
  }
  if (type.kind === 'RecordType' && engine.typeId === DuckDBTypeId.STRUCT) {
    const names = memberNames(type.fields);
    const parts = memberParts(x, type.fields);
    const members = parts.map(({ expression, field }, i) => conversionOf(expression, entryType(engine.entryTypes, i), field.type));
    if (members.every((member) => member === null)) return null;
    return `CASE WHEN ${x} IS NOT NULL THEN struct_pack(${members.map((member, i) => `${quoteIdentifier(names[i] ?? '')} := ${member ?? parts[i]?.expression ?? ''}`).join(', ')}) END`;
  }
  return `CAST(${x} AS ${duckType(type)})`;
}

/** Keys and values become records; their types are converted by one cast. */
function mapConversion(x: string, type: CollectionType): string {
  return `CAST(map_entries(${x}) AS ${duckType(type)})`;
}

function primitiveConversion(x: string, engine: DuckDBType, name: PrimitiveName): string | null {
  if (engine.typeId === DuckDBTypeId.DECIMAL) return engine.width === 38 ? null : `CAST(${x} AS DECIMAL(38,${engine.scale}))`;
  if (engine.typeId === DuckDBTypeId.UBIGINT || engine.typeId === DuckDBTypeId.HUGEINT) return `CAST(${x} AS DECIMAL(38,0))`;
  const carrier = duckType({ kind: 'PrimitiveType', name, isNullable: false });
  return engine.toString() === carrier ? null : `CAST(${x} AS ${carrier})`;
}

/** Lambdas within lambdas need names of their own: each is one deeper than the one it is used in. */
function depthOf(x: string): number {
  const used = /\bp(\d+)\b/.exec(x.replace(/"[^"]*"|'[^']*'/g, ''));
  return used === null ? 0 : Number(used[1]) + 1;
}
