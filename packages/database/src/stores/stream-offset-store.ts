import { sql, type Kysely, type Transaction } from 'kysely';

import type { Schema } from '../connection/schema.ts';

/** A topic of a table. Its id distinguishes it from a later topic of the same name. */
export interface TopicOfTable {
  readonly tableId: number;
  readonly clusterId: string;
  readonly topicId: string;
}

/** Progress of a table in a partition. The counts cover all streams that wrote to the table from this topic. */
export interface StoredOffset {
  readonly partition: number;
  readonly nextOffset: number;
  readonly rowCount: number;
  readonly deadCount: number;
  /** Messages that the topic dropped before they were read. */
  readonly lostCount: number;
}

/** An advance in a partition, with the counts of its messages. */
export interface OffsetAdvance {
  readonly partition: number;
  /** Null for a partition without a stored offset. */
  readonly expected: number | null;
  readonly next: number;
  readonly rows: number;
  readonly dead: number;
  readonly lost: number;
}

/** Progress of tables in the topics that streams read. */
export class StreamOffsetStore {
  /** Returns every partition with a stored offset. */
  async read(db: Kysely<Schema>, { tableId, clusterId, topicId }: TopicOfTable): Promise<readonly StoredOffset[]> {
    return db
      .selectFrom('stream_offsets')
      .select(['partition', 'next_offset as nextOffset', 'row_count as rowCount', 'dead_count as deadCount', 'lost_count as lostCount'])
      .where('table_id', '=', tableId)
      .where('cluster_id', '=', clusterId)
      .where('topic_id', '=', topicId)
      .orderBy('partition')
      .execute();
  }

  /**
   * Advances the next offset of a partition, in the transaction that stores the messages up to it. Returns false and changes
   * nothing if it is not the expected one: another process has advanced it, and the transaction must not commit.
   */
  async advance(transaction: Transaction<Schema>, topic: TopicOfTable, step: OffsetAdvance): Promise<boolean> {
    const { tableId, clusterId, topicId } = topic;
    const { partition, expected, next, rows, dead, lost } = step;
    if (expected === null) {
      const counts = { row_count: rows, dead_count: dead, lost_count: lost };
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('stream_offsets')
        .values({ table_id: tableId, cluster_id: clusterId, topic_id: topicId, partition, next_offset: next, ...counts })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    }
    const { numUpdatedRows } = await transaction
      .updateTable('stream_offsets')
      .set({
        next_offset: next,
        row_count: sql<number>`row_count + ${rows}`,
        dead_count: sql<number>`dead_count + ${dead}`,
        lost_count: sql<number>`lost_count + ${lost}`,
      })
      .where('table_id', '=', tableId)
      .where('cluster_id', '=', clusterId)
      .where('topic_id', '=', topicId)
      .where('partition', '=', partition)
      .where('next_offset', '=', expected)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  /** Adds the rows stored by a replay of dead letters. */
  async countReplay(
    transaction: Transaction<Schema>,
    { tableId, clusterId, topicId }: TopicOfTable,
    of: { readonly partition: number; readonly rows: number; readonly dead: number },
  ): Promise<void> {
    await transaction
      .updateTable('stream_offsets')
      .set({ row_count: sql<number>`row_count + ${of.rows}`, dead_count: sql<number>`greatest(dead_count - ${of.dead}, 0)` })
      .where('table_id', '=', tableId)
      .where('cluster_id', '=', clusterId)
      .where('topic_id', '=', topicId)
      .where('partition', '=', of.partition)
      .execute();
  }
}
