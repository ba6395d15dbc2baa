import { primitive, type Type } from '@svc/query-language';

import type { EngineLease } from '../instances/engine-lease.ts';
import { DECIMAL_SCALE, duckType } from '../representation/duck-type.ts';
import { memberNames } from '../representation/member-names.ts';
import type { RelationLayout } from '../representation/relation-layout.ts';
import { castTo, SQL, type Sql } from '../sql/sql.ts';
import { copyToFile } from '../statements/copy-to-file.ts';
import type { TextStatement } from '../statements/stream-text.ts';
import { avroNames, avroSchema } from './avro-schema.ts';
import { fileColumns, fileRowsSql } from './file-rows.ts';
import type { FileForm } from './file-value.ts';
import { PRIMITIVE_TEXT } from './leaf-text.ts';

/** A relation that is to become a file, and which one. */
export interface FileRequest extends Pick<TextStatement, 'parameters' | 'signal' | 'explain'> {
  readonly relationSql: string;
  readonly layout: RelationLayout;
  /** A file in the spool. */
  readonly path: string;
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
  const columns = fileColumns(request.layout, RAW.names);
  return copyToFile(lease, { ...request, sql: fileRowsSql(request.relationSql, { columns, form: RAW }) });
}

/** The same rows with names that Avro allows, and in the footer the Avro schema by which Avro's readers open them. */
export async function writeParquetAvro(lease: EngineLease, request: FileRequest): Promise<WrittenFile> {
  const columns = fileColumns(request.layout, avroNames);
  const metadata = { 'parquet.avro.schema': JSON.stringify(avroSchema(columns)) };
  return copyToFile(lease, { ...request, sql: fileRowsSql(request.relationSql, { columns, form: AVRO }), metadata });
}

const AVRO: FileForm = {
  names: avroNames,
  leaf: (x, type) => {
    if (type.kind === 'AnyType') return castTo(x, 'VARCHAR');
    return type.kind === 'PrimitiveType' && type.name === 'decimal' ? avroDecimal(x) : intervalText(x, type);
  },
};

/** A decimal with the digits of its Avro type, whatever its own scale is. More digits overflow, those after the point too. */
function avroDecimal(x: Sql): Sql {
  const engineType = duckType(primitive('decimal'));
  const tooLong = castTo(SQL`CAST('1e30' AS DECIMAL(38,0))`, engineType);
  return SQL`CASE WHEN trunc(${x}, ${DECIMAL_SCALE}) <> ${x} THEN ${tooLong} ELSE ${castTo(x, engineType)} END`;
}
