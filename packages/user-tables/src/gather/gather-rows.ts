import type { StoredTable } from '@svc/database';

import type { GatheredRows, RowOrigin } from './gathered-rows.ts';
import { RowBatch } from './row-batch.ts';
import { UpsertBatch } from './upsert-batch.ts';

/** Gathers rows as the table keeps them: all of them, or the latest of each key. */
export function gatherRows(table: StoredTable, origin: RowOrigin): GatheredRows {
  const { keyFields } = table;
  return keyFields === null ? new RowBatch(table, origin.fields) : new UpsertBatch({ ...table, keyFields }, origin);
}
