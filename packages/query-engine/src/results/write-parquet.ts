import type { DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { DuckDBDecimalType, DuckDBListType, DuckDBStructType } from '@duckdb/node-api';
import type { Type } from '@svc/query-language';

import type { EngineLease } from '../instances/engine-lease.ts';
import { DECIMAL_SCALE, DECIMAL_WIDTH } from '../representation/duck-type.ts';
import { memberNames } from '../representation/member-names.ts';
import type { RelationLayout } from '../representation/relation-layout.ts';
import { sqlText } from '../sql/print-sql.ts';
import { castTo, type Sql } from '../sql/sql.ts';
import { copyToFile, type ParquetOptions } from '../statements/copy-to-file.ts';
import { avroNames, avroSchema } from './avro-schema.ts';
import { fileColumns, fileRowsSql, fromRelation, type FileColumn } from './file-rows.ts';
import type { FileForm } from './file-value.ts';
import { PRIMITIVE_TEXT } from './leaf-text.ts';

/** A relation that is to become a file, and which one. */
export interface FileRequest {
  readonly relationSql: string;
  readonly layout: RelationLayout;
  /** Values of `$1`, `$2`, …. */
  readonly parameters?: readonly DuckDBValue[] | undefined;
  /** A file in the spool. */
  readonly path: string;
  readonly signal: AbortSignal;
}

/** A complete file. */
export interface WrittenFile {
  readonly rows: number;
}

/**
 * The engine's own Parquet, except intervals, which are text as in JSON: Parquet intervals are neither negative nor finer
 * than a millisecond.
 */
const RAW: FileForm = { names: memberNames, leaf: intervalText };

function intervalText(x: Sql, type: Type): Sql | null {
  return type.kind === 'PrimitiveType' && type.name === 'interval' ? PRIMITIVE_TEXT.interval(x) : null;
}

/**
 * Writes a result as Parquet, with nested types; bare values are a column `value`. The file is complete, or it fails with an
 * EngineFailure.
 */
export async function writeParquetRaw(lease: EngineLease, request: FileRequest): Promise<WrittenFile> {
  return writeRows(lease, request, { columns: fileColumns(request.layout, RAW.names), form: RAW });
}

/** The same rows with names that Avro allows, and in the footer the Avro schema by which Avro's readers open them. */
export async function writeParquetAvro(lease: EngineLease, request: FileRequest): Promise<WrittenFile> {
  const columns = fileColumns(request.layout, avroNames);
  const scales = await decimalScales(lease, request, columns);
  const metadata = { 'parquet.avro.schema': JSON.stringify(avroSchema(columns, each(scales))) };
  return writeRows(lease, request, { columns, form: avroForm(each(scales)), metadata });
}

interface ParquetForm extends ParquetOptions {
  readonly columns: readonly FileColumn[];
  readonly form: FileForm;
}

async function writeRows(lease: EngineLease, request: FileRequest, { columns, form, ...parquet }: ParquetForm): Promise<WrittenFile> {
  const { relationSql, parameters, path, signal } = request;
  return copyToFile(lease, { sql: fileRowsSql(relationSql, { columns, form }), parameters, path, parquet, signal });
}

/** Every decimal has 38 digits, which Parquet stores in 16 bytes; the lowering may have chosen a smaller scale. */
function avroForm(nextScale: () => number): FileForm {
  return {
    names: avroNames,
    leaf: (x, type) => {
      if (type.kind === 'AnyType') return castTo(x, 'VARCHAR');
      if (type.kind === 'PrimitiveType' && type.name === 'decimal') return castTo(x, `DECIMAL(${DECIMAL_WIDTH},${nextScale()})`);
      return intervalText(x, type);
    },
  };
}

function each(scales: readonly number[]): () => number {
  const left = scales.values();
  return () => left.next().value ?? DECIMAL_SCALE;
}

/** Returns the scale of each decimal of the rows, from left to right: the engine knows them once it has planned the statement. */
async function decimalScales(lease: EngineLease, request: FileRequest, columns: readonly FileColumn[]): Promise<readonly number[]> {
  const { relationSql, parameters, signal } = request;
  const items = columns.map(({ expression }, i) => `${sqlText(expression)} AS c${i}`);
  const sql = `SELECT ${items.join(', ')} ${fromRelation(relationSql)} LIMIT 0`;
  const types = await lease.run(signal, async (connection) =>
    (await connection.run(sql, parameters === undefined ? undefined : [...parameters])).columnTypes(),
  );
  return types.flatMap(scalesOf);
}

function scalesOf(type: DuckDBType): readonly number[] {
  if (type instanceof DuckDBDecimalType) return [type.scale];
  if (type instanceof DuckDBListType) return scalesOf(type.valueType);
  return type instanceof DuckDBStructType ? type.entryTypes.flatMap(scalesOf) : [];
}
