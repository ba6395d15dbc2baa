import type { Schema } from '@svc/database';
import { sql, type Transaction } from 'kysely';

/** Sets PostgreSQL's settings for the rest of a transaction. */
export async function setLocally(transaction: Transaction<Schema>, settings: Readonly<Record<string, string>>): Promise<void> {
  await sql`SELECT set_config(name, value, true) FROM jsonb_each_text(${JSON.stringify(settings)}::jsonb) AS each (name, value)`.execute(
    transaction,
  );
}
