import { sql } from 'kysely';

import type { Migration } from './migration.ts';

/**
 * What a table keeps and for how long: the fields of which each value has one row, and how many old rows a stream has deleted. A stream
 * gets the job `retention`.
 */
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
