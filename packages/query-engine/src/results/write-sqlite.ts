import { DatabaseSync } from 'node:sqlite';

import { mapInTurns } from '@svc/concurrency';
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
 * dates, times and intervals as text, as in JSON. Rows are read as lines of JSON and written in turns of the event loop; the
 * JSON functions of SQLite would search the whole row for each cell. The file is complete, or it fails with an EngineFailure.
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
    const insert = database.prepare(`INSERT INTO result VALUES (${columns.map(({ type }) => parameter(type)).join(', ')})`);
    for await (const piece of rows) await mapInTurns(cellsOf(piece), (cells) => void insert.run(...cells));
    database.exec('COMMIT');
  } catch (thrown) {
    throw asFailure(thrown);
  } finally {
    database.close();
  }
  return { rows: rows.progress().rows };
}

/** Prints each row as a line, `[1,"a"]`. */
function rowsSql(relationSql: string, columns: readonly FileColumn[]): string {
  const cells = columns.flatMap(({ expression, type }, i): TextPart[] => [
    text(i === 0 ? '[' : ','),
    sql(SQL`ifnull(${storage(type).print(expression)}, 'null')`),
  ]);
  return withStreamEnd(`SELECT ${sqlText(concatParts([...cells, text(']\n')]))} AS line ${fromRelation(relationSql)}`);
}

type Cell = string | number | null;

/** Texts become numbers where the column has a type of numbers. */
function parameter(type: Type): string {
  return storage(type).type === 'BLOB' ? 'unhex(?)' : '?';
}

/** The rows of some lines. */
function* cellsOf(piece: Uint8Array): Generator<readonly Cell[]> {
  const lines = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
  for (let from = 0; from < lines.length;) {
    const end = lines.indexOf(NEWLINE, from);
    yield JSON.parse(lines.toString('utf8', from, end)) as Cell[];
    from = end + 1;
  }
}

const NEWLINE = 0x0a;

function asFailure(thrown: unknown): unknown {
  const code = typeof thrown === 'object' && thrown !== null && 'errcode' in thrown ? thrown.errcode : undefined;
  if (code === SQLITE_FULL) return spoolFull(thrown);
  const isLongText = thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_STRING_TOO_LONG';
  if (code === SQLITE_TOO_BIG || isLongText) return new EngineFailure('overflow', 'a row is too long for sqlite', { cause: thrown });
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
const quoted = (name: PrimitiveName, type: Storage['type'] = 'TEXT'): Storage => ({
  type,
  print: (x) => SQL`'"' || ${PRIMITIVE_TEXT[name](x)} || '"'`,
});

const STORAGE = {
  byte: integer,
  short: integer,
  int: integer,
  // JSON's numbers have 53 bits.
  long: quoted('long', 'INTEGER'),
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
