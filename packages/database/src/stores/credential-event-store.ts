import type { Kysely } from 'kysely';

import type { CredentialEventRow, CredentialKind, Schema } from '../connection/schema.ts';

/** An entry of the audit trail of credentials. */
export interface CredentialEvent {
  readonly subject: string;
  readonly kind: CredentialKind;
  /** As given by the user. */
  readonly name: string;
  readonly action: CredentialEventRow['action'];
  /** Error of a failed use or check. */
  readonly error: string | null;
}

/** A stored entry. */
export interface StoredCredentialEvent extends Omit<CredentialEvent, 'subject'> {
  readonly id: number;
  readonly at: Date;
  readonly times: number;
}

/** A use of a credential and its outcome. */
export interface CredentialUse {
  readonly subject: string;
  readonly kind: CredentialKind;
  /** As given by the user. */
  readonly name: string;
  /** Null if it was accepted; contains no secret. */
  readonly error: string | null;
}

/** A page of a subject's entries, newest first. */
export interface CredentialEventPage {
  readonly limit: number;
  /** Only entries before this id. */
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

  /** Adds uses of a credential that ended alike, the last of them at a moment, and notes that moment with the credential. */
  async addUses({ subject, kind, name, error, times, at }: CredentialUse & { readonly times: number; readonly at: Date }): Promise<void> {
    // One statement that locks one row: processes that record uses never deadlock.
    await this.#db
      .with('noted', (db) =>
        db
          .updateTable('credentials')
          .set(error === null ? { last_used_at: at } : { last_error: error, last_error_at: at })
          .where('subject', '=', subject)
          .where('kind', '=', kind)
          .where('shown_name', '=', name),
      )
      .insertInto('credential_events')
      .values({ subject, kind, name, error, times, at, action: 'used' })
      .execute();
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

  /** Deletes at most `limit` entries older than a time, and returns their number. */
  async deleteBefore(moment: Date, limit: number): Promise<number> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('credential_events')
      .where('id', 'in', (eb) => eb.selectFrom('credential_events').select('id').where('at', '<', moment).limit(limit))
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}
