import { DeadLetterStore, StreamOffsetStore, TableStore, type Database, type DeadLetter, type StoredStream } from '@svc/database';
import { ServiceError } from '@svc/errors';
import type { EnginePool, Message } from '@svc/query-engine';
import type { CompiledTransform } from '@svc/query-runtime';

import { deadLetter, transformBatch } from '../jobs/transform-batch.ts';

/** What a replay stands on. */
export interface ReplayWorld {
  readonly rows: Database;
  readonly engine: EnginePool;
  readonly transformTimeoutMillis: number;
}

/** What a replay did. */
export interface Replayed {
  readonly replayed: number;
  readonly rows: number;
  readonly dead: number;
}

/** Letters of one transaction: what they hold is in memory. */
const LETTERS_AT_ONCE = 200;

/**
 * Runs the transform of a stream over its dead letters once more. Row and letter change places in one transaction, so that a letter is
 * stored once, whoever else replays; one that fails again is kept with its new reason.
 */
export async function replayDeadLetters(
  world: ReplayWorld,
  { stream, transform, signal }: { readonly stream: StoredStream; readonly transform: CompiledTransform; readonly signal: AbortSignal },
): Promise<Replayed> {
  const letters = new DeadLetterStore();
  const total = { replayed: 0, rows: 0, dead: 0 };
  // A letter that fails again is kept under a new id: what comes after these is for the next replay.
  const until = await letters.newestId(world.rows.db, stream);
  for (let after = 0; ;) {
    signal.throwIfAborted();
    const page = await letters.list(world.rows.db, stream, { after, until, limit: LETTERS_AT_ONCE });
    const last = page.at(-1);
    if (last === undefined) return total;
    after = last.id;
    const done = await replayPage(world, { stream, transform, page, signal });
    total.replayed += done.replayed;
    total.rows += done.rows;
    total.dead += done.dead;
  }
}

interface Page {
  readonly stream: StoredStream;
  readonly transform: CompiledTransform;
  readonly page: readonly DeadLetter[];
  readonly signal: AbortSignal;
}

async function replayPage({ rows: database, engine, transformTimeoutMillis: timeoutMillis }: ReplayWorld, at: Page): Promise<Replayed> {
  const { stream, transform, page, signal } = at;
  const table = await new TableStore(database).get(stream.namespace, stream.name);
  if (table === undefined || table.id !== stream.tableId) throw new ServiceError('stream_error', 'The table of the stream is gone.');
  const letters = new DeadLetterStore();
  return database.transaction(async (transaction) => {
    // Taken first: another replay waits here, and finds them gone.
    const taken = new Set(
      await letters.take(
        transaction.transaction,
        page.map(({ id }) => id),
      ),
    );
    const own = page.filter(({ id }) => taken.has(id));
    const caller = { subject: stream.subject, namespace: stream.namespace, scopes: [] };
    const batch = await transformBatch({ engine, transform, caller, table, timeoutMillis }, own.map(toMessage), signal);
    const refused = await batch.rows.store(transaction);
    const bad = [
      ...batch.bad,
      ...refused.flatMap(({ row, problem }) => {
        const message = batch.messages[batch.messageOfRow[row] ?? -1];
        return message === undefined ? [] : [deadLetter(message, { message: `the table refuses the row: ${problem}`, positions: [] })];
      }),
    ];
    await letters.keep(transaction.transaction, stream, bad);
    for (const [partition, group] of Map.groupBy(own, (letter) => letter.partition)) {
      const dead = bad.filter((letter) => letter.partition === partition).length;
      const refusedRows = new Set(refused.map(({ row }) => row));
      const stored = batch.messageOfRow.filter(
        (index, row) => batch.messages[index]?.partition === partition && !refusedRows.has(row),
      ).length;
      await new StreamOffsetStore().countReplay(transaction.transaction, stream, { partition, rows: stored, dead: group.length - dead });
    }
    return { replayed: own.length, rows: batch.rows.rowCount - refused.length, dead: bad.length };
  });
}

function toMessage({ key, value, topic, partition, offset, timestampMillis, timestampType }: DeadLetter): Message {
  return { key, value, topic, partition, offset: BigInt(offset), timestampMillis, timestampType };
}
