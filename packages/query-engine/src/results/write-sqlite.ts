import { DatabaseSync } from 'node:sqlite';
import type { PrimitiveName, Type } from '@svc/query-language';

import type { EngineLease } from '../instances/engine-lease.ts';
import { memberNames } from '../representation/member-names.ts';
import { quoteIdentifier } from '../representation/sql-text.ts';
import { sqlText } from '../sql/print-sql.ts';
import { SQL, type Sql } from '../sql/sql.ts';
import { EngineFailure } from '../statements/engine-failure.ts';
import { spoolFull } from '../statements/spool-full.ts';
import { withStreamEnd } from '../statements/stream-end.ts';
import { streamText } from '../statements/stream-text.ts';
import { fileColumns, fromRelation, type FileColumn } from './file-rows.ts';
import { PRIMITIVE_TEXT } from './leaf-text.ts';
import { concatParts, sql, text, type TextPart } from './sql-parts.ts';
import type { FileRequest, WrittenFile } from './write-parquet.ts';

/**
 * Writes a result as the table `result` of a SQLite database: booleans as 0 and 1, binary as blobs, NaN as NULL; decimals,
 * dates, times and intervals as text, as in JSON. Rows are transferred as JSON text, some thousand at a time. The file is
 * complete, or it fails with an EngineFailure.
 */
export async function writeSqlite(lease: EngineLease, request: FileRequest): Promise<WrittenFile> {
  const { relationSql, layout, parameters, path, signal, explain } = request;
  const columns = fileColumns(layout, memberNames);
  const rows = streamText(lease, { sql: rowsSql(relationSql, columns), parameters, signal, explain });
  const database = new DatabaseSync(path);
  try {
    // The file is used only when complete: no rollback and no crash safety are required.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; BEGIN');
    database.exec(`CREATE TABLE result (${columns.map(({ name, type }) => `${quoteIdentifier(name)} ${storage(type).type}`).join(', ')})`);
    const insert = database.prepare(`INSERT INTO result ${selectSql(columns)} FROM json_each(CAST(? AS TEXT))`);
    for await (const piece of rows) insert.run(asArray(piece));
    database.exec('COMMIT');
  } catch (thrown) {
    throw asFailure(thrown);
  } finally {
    database.close();
  }
  return { rows: rows.progress().rows };
}

/** Prints each row as `,[1,"a"]`, so that concatenated rows are the inside of a JSON array. */
function rowsSql(relationSql: string, columns: readonly FileColumn[]): string {
  const cells = columns.flatMap(({ expression, type }, i): TextPart[] => [
    text(i === 0 ? ',[' : ','),
    sql(SQL`ifnull(${storage(type).print(expression)}, 'null')`),
  ]);
  return withStreamEnd(`SELECT ${sqlText(concatParts([...cells, text(']')]))} AS line ${fromRelation(relationSql)}`);
}

function selectSql(columns: readonly FileColumn[]): string {
  const cells = columns.map(({ type }, i) => {
    const cell = `value ->> '$[${i}]'`;
    return storage(type).type === 'BLOB' ? `unhex(${cell})` : cell;
  });
  return `SELECT ${cells.join(', ')}`;
}

/** Replaces the first comma by the bracket. */
function asArray(piece: Uint8Array): Uint8Array {
  const array = new Uint8Array(piece.byteLength + 1);
  array.set(piece);
  array.set(BRACKETS.subarray(0, 1), 0);
  array.set(BRACKETS.subarray(1), piece.byteLength);
  return array;
}

const BRACKETS = Buffer.from('[]');

function asFailure(thrown: unknown): unknown {
  const code = typeof thrown === 'object' && thrown !== null && 'errcode' in thrown ? thrown.errcode : undefined;
  if (code === SQLITE_FULL) return spoolFull(thrown);
  if (code === SQLITE_TOO_BIG) return new EngineFailure('overflow', 'a row is too long for sqlite', { cause: thrown });
  return thrown;
}

const SQLITE_FULL = 13;
const SQLITE_TOO_BIG = 18;

interface Storage {
  /** Column type in the table's declaration. */
  readonly type: 'INTEGER' | 'REAL' | 'TEXT' | 'BLOB';
  /** SQL of the value's JSON text; NULL for NULL. */
  readonly print: (x: Sql) => Sql;
}

function storage(type: Type): Storage {
  if (type.kind !== 'PrimitiveType') throw new Error(`A cell of SQLite cannot hold a ${type.kind}.`);
  return STORAGE[type.name];
}

const integer: Storage = { type: 'INTEGER', print: (x) => SQL`CAST(${x} AS VARCHAR)` };
const real = (name: 'float' | 'double'): Storage => ({
  type: 'REAL',
  print: (x) =>
    SQL`CASE WHEN isfinite(${x}) THEN ${PRIMITIVE_TEXT[name](x)} WHEN isnan(${x}) THEN NULL WHEN ${x} > 0 THEN '9e999' WHEN ${x} < 0 THEN '-9e999' END`,
});
const string: Storage = { type: 'TEXT', print: (x) => SQL`CAST(to_json(${x}) AS VARCHAR)` };
const quoted = (name: PrimitiveName): Storage => ({ type: 'TEXT', print: (x) => SQL`'"' || ${PRIMITIVE_TEXT[name](x)} || '"'` });

const STORAGE = {
  byte: integer,
  short: integer,
  int: integer,
  long: integer,
  bool: { type: 'INTEGER', print: (x) => SQL`CASE WHEN ${x} THEN '1' WHEN NOT ${x} THEN '0' END` },
  float: real('float'),
  double: real('double'),
  decimal: quoted('decimal'),
  string,
  regex: string,
  date: quoted('date'),
  time: quoted('time'),
  timestamp: quoted('timestamp'),
  interval: quoted('interval'),
  binary: { type: 'BLOB', print: (x) => SQL`'"' || hex(${x}) || '"'` },
} as const satisfies Record<PrimitiveName, Storage>;
