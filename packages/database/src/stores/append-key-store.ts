import { sql, type Transaction } from 'kysely';

import type { Schema } from '../connection/schema.ts';

/** An upload of rows that has been stored. */
export interface AppendedRows {
  readonly digest: Buffer;
  readonly rowCount: number;
}

const KEPT_HOURS = 24;

/** The keys of uploads to a table. All methods work in the transaction of the upload, so that key and rows are stored together. */
export class AppendKeyStore {
  /**
   * Reserves an idempotency key for an upload; returns the earlier upload if there was one. While another upload with that
   * key runs, it waits up to the transaction's `lock_timeout`. Keys are kept for a day.
   */
  async take(transaction: Transaction<Schema>, tableId: number, key: string): Promise<AppendedRows | undefined> {
    await transaction
      .deleteFrom('append_keys')
      .where('table_id', '=', tableId)
      .where('created_at', '<', sql<Date>`now() - make_interval(hours => ${KEPT_HOURS})`)
      .execute();
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('append_keys')
      .values({ table_id: tableId, key })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 1n) return undefined;
    const row = await transaction
      .selectFrom('append_keys')
      .select(['digest', 'row_count as rowCount'])
      .where('table_id', '=', tableId)
      .where('key', '=', key)
      .executeTakeFirstOrThrow();
    if (row.digest === null || row.rowCount === null) throw new Error('A key that others can see belongs to a complete upload.');
    return { digest: row.digest, rowCount: row.rowCount };
  }

  /** Records the upload of a reserved key. */
  async complete(
    transaction: Transaction<Schema>,
    at: { readonly tableId: number; readonly key: string },
    rows: AppendedRows,
  ): Promise<void> {
    await transaction
      .updateTable('append_keys')
      .set({ digest: rows.digest, row_count: rows.rowCount })
      .where('table_id', '=', at.tableId)
      .where('key', '=', at.key)
      .execute();
  }
}
