import type { Kysely, Transaction } from 'kysely';

import type { Schema } from '../connection/schema.ts';

/** An audited action. `target` names its object and never holds a secret. */
export interface AuditEntry {
  readonly namespace: string;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
}

/** A stored entry. */
export interface StoredAuditEntry extends AuditEntry {
  readonly id: number;
  readonly at: Date;
}

/** Records an entry in the transaction of the change itself: a change without its entry cannot happen. */
export async function recordAudit(transaction: Transaction<Schema>, entry: AuditEntry): Promise<void> {
  await transaction.insertInto('audit_entries').values(entry).execute();
}

/** The audit entries of each namespace. */
export class AuditStore {
  readonly #db: Kysely<Schema>;

  constructor({ db }: { readonly db: Kysely<Schema> }) {
    this.#db = db;
  }

  /** Records an action that changes nothing, such as the disclosure of a secret. */
  async record(entry: AuditEntry): Promise<void> {
    await this.#db.insertInto('audit_entries').values(entry).execute();
  }

  /** Returns at most `limit` entries, newest first, before the id `before` if given. */
  async list(namespace: string, { limit, before }: { readonly limit: number; readonly before: number | undefined }) {
    const rows = this.#db.selectFrom('audit_entries').selectAll().where('namespace', '=', namespace).orderBy('id', 'desc').limit(limit);
    const found: readonly StoredAuditEntry[] = await (before === undefined ? rows : rows.where('id', '<', before)).execute();
    return found;
  }
}
