import { sql, type Kysely, type Transaction } from 'kysely';

import type { CredentialKind, Schema } from '../connection/schema.ts';

/** A credential of a subject, by its kind and its name as names are compared. */
export interface CredentialKey {
  readonly subject: string;
  readonly kind: CredentialKind;
  readonly name: string;
}

/** A credential to register. */
export interface NewCredential extends CredentialKey {
  /** As given by the user. */
  readonly shownName: string;
  readonly sealed: Buffer;
}

/** A stored credential. */
export interface StoredCredential extends NewCredential {
  /** Unique per registration, also under the same name. */
  readonly id: number;
}

/** The public parts of a credential. */
export interface CredentialSummary {
  readonly kind: CredentialKind;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly lastError: string | null;
  readonly lastErrorAt: Date | null;
}

/** The credentials of each subject. Changes are recorded in the audit trail in the same transaction. */
export class CredentialStore {
  readonly #db: Kysely<Schema>;

  constructor({ db }: { readonly db: Kysely<Schema> }) {
    this.#db = db;
  }

  /** Stores a credential under a free name; false if it is taken. Of several concurrent calls exactly one succeeds. */
  async insertIfAbsent({ subject, kind, name, shownName, sealed }: NewCredential): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      const inserted = await transaction
        .insertInto('credentials')
        .values({ subject, kind, name, shown_name: shownName, sealed })
        .onConflict((conflict) => conflict.columns(['subject', 'kind', 'name']).doNothing())
        .returning('id')
        .executeTakeFirst();
      if (inserted === undefined) return false;
      await addEvent(transaction, { subject, kind, name: shownName, action: 'created' });
      return true;
    });
  }

  /** The credential of this name. */
  async find({ subject, kind, name }: CredentialKey): Promise<StoredCredential | undefined> {
    const { rows } = await sql<StoredCredential>`
      SELECT ${COLUMNS} FROM credentials WHERE subject = ${subject} AND kind = ${kind} AND name = ${name}`.execute(this.#db);
    return rows[0];
  }

  /** Returns the credential with the longest of the given names. */
  async findLongest({
    subject,
    kind,
    names,
  }: Omit<CredentialKey, 'name'> & { readonly names: readonly string[] }): Promise<StoredCredential | undefined> {
    const { rows } = await sql<StoredCredential>`
      SELECT ${COLUMNS} FROM credentials WHERE subject = ${subject} AND kind = ${kind} AND name = ANY(${[...names]})
      ORDER BY length(name) DESC LIMIT 1`.execute(this.#db);
    return rows[0];
  }

  /** The names of one kind as they were given, in code-point order. */
  async listNames(subject: string, kind: CredentialKind): Promise<readonly string[]> {
    const rows = await this.#db
      .selectFrom('credentials')
      .select('shown_name')
      .where('subject', '=', subject)
      .where('kind', '=', kind)
      .orderBy('shown_name')
      .execute();
    return rows.map(({ shown_name }) => shown_name);
  }

  /** Returns all credentials of a subject, by kind and name. */
  async listAll(subject: string): Promise<readonly CredentialSummary[]> {
    return this.#db
      .selectFrom('credentials')
      .select([
        'kind',
        'shown_name as name',
        'created_at as createdAt',
        'last_used_at as lastUsedAt',
        'last_error as lastError',
        'last_error_at as lastErrorAt',
      ])
      .where('subject', '=', subject)
      .orderBy('kind')
      .orderBy('shown_name')
      .execute();
  }

  /**
   * Replaces the sealed value if it is unchanged since it was read, and records the refresh. False if it was changed or
   * deleted meanwhile.
   */
  async replaceSealed({ id, sealed, subject, kind, shownName }: StoredCredential, by: Buffer): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('credentials')
        .set({ sealed: by })
        .where('id', '=', id)
        .where('sealed', '=', sealed)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await addEvent(transaction, { subject, kind, name: shownName, action: 'refreshed' });
      return true;
    });
  }

  /** Acquires a lease on refreshing a credential. Returns its end; null if another process holds it. */
  async claimRefresh(id: number, seconds: number): Promise<Date | null> {
    const { rows } = await sql<{ readonly until: Date }>`
      UPDATE credentials SET refreshing_until = now() + ${seconds} * interval '1 second'
      WHERE id = ${id} AND (refreshing_until IS NULL OR refreshing_until < now()) RETURNING refreshing_until AS until`.execute(this.#db);
    return rows[0]?.until ?? null;
  }

  /** Releases a lease on refreshing if it is still the one that ends at that time. */
  async endRefresh(id: number, until: Date): Promise<void> {
    await this.#db
      .updateTable('credentials')
      .set({ refreshing_until: null })
      .where('id', '=', id)
      .where('refreshing_until', '=', until)
      .execute();
  }

  /** Deletes a credential; false if there is none. */
  async delete({ subject, kind, name }: CredentialKey): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      const deleted = await transaction
        .deleteFrom('credentials')
        .where('subject', '=', subject)
        .where('kind', '=', kind)
        .where('name', '=', name)
        .returning('shown_name')
        .executeTakeFirst();
      if (deleted === undefined) return false;
      await addEvent(transaction, { subject, kind, name: deleted.shown_name, action: 'deleted' });
      return true;
    });
  }
}

/** Each query looks up credentials, so these statements are constant texts: building one takes four times as long as running it. */
const COLUMNS = sql.raw('id, subject, kind, name, shown_name AS "shownName", sealed');

type Event = Pick<CredentialKey, 'subject' | 'kind' | 'name'> & { readonly action: 'created' | 'refreshed' | 'deleted' };

async function addEvent(transaction: Transaction<Schema>, event: Event): Promise<void> {
  await transaction
    .insertInto('credential_events')
    .values({ ...event, error: null })
    .execute();
}
