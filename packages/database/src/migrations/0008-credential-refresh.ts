import { sql } from 'kysely';

import type { Migration } from './migration.ts';

/** Which credential is being refreshed, and until when nobody else may: a refresh token may be good for one use only. */
export const credentialRefresh: Migration = {
  version: 8,
  name: 'credential refresh',
  up: async (transaction) => {
    await sql`ALTER TABLE credentials ADD COLUMN refreshing_until timestamptz(3)`.execute(transaction);
  },
};
