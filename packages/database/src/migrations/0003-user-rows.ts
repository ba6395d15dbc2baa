import { sql } from 'kysely';

import type { Migration } from './migration.ts';

/** Location of the rows of user tables, and the idempotency keys of uploads: rows are stored once per key. */
export const userRows: Migration = {
  version: 3,
  name: 'user rows',
  up: async (transaction) => {
    await sql`CREATE SCHEMA user_rows`.execute(transaction);
    await sql`
      CREATE TABLE append_keys (
        table_id bigint NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        key text COLLATE "C" NOT NULL,
        digest bytea,
        row_count bigint,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (table_id, key)
      )
    `.execute(transaction);
  },
};
