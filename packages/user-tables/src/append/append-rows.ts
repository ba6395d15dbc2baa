import { once } from 'node:events';

import { AppendKeyStore, isDeadlock, type ClientTransaction, type Database, type StoredTable } from '@svc/database';
import {
  isEngineFailure,
  printCopyRows,
  readerSql,
  runStatement,
  streamResult,
  type CsvReadPlan,
  type EngineFailure,
  type EngineLease,
  type JsonReadPlan,
  type PrintedRows,
} from '@svc/query-engine';
import { ownValue } from '@svc/query-language';
import { DatabaseError } from 'pg';
import * as copyStreams from 'pg-copy-streams';

import { setLocally } from '../set-locally.ts';
import { columnsOf, typeOf } from '../table-rows.ts';
import { rowsOf } from '../types/table-columns.ts';
import { explainFailure } from './explain-failure.ts';
import { refusalOf, refusalText } from './refusal.ts';
import { RefusedRows } from './refused-rows.ts';
import { spoolRows, type RowFormat, type SpooledRows, type UploadSpool } from './spool-rows.ts';
import { uploadPlan } from './upload-plan.ts';

/** Rows for a table, as bytes in one of the formats. */
export interface AppendRequest {
  readonly table: StoredTable;
  readonly body: AsyncIterable<Uint8Array>;
  readonly format: RowFormat;
  /** Key under which repeated rows are not stored again; null without one. */
  readonly idempotencyKey: string | null;
  readonly signal: AbortSignal;
}

/** Resources of an upload. */
export interface AppendResources {
  readonly database: Database;
  readonly spool: UploadSpool;
  /** Leases an engine; called once the body is in the spool. */
  readonly lease: (signal: AbortSignal) => Promise<LeasedEngine>;
}

/** A leased engine. */
export interface LeasedEngine {
  readonly lease: EngineLease;
  readonly release: () => Promise<void>;
}

/** 'repeated': these rows were stored before under the same key. `problem` is one sentence for the caller. */
export type AppendResult =
  | { readonly kind: 'stored' | 'repeated'; readonly rowCount: number }
  | { readonly kind: 'refused'; readonly problem: string }
  | { readonly kind: 'key-reused' | 'busy' | 'gone' };

/** Maximum number of bytes that wait for PostgreSQL while the engine continues. */
const WAITING_BYTES = 4 * 1024 * 1024;
/** Attempts to store rows that meet deadlocks. */
const MOST_ATTEMPTS = 5;

/**
 * Appends rows atomically, in constant memory: the body goes into the spool, the engine reads it with the type of the table, and prints it for
 * COPY. Throws errors of the body, the signal's reason, and errors of the engine, the spool and the database.
 */
export async function appendRows(resources: AppendResources, request: AppendRequest): Promise<AppendResult> {
  const { signal } = request;
  try {
    const rows = await spoolRows({ ...request, rowType: typeOf(request.table).element }, resources.spool);
    try {
      const plan = await uploadPlan(rows, { ...request, type: typeOf(request.table) });
      return await storeWhole(resources, { ...request, rows, plan });
    } finally {
      await rows.remove();
    }
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    return answerOf(thrown, request.table);
  }
}

/** Stores the rows again after a deadlock with other writers of a table with unique indexes. */
async function storeWhole(resources: AppendResources, upload: Upload): Promise<AppendResult> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await storeOnce(resources, upload);
    } catch (thrown) {
      if (!isDeadlock(thrown) || attempt === MOST_ATTEMPTS) throw thrown;
    }
  }
}

async function storeOnce(resources: AppendResources, upload: Upload): Promise<AppendResult> {
  return resources.database.transaction(async (at) => {
    try {
      return await store(at, resources, upload);
    } catch (thrown) {
      // The session may be in the middle of a COPY.
      at.abort();
      throw thrown;
    }
  });
}

/** An upload whose body is in the spool. */
interface Upload extends AppendRequest {
  readonly rows: SpooledRows;
  readonly plan: CsvReadPlan | JsonReadPlan;
}

async function store(at: ClientTransaction, resources: AppendResources, upload: Upload): Promise<AppendResult> {
  const { transaction } = at;
  const { table, idempotencyKey: key } = upload;
  const { digest } = upload.rows;
  await setLocally(transaction, { statement_timeout: '0', idle_in_transaction_session_timeout: '0', lock_timeout: '10s' });
  if (key === null || digest === null) return { kind: 'stored', rowCount: await copyUpload(at, resources, upload) };
  const keys = new AppendKeyStore();
  const earlier = await keys.take(transaction, table.id, key);
  if (earlier !== undefined)
    return earlier.digest.equals(digest) ? { kind: 'repeated', rowCount: earlier.rowCount } : { kind: 'key-reused' };
  const rowCount = await copyUpload(at, resources, upload);
  await keys.complete(transaction, { tableId: table.id, key }, { digest, rowCount });
  return { kind: 'stored', rowCount };
}

async function copyUpload({ client }: ClientTransaction, resources: AppendResources, { table, plan, signal }: Upload): Promise<number> {
  const printed = printCopyRows(readerSql(plan, null));
  const { lease, release } = await resources.lease(signal);
  try {
    const stream = streamResult(lease, { printed, signal, explain: () => failureOf(lease, printed, signal) });
    await sendRows(client.query(copyStreams.from(copyStatement(table), { highWaterMark: WAITING_BYTES })), stream, signal);
    return stream.progress().rows;
  } catch (thrown) {
    throw isEngineFailure(thrown) ? await explainFailure(thrown, { plan, lease, signal }) : thrown;
  } finally {
    await release();
  }
}

function copyStatement(table: StoredTable): string {
  const names = columnsOf(table).columns.map(({ name }) => name);
  return `COPY ${rowsOf(table.id)} ${names.length === 0 ? '' : `(${names.join(', ')})`} FROM STDIN`;
}

async function sendRows(sink: copyStreams.CopyStreamQuery, pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  const failed = new AbortController();
  sink.on('error', (error) => failed.abort(error));
  for await (const piece of pieces) {
    // A sink that has failed has no connection, and a write to it would fail for that.
    failed.signal.throwIfAborted();
    if (!sink.write(piece)) await once(sink, 'drain', { signal });
  }
  failed.signal.throwIfAborted();
  sink.end();
  await once(sink, 'finish', { signal });
}

/** Returns the failure of a stream that ended early, which the engine hides: runs the statement again and discards its rows. */
async function failureOf(lease: EngineLease, { sql }: PrintedRows, signal: AbortSignal): Promise<EngineFailure> {
  try {
    await runStatement(lease, { sql: `SELECT max(strlen(line)) FROM (\n${sql}\n) AS again`, signal });
  } catch (thrown) {
    if (isEngineFailure(thrown)) return thrown;
    throw thrown;
  }
  throw new Error('the rows of an upload could not be read once, and could be again');
}

function answerOf(thrown: unknown, table: StoredTable): AppendResult {
  if (thrown instanceof RefusedRows) return { kind: 'refused', problem: thrown.message };
  if (!(thrown instanceof DatabaseError)) throw thrown;
  const refusal = refusalOf(thrown, table);
  if (refusal !== null) {
    const place = refusal.row === null ? 'a row' : `row ${refusal.row + 1}`;
    return { kind: 'refused', problem: `${place}${refusal.fields === null ? ':' : ','} ${refusalText(refusal)}` };
  }
  const answer = ownValue(ANSWERS, thrown.code ?? '');
  if (answer === undefined) throw thrown;
  return answer;
}

/** Results of PostgreSQL errors caused by concurrent operations. */
const ANSWERS: Readonly<Record<string, AppendResult>> = {
  // lock_not_available
  '55P03': { kind: 'busy' },
  // deadlock_detected
  '40P01': { kind: 'busy' },
  // undefined_table
  '42P01': { kind: 'gone' },
  // foreign_key_violation: the table was deleted while its key was stored.
  '23503': { kind: 'gone' },
};
