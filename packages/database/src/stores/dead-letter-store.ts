import { sql, type Kysely, type Transaction } from 'kysely';

import type { Schema } from '../connection/schema.ts';
import type { TextRange } from '../connection/stream-rows.ts';
import type { TopicOfTable } from './stream-offset-store.ts';

/** A message that could not be stored, unchanged, with the reason. */
export interface NewDeadLetter {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly timestampMillis: number;
  readonly timestampType: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly reason: string;
  /** The place in the transform. */
  readonly position: TextRange | null;
}

/** The key of messages, and the offset of the message that removed its rows. */
export interface RemovedKey {
  readonly key: Uint8Array;
  readonly offset: number;
}

/** A stored dead letter. */
export interface DeadLetter extends NewDeadLetter {
  readonly id: number;
  readonly createdAt: Date;
}

/** The messages that could not be stored, of each table and topic. */
export class DeadLetterStore {
  /**
   * Stores dead letters, in the transaction that advances the offset past them. One that is stored already is kept once,
   * with the latest reason.
   */
  async keep(
    transaction: Transaction<Schema>,
    { tableId, clusterId, topicId }: TopicOfTable,
    letters: readonly NewDeadLetter[],
  ): Promise<void> {
    for (let at = 0; at < letters.length; at += ROWS_PER_STATEMENT) {
      const rows = letters.slice(at, at + ROWS_PER_STATEMENT).map((letter) => ({
        table_id: tableId,
        cluster_id: clusterId,
        topic_id: topicId,
        topic: letter.topic,
        partition: letter.partition,
        offset: letter.offset,
        timestamp_millis: letter.timestampMillis,
        timestamp_type: letter.timestampType,
        key: letter.key,
        value: letter.value,
        // PostgreSQL's text supports every character except this one.
        reason: letter.reason.replaceAll('\u0000', '\uFFFD'),
        position: letter.position === null ? null : JSON.stringify(letter.position),
      }));
      await transaction
        .insertInto('stream_dead_letters')
        .values(rows)
        .onConflict((conflict) =>
          conflict
            .columns(['table_id', 'cluster_id', 'topic_id', 'partition', 'offset'])
            .doUpdateSet((eb) => ({ reason: eb.ref('excluded.reason'), position: eb.ref('excluded.position') })),
        )
        .execute();
    }
  }

  /**
   * Deletes dead letters of a partition whose key was removed by a later message, in the transaction that removes its rows:
   * replayed later, they would restore them. Returns their number. Waits for a replay that has locked one of them.
   */
  async forgetRemoved(
    transaction: Transaction<Schema>,
    { tableId, clusterId, topicId }: TopicOfTable,
    { partition, removals }: { readonly partition: number; readonly removals: readonly RemovedKey[] },
  ): Promise<number> {
    if (removals.length === 0) return 0;
    const keys = removals.map(({ key }) => Buffer.from(key));
    const { numAffectedRows } = await sql`
      DELETE FROM stream_dead_letters AS letters
      USING unnest(${keys}::bytea[], ${removals.map(({ offset }) => offset)}::bigint[]) AS removed (key, at)
      WHERE table_id = ${tableId} AND cluster_id = ${clusterId} AND topic_id = ${topicId} AND partition = ${partition}
        AND letters.key = removed.key AND letters."offset" < removed.at
    `.execute(transaction);
    return Number(numAffectedRows ?? 0n);
  }

  /** Returns the id of the newest letter; 0 if there are none. */
  async newestId(db: Kysely<Schema>, topic: TopicOfTable): Promise<number> {
    const newest = await lettersOf(db, topic).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
    return newest?.id ?? 0;
  }

  /**
   * Returns letters in the order they were stored, with an id above `after` and, if given, up to `until`. Fewer than `limit` if
   * they are large; none if none is left.
   */
  async list(
    db: Kysely<Schema>,
    topic: TopicOfTable,
    { after, until = Number.MAX_SAFE_INTEGER, limit }: { readonly after: number; readonly until?: number; readonly limit: number },
  ): Promise<readonly DeadLetter[]> {
    const page = lettersOf(db, topic)
      .select(['id', sql<number>`coalesce(octet_length(key), 0) + coalesce(octet_length(value), 0)`.as('bytes')])
      .where('id', '>', after)
      .where('id', '<=', until)
      .orderBy('id')
      .limit(limit);
    const before = sql<number>`sum(bytes) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`;
    const sized = db.selectFrom(page.as('page')).select(['id', sql<number>`coalesce(${before}, 0)`.as('before')]);
    const ids = db.selectFrom(sized.as('sized')).select('id').where('before', '<', MOST_BYTES);
    return lettersOf(db, topic).select(COLUMNS).where('id', 'in', ids).orderBy('id').execute();
  }

  /** Removes letters in the transaction that stores them; a concurrent replay finds them gone. */
  async take(transaction: Transaction<Schema>, ids: readonly number[]): Promise<readonly number[]> {
    if (ids.length === 0) return [];
    const rows = await transaction
      .deleteFrom('stream_dead_letters')
      .where('id', 'in', [...ids])
      .returning('id')
      .execute();
    return rows.map(({ id }) => id);
  }
}

/** Keys and values of a list, which are held in memory, take so much and one letter. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Eleven parameters per row; PostgreSQL allows 65535 per statement. */
const ROWS_PER_STATEMENT = 1000;

const COLUMNS = [
  'id',
  'topic',
  'partition',
  'offset',
  // Kafka takes timestamps beyond the integers that JavaScript has.
  sql<number>`timestamp_millis::double precision`.as('timestampMillis'),
  'timestamp_type as timestampType',
  'key',
  'value',
  'reason',
  'position',
  'created_at as createdAt',
] as const;

function lettersOf(db: Kysely<Schema>, { tableId, clusterId, topicId }: TopicOfTable) {
  return db
    .selectFrom('stream_dead_letters')
    .where('table_id', '=', tableId)
    .where('cluster_id', '=', clusterId)
    .where('topic_id', '=', topicId);
}
