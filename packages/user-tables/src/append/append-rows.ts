import { ownValue } from '@svc/query-language';

import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';

import { AppendKeyStore, type ClientTransaction, type Database, type StoredTable } from '@svc/database';
import { DatabaseError } from 'pg';
import * as copyStreams from 'pg-copy-streams';

import { columnsOf } from '../table-rows.ts';
import { setLocally } from '../set-locally.ts';
import { rowsOf } from '../types/table-columns.ts';
import { CopyWriter } from './copy-writer.ts';
import { forEachLine, lineBlocks } from './line-blocks.ts';
import { refusalOf, refusalText } from './refusal.ts';
import { RowError } from './row-error.ts';
import { rowReader, type RowFormat } from './row-reader.ts';

/** Rows for a table, as bytes in one of the formats. */
export interface AppendRequest {
  readonly table: StoredTable;
  readonly body: AsyncIterable<Uint8Array>;
  readonly format: RowFormat;
  /** Rows sent again under a key are not stored again; null for no key. */
  readonly idempotencyKey: string | null;
  readonly signal: AbortSignal;
}

/** 'repeated': these rows were stored before under the same key. `problem` is one sentence for who sent them. */
export type AppendResult =
  | { readonly kind: 'stored' | 'repeated'; readonly rowCount: number }
  | { readonly kind: 'refused'; readonly problem: string }
  | { readonly kind: 'key-reused' | 'busy' | 'gone' };

const PIECE_BYTES = 128 * 1024;

/** Appends rows atomically, in constant memory. Throws errors of the body, the signal's reason, and errors of the database. */
export async function appendRows(database: Database, request: AppendRequest): Promise<AppendResult> {
  try {
    return await database.transaction(async (at) => {
      try {
        return await store(at, request);
      } catch (thrown) {
        // The session may be in the middle of a COPY.
        at.abort();
        throw thrown;
      }
    });
  } catch (thrown) {
    if (request.signal.aborted) throw request.signal.reason;
    return answerOf(thrown, request.table);
  }
}

async function store(at: ClientTransaction, request: AppendRequest): Promise<AppendResult> {
  const { transaction } = at;
  const { table, idempotencyKey: key } = request;
  // The server that reads the body limits the client's inactivity.
  const settings = { statement_timeout: '0', idle_in_transaction_session_timeout: '0', lock_timeout: '10s' };
  await setLocally(transaction, settings);
  if (key === null) return { kind: 'stored', rowCount: await copyRows(at, request, null) };
  const keys = new AppendKeyStore();
  const hash = createHash('sha256').update(request.format);
  const earlier = await keys.take(transaction, table.id, key);
  if (earlier !== undefined) {
    for await (const piece of request.body) hash.update(piece);
    return hash.digest().equals(earlier.digest) ? { kind: 'repeated', rowCount: earlier.rowCount } : { kind: 'key-reused' };
  }
  const rowCount = await copyRows(at, request, hash);
  await keys.complete(transaction, { tableId: table.id, key }, { digest: hash.digest(), rowCount });
  return { kind: 'stored', rowCount };
}

async function copyRows({ client }: ClientTransaction, { table, body, format, signal }: AppendRequest, hash: Hash | null): Promise<number> {
  const columns = columnsOf(table);
  const writer = new CopyWriter(PIECE_BYTES);
  const reader = rowReader(format, columns, writer);
  const names = columns.columns.length === 0 ? '' : `(${columns.columns.map(({ name }) => name).join(', ')})`;
  const sink = client.query(copyStreams.from(`COPY ${rowsOf(table.id)} ${names} FROM STDIN (FORMAT binary)`));
  const failed = once(sink, 'error').then(([error]) => Promise.reject(error as Error));
  failed.catch(() => {});
  const send = async (piece: Buffer): Promise<void> => {
    if (!sink.write(piece)) await Promise.race([once(sink, 'drain', { signal }), failed]);
  };
  writer.header();
  try {
    for await (const block of lineBlocks(hash === null ? body : hashed(body, hash))) {
      signal.throwIfAborted();
      const pieces: Buffer[] = [];
      forEachLine(block, (start, end) => {
        reader.take(block, start, end);
        const piece = writer.take();
        if (piece !== null) pieces.push(piece);
      });
      for (const piece of pieces) await send(piece);
    }
    reader.finish();
  } catch (thrown) {
    throw thrown instanceof RowError ? new RefusedRow(reader.firstLine(), thrown) : thrown;
  }
  writer.trailer();
  await send(writer.takeRest());
  sink.end();
  await Promise.race([once(sink, 'finish', { signal }), failed]);
  return reader.rowCount();
}

async function* hashed(body: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    hash.update(piece);
    yield piece;
  }
}

/** A row that the table cannot hold, with its line. */
class RefusedRow extends Error {
  constructor(line: number, cause: RowError) {
    super(`line ${line}${cause.field === null ? '' : `, field ${cause.field}`}: ${cause.message}`);
    this.name = 'RefusedRow';
  }
}

function answerOf(thrown: unknown, table: StoredTable): AppendResult {
  if (thrown instanceof RefusedRow) return { kind: 'refused', problem: thrown.message };
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
  // undefined_table
  '42P01': { kind: 'gone' },
  // foreign_key_violation: the table was deleted while its key was stored.
  '23503': { kind: 'gone' },
};
