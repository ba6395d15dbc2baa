import { sql, type Kysely } from 'kysely';

import type { LikePattern } from '../connection/like-pattern.ts';
import type { Schema } from '../connection/schema.ts';
import { changeCatalog, type CatalogChange } from './catalog-change.ts';
import { nameKey } from './name-space.ts';
import { NamespaceStore } from './namespace-store.ts';
import { usesItself } from './uses-itself.ts';
import { toRow, type DeleteResult, type InsertResult, type NewText, type ReplaceResult, type StoredText } from './view-store.ts';

/** A package to store. */
export interface NewPackage extends NewText {
  /** Its public functions, as JSON in the form that `@svc/endpoints` writes. */
  readonly functions?: string | undefined;
  /** The subject that stores it. */
  readonly owner?: string | undefined;
}

/** The packages of each namespace, in a space of names of their own. Each change raises the namespace's version in its own transaction. */
export class PackageStore {
  readonly #db: Kysely<Schema>;
  readonly #namespaces: NamespaceStore;

  constructor({ db }: { readonly db: Kysely<Schema> }) {
    this.#db = db;
    this.#namespaces = new NamespaceStore({ db });
  }

  /** Stores a package under a free name. Of several concurrent calls exactly one is 'created'. */
  async insertIfAbsent(code: NewPackage): Promise<InsertResult> {
    const result = await changeCatalog(this.#changeOf(code), async (transaction) => {
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('packages')
        .values({ ...toRow(code), ...detailsOf(code) })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n ? { kind: 'created' as const } : undefined;
    });
    return result ?? { kind: 'exists' };
  }

  /** Stores a package, replacing one of the same name and spelling. Readers see the old one or the new one. */
  async replace(code: NewPackage): Promise<ReplaceResult> {
    const { text, type, uses } = toRow(code);
    const result = await changeCatalog(this.#changeOf(code), async (transaction) => {
      const row = await transaction
        .insertInto('packages')
        .values({ ...toRow(code), ...detailsOf(code) })
        .onConflict((conflict) =>
          conflict
            .columns(['namespace', 'name_key'])
            // Not now(), which is the start of the transaction: it may have waited for the row it replaces.
            .doUpdateSet({ text, type, uses, ...detailsOf(code), updated_at: sql<Date>`clock_timestamp()` })
            .where('packages.name', '=', code.name),
        )
        // A row that this statement inserted was never updated, so that it has no xmax.
        .returning(sql<boolean>`xmax = 0`.as('is_new'))
        .executeTakeFirst();
      return row && { kind: row.is_new ? ('created' as const) : ('replaced' as const) };
    });
    return result ?? { kind: 'exists' };
  }

  /** The package of exactly this spelling. */
  async get(namespace: string, name: string): Promise<StoredText | undefined> {
    return this.#select(namespace).where('name_key', '=', nameKey(name)).where('name', '=', name).executeTakeFirst();
  }

  /** Returns the packages whose names match a pattern, or all, in code-point order of their names. */
  async list(namespace: string, pattern?: LikePattern): Promise<readonly StoredText[]> {
    const rows = this.#select(namespace).orderBy('name');
    return (pattern === undefined ? rows : rows.where('name', 'like', pattern)).execute();
  }

  /** Deletes the package of exactly this spelling. */
  async delete(namespace: string, name: string): Promise<DeleteResult> {
    const result = await changeCatalog({ db: this.#db, namespaces: this.#namespaces, namespace }, async (transaction) => {
      const { numDeletedRows } = await transaction
        .deleteFrom('packages')
        .where('namespace', '=', namespace)
        .where('name_key', '=', nameKey(name))
        .where('name', '=', name)
        .executeTakeFirst();
      return numDeletedRows === 1n ? { kind: 'deleted' as const } : undefined;
    });
    return result?.kind === 'deleted' ? result : { kind: 'absent' };
  }

  #changeOf(code: NewPackage): CatalogChange {
    const closesCycle = usesItself('package', code);
    return { db: this.#db, namespaces: this.#namespaces, namespace: code.namespace, closesCycle };
  }

  #select(namespace: string) {
    return this.#db
      .selectFrom('packages')
      .select(['name', 'text', 'type', 'uses', 'created_at as createdAt', 'updated_at as updatedAt'])
      .where('namespace', '=', namespace);
  }
}

function detailsOf({ functions, owner }: NewPackage) {
  return { functions: functions ?? null, owner: owner ?? null };
}
