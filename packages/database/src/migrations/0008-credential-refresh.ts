import { sql } from 'kysely';

import type { Migration } from './migration.ts';

/** A lease on refreshing a credential: a refresh token may be valid only once. */
export const credentialRefresh: Migration = {
  version: 8,
  name: 'credential refresh',
  up: async (transaction) => {
    await sql`ALTER TABLE credentials ADD COLUMN refreshing_until timestamptz(3)`.execute(transaction);
  },
};
