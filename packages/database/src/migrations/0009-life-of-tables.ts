import { sql } from 'kysely';

import type { Migration } from './migration.ts';

/** Key fields and retention of tables, and the number of rows that a stream has deleted. Streams get the job `retention`. */
export const lifeOfTables: Migration = {
  version: 9,
  name: 'life of tables',
  up: async (transaction) => {
    await sql`ALTER TABLE tables ADD COLUMN key_fields jsonb CHECK (jsonb_typeof(key_fields) = 'array')`.execute(transaction);
    await sql`
      ALTER TABLE streams
        ADD COLUMN retention_deleted bigint NOT NULL DEFAULT 0,
        ADD COLUMN retention_detail text NOT NULL DEFAULT ''
    `.execute(transaction);
    await sql`
      ALTER TABLE stream_logs
        DROP CONSTRAINT stream_logs_job_check,
        ADD CONSTRAINT stream_logs_job_check CHECK (job IN ('data', 'index', 'retention'))
    `.execute(transaction);
  },
};
