import { sql } from 'kysely';

import type { Migration } from './migration.ts';

/** The version of each namespace's catalogue. Names sort by code point, independently of the database's collation. */
export const namespaces: Migration = {
  version: 1,
  name: 'namespaces',
  up: async (transaction) => {
    await sql`
      CREATE TABLE namespaces (
        namespace text COLLATE "C" PRIMARY KEY,
        version bigint NOT NULL CHECK (version > 0)
      )
    `.execute(transaction);
  },
};
