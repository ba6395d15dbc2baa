import { sql } from 'kysely';

import type { Migration } from './migration.ts';

/** Records which migrations older programs cannot work with, so that all others are applied while those go on running. */
export const compatibility: Migration = {
  version: 10,
  name: 'compatibility',
  up: async (transaction) => {
    await sql`ALTER TABLE schema_versions ADD COLUMN breaks_older boolean NOT NULL DEFAULT false`.execute(transaction);
  },
  down: async (transaction) => {
    await sql`ALTER TABLE schema_versions DROP COLUMN breaks_older`.execute(transaction);
  },
};
