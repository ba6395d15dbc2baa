import { sql, type Kysely } from 'kysely';

import type { LikePattern } from '../connection/like-pattern.ts';
import type { Schema, StoredUse } from '../connection/schema.ts';
import { changeCatalog, type CatalogChange, type CycleRefused } from './catalog-change.ts';
import { freeName, nameKey, takeName, takeOrHoldName } from './name-space.ts';
import { NamespaceStore } from './namespace-store.ts';
import { usesItself } from './uses-itself.ts';

/** A stored view or package; `type` is printed. */
export interface StoredText {
  readonly name: string;
  readonly text: string;
  readonly type: string;
  readonly uses: readonly StoredUse[];
  readonly createdAt: Date;
  /** Null until it is replaced. */
  readonly updatedAt: Date | null;
}

/** A view or a package to store. */
export interface NewText {
  readonly namespace: string;
  readonly name: string;
  readonly text: string;
  readonly type: string;
  readonly uses: readonly StoredUse[];
}

/** 'exists': the name is taken, in this spelling or another, and nothing was changed. */
export type InsertResult = { readonly kind: 'created' } | { readonly kind: 'exists' } | CycleRefused;
/** Result of an insertion or replacement; 'exists' is a name that another object has, or has in another spelling. */
export type ReplaceResult = InsertResult | { readonly kind: 'replaced' };
/** 'absent': there is no object of exactly this spelling. */
export type DeleteResult = { readonly kind: 'deleted' } | { readonly kind: 'absent' };

/** The views of each namespace. Each change raises the namespace's version in its own transaction. */
export class ViewStore {
  readonly #db: Kysely<Schema>;
  readonly #namespaces: NamespaceStore;

  constructor({ db }: { readonly db: Kysely<Schema> }) {
    this.#db = db;
    this.#namespaces = new NamespaceStore({ db });
  }

  /** Stores a view under a free name. Of several concurrent calls exactly one is 'created'. */
  async insertIfAbsent(view: NewText): Promise<InsertResult> {
    const result = await changeCatalog(this.#changeOf(view), async (transaction) => {
      if (!(await takeName(transaction, { ...view, kind: 'view' }))) return undefined;
      await transaction.insertInto('views').values(toRow(view)).execute();
      return { kind: 'created' as const };
    });
    return result ?? { kind: 'exists' };
  }

  /** Stores a view, replacing one of the same name and spelling. Readers see the old one or the new one. */
  async replace(view: NewText): Promise<ReplaceResult> {
    const result = await changeCatalog(this.#changeOf(view), async (transaction) => {
      const name = await takeOrHoldName(transaction, { ...view, kind: 'view' });
      if (name === 'taken') return undefined;
      if (name === 'new') {
        await transaction.insertInto('views').values(toRow(view)).execute();
        return { kind: 'created' as const };
      }
      const { text, type, uses } = toRow(view);
      // Not now(), which is the start of the transaction: it may have waited for the row it replaces.
      const change = { text, type, uses, updated_at: sql<Date>`clock_timestamp()` };
      await transaction
        .updateTable('views')
        .set(change)
        .where('namespace', '=', view.namespace)
        .where('name_key', '=', nameKey(view.name))
        .execute();
      return { kind: 'replaced' as const };
    });
    return result ?? { kind: 'exists' };
  }

  /** The view of exactly this spelling. */
  async get(namespace: string, name: string): Promise<StoredText | undefined> {
    const rows = this.#select(namespace).where('name_key', '=', nameKey(name)).where('name', '=', name);
    return rows.executeTakeFirst();
  }

  /** Returns the views whose names match a pattern, or all, in code-point order of their names. */
  async list(namespace: string, pattern?: LikePattern): Promise<readonly StoredText[]> {
    const rows = this.#select(namespace).orderBy('name');
    return (pattern === undefined ? rows : rows.where('name', 'like', pattern)).execute();
  }

  /** Deletes the view of exactly this spelling. */
  async delete(namespace: string, name: string): Promise<DeleteResult> {
    const result = await changeCatalog({ db: this.#db, namespaces: this.#namespaces, namespace }, async (transaction) =>
      (await freeName(transaction, { namespace, name, kind: 'view' })) ? { kind: 'deleted' as const } : undefined,
    );
    return result?.kind === 'deleted' ? result : { kind: 'absent' };
  }

  #changeOf(view: NewText): CatalogChange {
    const closesCycle = usesItself('view', view);
    return { db: this.#db, namespaces: this.#namespaces, namespace: view.namespace, closesCycle };
  }

  #select(namespace: string) {
    return this.#db
      .selectFrom('views')
      .select(['name', 'text', 'type', 'uses', 'created_at as createdAt', 'updated_at as updatedAt'])
      .where('namespace', '=', namespace);
  }
}

/** The columns of a row of `views` or `packages`. */
export function toRow({ namespace, name, text, type, uses }: NewText) {
  return { namespace, name, name_key: nameKey(name), text, type, uses: JSON.stringify(uses) };
}
