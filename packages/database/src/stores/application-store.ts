import { sql, type Kysely, type Transaction } from 'kysely';

import type { Schema } from '../connection/schema.ts';
import { recordAudit } from './audit-store.ts';

/** A stored application: its definition as received, and parsed. */
export interface StoredApplication {
  readonly name: string;
  readonly namespace: string;
  readonly definition: string;
  readonly mediaType: string;
  readonly content: unknown;
  /** Created by the API, or from a file of the operator. */
  readonly origin: 'api' | 'file';
}

/** A definition to store, and who stores it. */
export interface ApplicationPut extends StoredApplication {
  readonly actor: string;
}

/**
 * The functions of a package as data, in the form that `@svc/endpoints` reads, and its owner; null for one stored before
 * these existed.
 */
export interface StoredPackageFunctions {
  readonly name: string;
  readonly functions: unknown;
  readonly owner: string | null;
}

/** The applications of all namespaces: one space of names. Each change is written with its audit entry. */
export class ApplicationStore {
  readonly #db: Kysely<Schema>;

  constructor({ db }: { readonly db: Kysely<Schema> }) {
    this.#db = db;
  }

  /** Stores an application, replacing the namespace's own of that name; 'taken' if another namespace has the name. */
  async put(application: ApplicationPut): Promise<'stored' | 'taken'> {
    const { name, namespace, definition, mediaType, content, origin, actor } = application;
    const changed = { definition, media_type: mediaType, content: JSON.stringify(content), origin };
    return this.#db.transaction().execute(async (transaction) => {
      const row = await transaction
        .insertInto('applications')
        .values({ name, namespace, ...changed })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ ...changed, updated_at: sql<Date>`clock_timestamp()` })
            .where('applications.namespace', '=', namespace),
        )
        .returning('name')
        .executeTakeFirst();
      if (row === undefined) return 'taken';
      await audit(transaction, { namespace, actor, name }, 'application.put');
      return 'stored';
    });
  }

  /** Returns the application of a name in any namespace. */
  async get(name: string): Promise<StoredApplication | undefined> {
    return select(this.#db).where('name', '=', name).executeTakeFirst();
  }

  /** Returns the applications of a namespace, by name. */
  async list(namespace: string): Promise<readonly StoredApplication[]> {
    return select(this.#db).where('namespace', '=', namespace).orderBy('name').execute();
  }

  /** Returns the applications defined by files, by name. */
  async listFiles(): Promise<readonly StoredApplication[]> {
    return select(this.#db).where('origin', '=', 'file').orderBy('name').execute();
  }

  /** Returns the applications of all namespaces behind a name, in order of their names. */
  async listAll({ after, limit }: { readonly after: string; readonly limit: number }): Promise<readonly StoredApplication[]> {
    return select(this.#db).where('name', '>', after).orderBy('name').limit(limit).execute();
  }

  /** Returns the scopes that the applications of a namespace declare, each once. */
  async declaredScopes(namespace: string): Promise<readonly string[]> {
    const { rows } = await sql<{ readonly name: string }>`
      SELECT DISTINCT scope ->> 'name' AS name FROM applications, jsonb_array_elements(content -> 'scopes') AS scope
      WHERE namespace = ${namespace} ORDER BY name
    `.execute(this.#db);
    return rows.map(({ name }) => name);
  }

  /** Deletes an application of a namespace; returns whether there was one. */
  async delete(target: { readonly namespace: string; readonly name: string; readonly actor: string }): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      const { numDeletedRows } = await transaction
        .deleteFrom('applications')
        .where('namespace', '=', target.namespace)
        .where('name', '=', target.name)
        .executeTakeFirst();
      if (numDeletedRows === 1n) await audit(transaction, target, 'application.delete');
      return numDeletedRows === 1n;
    });
  }

  /** Returns the functions of the packages of these names that a namespace has. */
  async packageFunctions(namespace: string, names: readonly string[]): Promise<readonly StoredPackageFunctions[]> {
    if (names.length === 0) return [];
    return this.#db
      .selectFrom('packages')
      .select(['name', 'functions', 'owner'])
      .where('namespace', '=', namespace)
      .where('name', 'in', names)
      .execute();
  }
}

function select(db: Kysely<Schema>) {
  return db.selectFrom('applications').select(['name', 'namespace', 'definition', 'media_type as mediaType', 'content', 'origin']);
}

async function audit(
  transaction: Transaction<Schema>,
  { namespace, actor, name }: { readonly namespace: string; readonly actor: string; readonly name: string },
  action: string,
): Promise<void> {
  await recordAudit(transaction, { namespace, actor, action, target: `application ${name}` });
}
