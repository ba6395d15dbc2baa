import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import type { ClientTransaction, Database } from '@svc/database';
import { failedQuery } from '@svc/errors';
import { conditionSql, conditionsSql, copyRows, countRows, INTERVAL_CELL, longestRow, orderSql, type ScanNeeds } from '@svc/pg-rows';
import { countedRowsReader, tableFileReader, type Reader } from '@svc/query-engine';
import type { CollectionType } from '@svc/query-language';
import { sql } from 'kysely';
import { DatabaseError } from 'pg';

import { setLocally } from '../set-locally.ts';
import { rowsOf, tableColumns, type TableColumn } from '../types/table-columns.ts';

/** A table that a query reads. */
export interface ScannedTable extends Omit<ScanNeeds, 'source'> {
  /** Name of the table in the plan. */
  readonly table: string;
  /** Identifies its rows; see StoredTable. */
  readonly id: number;
  readonly type: CollectionType;
}

/** Tables to read for one query, and where to. */
export interface ScanRequest {
  readonly tables: readonly ScannedTable[];
  /** Folder of the copied rows, readable by the engine. */
  readonly directory: string;
  /** Called with the size of each piece before it is written. Returns false if there is no room. */
  readonly reserve: (bytes: number) => boolean;
  readonly signal: AbortSignal;
}

/** Copied rows of tables; the caller closes them when the query is over. */
export interface TableScans {
  /** By the table's name in the plan. */
  readonly readers: ReadonlyMap<string, Reader>;
  readonly bytes: number;
  readonly close: () => Promise<void>;
}

/** SQLSTATE if the table, or a part of it, no longer exists. */
const GONE: ReadonlySet<string> = new Set(['42P01', '42703', '3F000']);

/**
 * Copies what a query needs of tables, in one snapshot. Rows are in physical order, which is the order of their appends.
 * Fails with a QueryFailure if a table was deleted or the rows exceed the allowed space.
 */
export async function scanTables(database: Database, request: ScanRequest): Promise<TableScans> {
  const { tables, signal } = request;
  const directory = await mkdtemp(join(request.directory, 'tables-'));
  const close = (): Promise<void> => rm(directory, { recursive: true, force: true });
  const readers = new Map<string, Reader>();
  let bytes = 0;
  let current = '';
  try {
    await database.transaction(async (at) => {
      await prepare(at);
      for (const [i, table] of tables.entries()) {
        current = table.table;
        signal.throwIfAborted();
        const path = join(directory, `${i + 1}.txt`);
        const { bytes: read, reader } = await scanTable(at, table, { path, reserve: request.reserve, signal });
        bytes += read;
        readers.set(table.table, reader);
      }
    });
    return { readers, bytes, close };
  } catch (thrown) {
    await close();
    if (signal.aborted) throw signal.reason;
    if (thrown instanceof DatabaseError && GONE.has(thrown.code ?? ''))
      throw failedQuery({ message: `the table ${current} was removed while the query began`, positions: [] }, { cause: thrown });
    throw thrown;
  }
}

/** Sets one snapshot for all tables, the value formats of the reader, and physical order: no parallel workers, no index scans. */
async function prepare({ transaction }: ClientTransaction): Promise<void> {
  await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`.execute(transaction);
  await setLocally(transaction, {
    statement_timeout: '0',
    lock_timeout: '10s',
    // A filter without matches sends nothing, so the server would not notice a disconnected client.
    client_connection_check_interval: '500ms',
    DateStyle: 'ISO, YMD',
    bytea_output: 'hex',
    extra_float_digits: '1',
    max_parallel_workers_per_gather: '0',
    synchronize_seqscans: 'off',
    enable_indexscan: 'off',
    enable_indexonlyscan: 'off',
  });
}

interface ScanTarget {
  readonly path: string;
  readonly reserve: ScanRequest['reserve'];
  readonly signal: AbortSignal;
}

const WAITING_BYTES = 4 * 1024 * 1024;

/** Copies rows, or counts them where no field is used: such a row has a byte. */
async function scanTable(
  at: ClientTransaction,
  table: ScannedTable,
  { path, reserve, signal }: ScanTarget,
): Promise<{ readonly bytes: number; readonly reader: Reader }> {
  const { columns } = tableColumns(table.type);
  const fields = table.fields ?? columns.map((_, i) => i);
  const select = selectOf(table, columns, fields);
  if (fields.length === 0) {
    const count = await countRows({ client: at.client, select, signal, abort: at.abort });
    return { bytes: count, reader: countedRowsReader({ count, type: table.type }) };
  }
  const rowLength = (await hasLongRows(at, table.id)) ? longestRow() : null;
  // Rows in an order other than the physical one may come by an index.
  if (table.top !== null) await setLocally(at.transaction, { enable_indexscan: 'on' });
  let written = 0;
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of copyRows({ client: at.client, select, signal, abort: at.abort })) {
      written += piece.byteLength;
      if (!reserve(piece.byteLength)) throw noRoom(table.table, 'the limit of the spool (SVC_SPOOL_MB)');
      rowLength?.take(piece);
      yield piece;
    }
  };
  try {
    // Data that arrives during a write is written as one chunk.
    await pipeline(counted, createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: WAITING_BYTES }));
    if (table.top !== null) await setLocally(at.transaction, { enable_indexscan: 'off' });
  } catch (thrown) {
    throw isDiskFull(thrown) ? noRoom(table.table, 'the disk of the spool has', thrown) : thrown;
  }
  return { bytes: written, reader: tableFileReader({ path, type: table.type, fields, maxRowBytes: rowLength?.bytes() ?? 0 }) };
}

function noRoom(table: string, room: string, cause?: unknown): Error {
  return failedQuery({ message: `the rows of ${table} need more room than ${room}`, positions: [] }, { cause });
}

function isDiskFull(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ENOSPC';
}

/** Returns whether any row is long enough to be stored out of line by PostgreSQL; otherwise all rows are far below the reader's limit. */
async function hasLongRows({ transaction }: ClientTransaction, tableId: number): Promise<boolean> {
  const { rows } = await sql<{ isLong: boolean }>`
    SELECT reltoastrelid <> 0 AND pg_relation_size(reltoastrelid) > 0 AS "isLong" FROM pg_class WHERE oid = ${rowsOf(tableId)}::regclass
  `.execute(transaction);
  return rows[0]?.isLong ?? true;
}

function selectOf(table: ScannedTable, columns: readonly TableColumn[], fields: readonly number[]): string {
  const columnOf = (index: number): TableColumn => {
    const column = columns[index];
    if (column === undefined) throw new Error('The plan uses a field that the table does not have.');
    return column;
  };
  const items = fields.map((index) => {
    const { name, sqlType } = columnOf(index);
    return sqlType === 'interval' ? INTERVAL_CELL.replaceAll('$x', name) : name;
  });
  const where = conditionsSql(table.conditions, (condition) => conditionSql(condition, columnOf(condition.field).name)).sql;
  return [
    `SELECT ${[...items, '1'].join(', ')} FROM ${rowsOf(table.id)}`,
    ...(where === null ? [] : [`WHERE ${where}`]),
    ...(table.limit === null ? [] : [`LIMIT ${table.limit}`]),
    ...(table.top === null ? [] : [orderSql(table.top, (index) => orderedColumn(columnOf(index)))]),
  ].join(' ');
}

function orderedColumn({ name, field }: TableColumn) {
  return { sql: name, isNullable: field.type.isNullable };
}
