import type { Kysely } from 'kysely';

import type { CredentialEventRow, CredentialKind, Schema } from '../connection/schema.ts';

/** An entry of the audit trail of credentials. */
export interface CredentialEvent {
  readonly subject: string;
  readonly kind: CredentialKind;
  /** As it was given. */
  readonly name: string;
  readonly action: CredentialEventRow['action'];
  /** Of a use or a check that failed. */
  readonly error: string | null;
}

/** An entry as it is stored. */
export interface StoredCredentialEvent extends Omit<CredentialEvent, 'subject'> {
  readonly id: number;
  readonly at: Date;
  readonly times: number;
}

/** Which entries of a subject are listed: the newest first. */
export interface CredentialEventPage {
  readonly limit: number;
  /** Only those before this id. */
  readonly before?: number | undefined;
}

/** The audit trail of credentials: who created, read, used, deleted which one, and when. */
export class CredentialEventStore {
  readonly #db: Kysely<Schema>;

  constructor({ db }: { readonly db: Kysely<Schema> }) {
    this.#db = db;
  }

  /** Adds an entry. */
  async add(event: CredentialEvent): Promise<void> {
    await this.#db.insertInto('credential_events').values(event).execute();
  }

  /** The entries of a subject, the newest first. */
  async list(subject: string, { limit, before }: CredentialEventPage): Promise<readonly StoredCredentialEvent[]> {
    return this.#db
      .selectFrom('credential_events')
      .select(['id', 'at', 'kind', 'name', 'action', 'times', 'error'])
      .where('subject', '=', subject)
      .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
  }

  /** Deletes entries older than a moment, so many at most, and answers how many. */
  async deleteBefore(moment: Date, limit: number): Promise<number> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('credential_events')
      .where('id', 'in', (eb) => eb.selectFrom('credential_events').select('id').where('at', '<', moment).limit(limit))
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}
