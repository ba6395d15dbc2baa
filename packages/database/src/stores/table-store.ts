import { sql, type Kysely, type Transaction } from 'kysely';

import type { LikePattern } from '../connection/like-pattern.ts';
import type { Schema } from '../connection/schema.ts';
import type { StoredIndex } from '../connection/stored-index.ts';
import { changeCatalog, type WithinChange } from './catalog-change.ts';
import { freeName, nameKey, takeName } from './name-space.ts';
import { NamespaceStore } from './namespace-store.ts';
import { StreamStore } from './stream-store.ts';
import type { DeleteResult, InsertResult } from './view-store.ts';

/** A stored user table; `type` is printed, and `id` is part of its physical table's name. */
export interface StoredTable {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly indexes: readonly StoredIndex[];
  readonly location: string | null;
  /** Key fields, of which each value has one row, the latest; null for a table that keeps every row. */
  readonly keyFields: readonly string[] | null;
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
}

/** A table to store. */
export interface NewTable {
  readonly namespace: string;
  readonly name: string;
  readonly type: string;
  readonly indexes: readonly StoredIndex[];
  readonly location: string | null;
}

/** 'written-to': a stream writes to the table, and nothing was changed. */
export type TableDeleteResult = DeleteResult | { readonly kind: 'written-to' };

/**
 * Definitions of the user tables of each namespace, without their rows. Each change raises the namespace's version in its
 * own transaction.
 */
export class TableStore {
  readonly #db: Kysely<Schema>;
  readonly #namespaces: NamespaceStore;

  constructor({ db }: { readonly db: Kysely<Schema> }) {
    this.#db = db;
    this.#namespaces = new NamespaceStore({ db });
  }

  /**
   * Stores a table under a free name; `within` creates the storage of its rows in the same transaction. Of several
   * concurrent calls one is 'created'.
   */
  async insertIfAbsent(table: NewTable, within: WithinChange<StoredTable>): Promise<Exclude<InsertResult, { kind: 'cyclic' }>> {
    const { namespace, name, type, indexes, location } = table;
    const result = await changeCatalog({ db: this.#db, namespaces: this.#namespaces, namespace }, async (transaction) => {
      if (!(await takeName(transaction, { namespace, name, kind: 'table' }))) return undefined;
      const row = await transaction
        .insertInto('tables')
        .values({ namespace, name, name_key: nameKey(name), type, indexes: JSON.stringify(indexes), location })
        .returning(COLUMNS)
        .executeTakeFirstOrThrow();
      await within(transaction, row);
      return { kind: 'created' as const };
    });
    return result?.kind === 'created' ? result : { kind: 'exists' };
  }

  /** The table of exactly this spelling. */
  async get(namespace: string, name: string): Promise<StoredTable | undefined> {
    return this.#select(namespace).where('name_key', '=', nameKey(name)).where('name', '=', name).executeTakeFirst();
  }

  /**
   * Returns the table of exactly this spelling and locks it against changes and removal until the transaction ends. Appends
   * do not wait.
   */
  async lock(transaction: Transaction<Schema>, namespace: string, name: string): Promise<StoredTable | undefined> {
    return lockedRow(transaction, namespace, name);
  }

  /** Stores the new definition of a locked table, in the transaction that changes its rows. */
  async reshape(
    transaction: Transaction<Schema>,
    namespace: string,
    { id, type, indexes, keyFields }: Pick<StoredTable, 'id' | 'type' | 'indexes' | 'keyFields'>,
  ): Promise<void> {
    await transaction
      .updateTable('tables')
      .set({
        type,
        indexes: JSON.stringify(indexes),
        key_fields: keyFields === null ? null : JSON.stringify(keyFields),
        updated_at: sql<Date | null>`CASE WHEN type = ${type} THEN updated_at ELSE now() END`,
      })
      .where('id', '=', id)
      .execute();
    await this.#namespaces.raiseVersion(transaction, namespace);
  }

  /** Returns the tables whose names match a pattern, or all, in code-point order of their names. */
  async list(namespace: string, pattern?: LikePattern): Promise<readonly StoredTable[]> {
    const rows = this.#select(namespace).orderBy('name');
    return (pattern === undefined ? rows : rows.where('name', 'like', pattern)).execute();
  }

  /** Writes down an index that was added to a table's rows. */
  async addIndex(id: number, index: StoredIndex): Promise<void> {
    const indexes = sql<readonly StoredIndex[]>`indexes || ${JSON.stringify([index])}::jsonb`;
    await this.#db
      .updateTable('tables')
      .set({ indexes: sql<string>`${indexes}` })
      .where('id', '=', id)
      .execute();
  }

  /** Deletes a table; `within` removes its rows in the same transaction. */
  async delete(namespace: string, name: string, within: WithinChange<StoredTable>): Promise<TableDeleteResult> {
    const result = await changeCatalog({ db: this.#db, namespaces: this.#namespaces, namespace }, async (transaction) => {
      // The lock keeps streams from starting to write to it.
      const row = await lockedRow(transaction, namespace, name);
      if (row === undefined) return undefined;
      // Checked first: deleting the table deletes its streams.
      if (await StreamStore.isWrittenTo(transaction, row.id)) return { kind: 'written-to' as const };
      if (!(await freeName(transaction, { namespace, name, kind: 'table' }))) return undefined;
      await within(transaction, row);
      return { kind: 'deleted' as const };
    });
    return result?.kind === 'deleted' || result?.kind === 'written-to' ? result : { kind: 'absent' };
  }

  #select(namespace: string) {
    return this.#db.selectFrom('tables').select(COLUMNS).where('namespace', '=', namespace);
  }
}

const COLUMNS = [
  'id',
  'name',
  'type',
  'indexes',
  'location',
  'key_fields as keyFields',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

/** Locks the row FOR NO KEY UPDATE: rows with foreign keys to it can still be inserted. */
async function lockedRow(transaction: Transaction<Schema>, namespace: string, name: string): Promise<StoredTable | undefined> {
  const rows = transaction.selectFrom('tables').select(COLUMNS).where('namespace', '=', namespace);
  return rows.where('name_key', '=', nameKey(name)).where('name', '=', name).forNoKeyUpdate().executeTakeFirst();
}
