import { type Kysely, type Transaction } from 'kysely';

import type { Schema } from '../connection/schema.ts';

/** One version number per namespace. Results compiled from a namespace's names are valid while its number is unchanged. */
export class NamespaceStore {
  readonly #db: Kysely<Schema>;

  constructor({ db }: { readonly db: Kysely<Schema> }) {
    this.#db = db;
  }

  /** Returns the version of a namespace's catalogue; 0 if nothing was stored in it. */
  async readVersion(namespace: string): Promise<number> {
    const row = await this.#db.selectFrom('namespaces').select('version').where('namespace', '=', namespace).executeTakeFirst();
    return row?.version ?? 0;
  }

  /**
   * Raises the version inside the transaction that changes the catalogue, and answers the new one. It locks the namespace's row until that
   * transaction ends, so that changes of one namespace happen one after the other.
   */
  async raiseVersion(transaction: Transaction<Schema>, namespace: string): Promise<number> {
    const row = await transaction
      .insertInto('namespaces')
      .values({ namespace, version: 1 })
      .onConflict((conflict) => conflict.column('namespace').doUpdateSet((eb) => ({ version: eb('namespaces.version', '+', 1) })))
      .returning('version')
      .executeTakeFirstOrThrow();
    return row.version;
  }
}
