import {
  DeadLetterStore,
  StreamOffsetStore,
  StreamStore,
  type ClientTransaction,
  type Database,
  type NewDeadLetter,
  type StoredStream,
  type TopicOfTable,
} from '@svc/database';
import { sql } from 'kysely';

import type { MessageBatch } from '../kafka/topic-consumer.ts';
import type { Inject } from './injection.ts';
import { RunStopped } from './job-failure.ts';
import { lettersOf, type TransformedBatch } from './transform-batch.ts';

/** Destination of a stream's batches. */
export interface BatchTarget {
  readonly database: Database;
  readonly stream: StoredStream;
  readonly inject: Inject;
}

/**
 * 'stored': rows, dead letters and the next offset are committed. 'stale': another process has advanced the offset, and
 * nothing was written.
 */
export type StoreResult =
  | { readonly kind: 'stored'; readonly rows: number; readonly bad: readonly NewDeadLetter[] }
  | { readonly kind: 'stale' };

type Step = Pick<MessageBatch, 'partition' | 'next' | 'expected' | 'lost' | 'signal'>;

const SETTINGS = { statement_timeout: '120s', lock_timeout: '10s', idle_in_transaction_session_timeout: '60s' };

/**
 * Stores a batch in one transaction: its rows, its dead letters, and the next offset by compare-and-set. Throws RunStopped,
 * the signal's reason, and errors of the database; nothing is committed then, unless the response to the COMMIT was lost: a
 * retry detects that by the offset.
 */
export async function storeBatch(target: BatchTarget, batch: TransformedBatch, step: Step): Promise<StoreResult> {
  const { database, inject } = target;
  await inject('before-begin');
  try {
    const stored = await database.transaction(async (at) => {
      const abort = (): void => at.abort();
      step.signal.addEventListener('abort', abort, { once: true });
      try {
        step.signal.throwIfAborted();
        return await storeIn(at, target, batch, step);
      } finally {
        step.signal.removeEventListener('abort', abort);
      }
    });
    await inject('after-commit');
    return { kind: 'stored', ...stored };
  } catch (thrown) {
    if (step.signal.aborted) throw step.signal.reason;
    if (thrown instanceof Stale) return { kind: 'stale' };
    throw thrown;
  }
}

class Stale extends Error {}

async function storeIn(
  at: ClientTransaction,
  { stream, inject }: BatchTarget,
  batch: TransformedBatch,
  { partition, next, expected, lost }: Step,
): Promise<{ readonly rows: number; readonly bad: readonly NewDeadLetter[] }> {
  const { transaction } = at;
  await sql`SELECT set_config(name, value, true) FROM jsonb_each_text(${JSON.stringify(SETTINGS)}::jsonb) AS each (name, value)`.execute(
    transaction,
  );
  // First, so that a stop waits for this batch, and a batch after a stop writes nothing.
  if (!(await new StreamStore({ db: transaction }).hold(transaction, stream))) throw new RunStopped();
  const letters = new DeadLetterStore();
  const topic: TopicOfTable = stream;
  // Before the rows: a replay that holds one of these letters stores its row first, which is then removed with the others.
  const forgotten = await letters.forgetRemoved(transaction, topic, { partition, removals: batch.rows.removals });
  const stored = await batch.rows.store(at);
  await inject('after-rows');
  const bad = lettersOf(batch, stored);
  await letters.keep(transaction, topic, bad);
  const step = { partition, expected, next, rows: stored.rows, dead: bad.length - forgotten, lost };
  if (!(await new StreamOffsetStore().advance(transaction, topic, step))) throw new Stale();
  await inject('before-commit');
  return { rows: stored.rows, bad };
}
