import type { StoredTable } from '@svc/database';

import type { GatheredRows, RowOrigin } from './gathered-rows.ts';
import { RowBatch } from './row-batch.ts';
import { UpsertBatch } from './upsert-batch.ts';

/** Collects rows as the table stores them: all of them, or the latest of each key. */
export function gatherRows(table: StoredTable, origin: RowOrigin): GatheredRows {
  const { keyFields } = table;
  return keyFields === null ? new RowBatch(table, origin.fields) : new UpsertBatch({ ...table, keyFields }, origin);
}
