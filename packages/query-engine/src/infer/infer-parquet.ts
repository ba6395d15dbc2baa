import type { CollectionType, FieldType, Type } from '@svc/query-language';
import { anyType, isSameType, nullable, printType, undeterminedNull, unify } from '@svc/query-language';
import { uniqueNames } from '@svc/text-formats';
import type { DuckDBType } from '@duckdb/node-api';

import { holdsPrimitive } from '../analysis/holds-primitive.ts';
import type { EngineLease } from '../instances/engine-lease.ts';
import { parquetFiles } from '../readers/parquet-files.ts';
import type { FileColumn, OnError, ParquetColumn, ParquetReadPlan, ReadFile } from '../readers/read-plan.ts';
import { DECIMAL_WIDTH, duckType } from '../representation/duck-type.ts';
import { columnIn } from '../representation/relation-layout.ts';
import { sqlText } from '../sql/print-sql.ts';
import { verbatim, type Sql } from '../sql/sql.ts';
import { EngineFailure } from '../statements/engine-failure.ts';
import { readingParquet } from '../statements/parquet-fault.ts';
import type { Inferred } from './inferred.ts';
import { refuseLostChunks } from './parquet-chunks.ts';
import { absentColumn, asField, canBeField } from './parquet-field.ts';
import { parquetSchemas, type SchemaNode } from './parquet-schema.ts';
import { parquetScale, parquetType, parquetValue } from './parquet-type.ts';

/** Options of Parquet files, given before their footers are read. */
export interface ParquetOptions {
  /** Declared type of a row. */
  readonly rowType?: Type;
  readonly onError?: OnError;
  readonly fileColumns?: readonly FileColumn[];
  readonly signal: AbortSignal;
}

/**
 * Infers the type of Parquet files from their footers: fields of the same name are merged to their common type, and not
 * nullable if they are required in every file. Fails with an EngineFailure, of class `parquet` if a file is not Parquet or
 * does not fit a declared type.
 */
export async function inferParquet(
  lease: EngineLease,
  files: readonly ReadFile[],
  options: ParquetOptions,
): Promise<Inferred<ParquetReadPlan>> {
  if (files.length === 0) throw new EngineFailure('missing-file', 'there is no file to read');
  const { rowType, onError = 'fail', fileColumns = [], signal } = options;
  if (rowType !== undefined && rowType.kind !== 'RecordType') throw new EngineFailure('parquet', 'a row of Parquet is a record');
  await refuseLostChunks(lease, files, signal);
  const parts: Part[] = [];
  for (const alike of filesAlike(files, await parquetSchemas(lease, files, signal))) parts.push(await lookAt(lease, alike, signal));
  const ofFiles = new Set(fileColumns.map(({ field }) => field.name));
  const fields = rowType?.fields ?? mergedColumns(parts.map(({ columns }) => columns)).filter(({ name }) => !ofFiles.has(name));
  const plan: ParquetReadPlan = {
    kind: 'parquet',
    files,
    fileColumns,
    parts: parts.map((part) => ({
      files: part.files,
      columns: fields.map((field) => columnOf(part, field, { onError, isAlone: parts.length === 1 })),
    })),
    onError,
    compression: null,
    isTrusted: true,
  };
  const element: Type = { kind: 'RecordType', fields: [...fields, ...fileColumns.map(({ field }) => field)], isNullable: false };
  const type: CollectionType = { kind: 'CollectionType', element, isNullable: false };
  return { type, plan, isSampled: false };
}

interface FilesAlike {
  readonly files: readonly ReadFile[];
  readonly roots: readonly SchemaNode[];
}

/** Files that follow each other and are laid out alike. */
function filesAlike(files: readonly ReadFile[], roots: readonly SchemaNode[]): readonly FilesAlike[] {
  const runs: { readonly layout: string; readonly files: ReadFile[]; readonly roots: SchemaNode[] }[] = [];
  files.forEach((file, i) => {
    const root = roots[i];
    if (root === undefined) throw new Error('A file has no schema.');
    const layout = JSON.stringify(root.children.map((child) => child.layout));
    if (runs.at(-1)?.layout !== layout) runs.push({ layout, files: [], roots: [] });
    runs.at(-1)?.files.push(file);
    runs.at(-1)?.roots.push(root);
  });
  return runs;
}

/** Files that are alike, and the columns that they have. */
interface Part {
  readonly files: readonly ReadFile[];
  readonly columns: readonly FoundColumn[];
}

interface FoundColumn {
  readonly field: FieldType;
  /** Position of the column in the files. */
  readonly column: number;
  /** Its value, as the engine carries the field's type. */
  readonly value: Sql;
  /** The digits of the widest decimal in it. */
  readonly digits: number;
  /** True if it holds nothing but NULL, in a type that says nothing. */
  readonly isUnknown: boolean;
  /** Digits after the point, if it is a column of decimals. */
  readonly scale: number | undefined;
}

async function lookAt(lease: EngineLease, { files, roots }: FilesAlike, signal: AbortSignal): Promise<Part> {
  const described = await readingParquet(lease, () =>
    lease.run(signal, async (connection) => {
      const result = await connection.run(`SELECT * FROM ${parquetFiles(files.slice(0, 1))} LIMIT 0`);
      return result.columnNames().map((name, i) => ({ name, type: result.columnType(i) }));
    }),
  );
  const names = uniqueNames(described.map(({ name }, i) => roots[0]?.children[i]?.name ?? name));
  if (names.some((name) => name.includes('\0')))
    throw new EngineFailure('parquet', 'the name of a column holds a NUL', { sourcePath: files[0]?.path });
  const columns = described.map(({ name, type: engine }, i): FoundColumn => {
    const type = typeInAll(engine, roots, i);
    const x = columnIn('f', name);
    const text = sqlText(x);
    const value = parquetValue(text, engine, type) ?? withoutStatistics(text, type);
    const digits = roots[0]?.children[i]?.digits ?? 0;
    return {
      column: i,
      field: { name: names[i] ?? name, type },
      value: value === text ? x : verbatim(value),
      digits,
      isUnknown: roots.every((root) => root.children[i]?.isUnknown === true),
      scale: parquetScale(engine),
    };
  });
  return { files, columns };
}

/**
 * Hides a float column's statistics from the engine: with NaN in them it returns NaN as MAX of the column whether or not
 * there is one, and a Bloom filter finds neither 0 for a stored -0 nor a NaN with other bits. The engine uses neither for an
 * expression over the column.
 */
function withoutStatistics(x: string, type: Type): string {
  const isFloat = type.kind === 'PrimitiveType' && (type.name === 'float' || type.name === 'double');
  return isFloat ? `(${x} * 1::${duckType(type)})` : x;
}

/** Merges the types of a column, nullable, like its parts, if it is nullable in some file: they differ in nothing else. */
function typeInAll(engine: DuckDBType, roots: readonly SchemaNode[], i: number): Type {
  const types = new Map(roots.map((root) => parquetType(engine, root.children[i])).map((type) => [printType(type), type]));
  return [...types.values()].reduce(mergedType);
}

/** Merges the columns of all parts; one that holds nothing but NULL in a part has the type of the others. */
function mergedColumns(parts: readonly (readonly FoundColumn[])[]): readonly FieldType[] {
  const known = new Set(parts.flatMap((columns) => columns.filter((column) => !column.isUnknown).map(({ field }) => field.name)));
  const isOpen = ({ isUnknown, field }: FoundColumn): boolean => isUnknown && known.has(field.name);
  return merged(
    parts.map((columns) => columns.map((column) => (isOpen(column) ? { ...column.field, type: undeterminedNull } : column.field))),
  );
}

/** Merges the fields of all parts, in order of their first occurrence; one that a part lacks is nullable. */
function merged(parts: readonly (readonly FieldType[])[]): readonly FieldType[] {
  const all = new Map<string, { type: Type; count: number }>();
  for (const fields of parts)
    for (const { name, type } of fields) {
      const known = all.get(name);
      all.set(name, known === undefined ? { type, count: 1 } : { type: mergedType(known.type, type), count: known.count + 1 });
    }
  return [...all].map(([name, { type, count }]) => ({ name, type: count < parts.length ? nullable(type) : type }));
}

/** Merges types as those of JSON objects: records by field names; types without a common type become `any`. */
function mergedType(a: Type, b: Type): Type {
  const isNullable = a.isNullable || b.isNullable;
  if (a.kind === 'RecordType' && b.kind === 'RecordType') return { ...a, fields: merged([a.fields, b.fields]), isNullable };
  if (a.kind === 'CollectionType' && b.kind === 'CollectionType') return { ...a, element: mergedType(a.element, b.element), isNullable };
  return unify(a, b) ?? (isNullable ? nullable(anyType) : anyType);
}

interface ReadAs {
  readonly onError: OnError;
  /** True if all files have the same schema. */
  readonly isAlone: boolean;
}

/** Finds a column by exact name, else without regard to case. */
function columnOf({ files, columns }: Part, field: FieldType, { onError, isAlone }: ReadAs): ParquetColumn {
  const found =
    columns.find((column) => column.field.name === field.name) ??
    columns.find((column) => column.field.name.toLowerCase() === field.name.toLowerCase());
  if ((found === undefined || found.isUnknown) && field.type.isNullable) return absentColumn(field);
  const details = { sourcePath: files[0]?.path };
  if (found === undefined) throw new EngineFailure('parquet', `the file has no column ${field.name}`, details);
  // The engine converts wider decimals to doubles, with other values.
  if (found.digits > DECIMAL_WIDTH)
    throw new EngineFailure(
      'parquet',
      `column ${found.field.name}: the file has decimals of ${found.digits} digits, and ${DECIMAL_WIDTH} are the most`,
      details,
    );
  if (!canBeField(found.field.type, field.type))
    throw new EngineFailure(
      'parquet',
      `column ${field.name}: expected ${printType(field.type)} but the file has ${printType(found.field.type)}`,
      details,
    );
  const column = asField(found, field, onError);
  if (!holdsPrimitive(field.type, 'decimal')) return column;
  // A decimal has the scale of its file, which may differ from that of another file.
  if (isAlone) return { ...column, scale: isSameType(nullable(found.field.type), nullable(field.type)) ? found.scale : undefined };
  return { ...column, value: `CAST(${column.value} AS ${duckType(field.type)})` };
}
