import { sql } from 'kysely';

import type { Migration } from './migration.ts';

/**
 * The credentials of each subject, and their audit trail. `name` is case-folded as for comparison, and part of the
 * associated data of `sealed`. Events name a credential without a foreign key: they are kept when it is deleted.
 */
export const credentials: Migration = {
  version: 5,
  name: 'credentials',
  up: async (transaction) => {
    await sql`
      CREATE TABLE credentials (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        subject text COLLATE "C" NOT NULL,
        kind text COLLATE "C" NOT NULL CHECK (kind IN ('objbucket', 'rdbmsserver', 'filehost-token', 'http-credential')),
        name text COLLATE "C" NOT NULL,
        shown_name text COLLATE "C" NOT NULL,
        sealed bytea NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        last_used_at timestamptz(3),
        last_error text,
        last_error_at timestamptz(3),
        UNIQUE (subject, kind, name)
      )
    `.execute(transaction);
    await sql`
      CREATE TABLE credential_events (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz(3) NOT NULL DEFAULT now(),
        subject text COLLATE "C" NOT NULL,
        action text COLLATE "C" NOT NULL CHECK (action IN ('created', 'read', 'used', 'checked', 'refreshed', 'deleted')),
        kind text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        times integer NOT NULL DEFAULT 1 CHECK (times > 0),
        error text
      )
    `.execute(transaction);
    await sql`CREATE INDEX credential_events_by_subject ON credential_events (subject, id)`.execute(transaction);
    await sql`CREATE INDEX credential_events_by_time ON credential_events USING brin (at)`.execute(transaction);
  },
};
