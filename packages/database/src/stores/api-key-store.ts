import { sql, type Kysely, type Transaction } from 'kysely';

import type { ApiKeyRow, Schema } from '../connection/schema.ts';
import { recordAudit } from './audit-store.ts';

/** Maximum number of calls of a key in a sliding window. */
export interface StoredRateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** A key without its value. */
export interface StoredApiKey {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly keyPrefix: string;
  readonly expiresAt: Date;
  readonly isActive: boolean;
  readonly scopes: readonly string[];
  readonly rateLimit: StoredRateLimit | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** A key to be stored: `sealed` is its encrypted value, `hash` the SHA-256 of the value. */
export interface NewApiKey extends Omit<StoredApiKey, 'createdAt' | 'lastUsedAt'> {
  readonly sealed: Buffer;
  readonly hash: Buffer;
}

/** The fields of a key that its owner may change. */
export interface ApiKeyChange {
  readonly name?: string | undefined;
  readonly isActive?: boolean | undefined;
  readonly expiresAt?: Date | undefined;
  readonly rateLimit?: StoredRateLimit | null | undefined;
}

/** A new value for a key; the previous one stays valid until `graceUntil`. */
export interface ApiKeyRotation {
  readonly hash: Buffer;
  readonly sealed: Buffer;
  readonly keyPrefix: string;
  readonly graceUntil: Date;
}

/** A key found by the hash of a value; `validUntil` is null for the value that it has now. */
export interface FoundApiKey {
  readonly key: StoredApiKey;
  readonly validUntil: Date | null;
}

/** A page of a list of keys. */
export interface ApiKeyPage {
  readonly limit: number;
  /** Lists only keys after this one in the namespace. */
  readonly after?: string | undefined;
}

/** Names a key, and the one who acts on it for the audit. */
export interface ApiKeyTarget {
  readonly namespace: string;
  readonly id: string;
  readonly actor: string;
}

/** The API keys of each namespace. Each change is stored with its audit entry; triggers notify the gateways. */
export class ApiKeyStore {
  readonly #db: Kysely<Schema>;

  constructor({ db }: { readonly db: Kysely<Schema> }) {
    this.#db = db;
  }

  /** Stores a key, and returns it. */
  async insert(key: NewApiKey): Promise<StoredApiKey> {
    return this.#db.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('api_keys')
        .values({
          id: key.id,
          namespace: key.namespace,
          name: key.name,
          key_prefix: key.keyPrefix,
          sealed: key.sealed,
          expires_at: key.expiresAt,
          is_active: key.isActive,
          ...limitColumns(key.rateLimit),
          created_by: key.createdBy,
        })
        .execute();
      await transaction.insertInto('api_key_hashes').values({ hash: key.hash, key_id: key.id, valid_until: null }).execute();
      if (key.scopes.length > 0)
        await transaction
          .insertInto('api_key_scopes')
          .values(key.scopes.map((scope) => ({ key_id: key.id, scope })))
          .execute();
      await this.#audit(transaction, { ...key, actor: key.createdBy }, 'key.create');
      return toKey(await select(transaction).where('api_keys.id', '=', key.id).executeTakeFirstOrThrow());
    });
  }

  /** Returns a page of the keys of a namespace, oldest first; undefined if the key it starts after does not exist. */
  async list(namespace: string, { limit, after }: ApiKeyPage): Promise<readonly StoredApiKey[] | undefined> {
    const all = select(this.#db).where('namespace', '=', namespace).orderBy('created_at').orderBy('api_keys.id').limit(limit);
    if (after === undefined) return (await all.execute()).map(toKey);
    const last = await this.get(namespace, after);
    if (last === undefined) return undefined;
    return (await all.where(sql<boolean>`(created_at, api_keys.id) > (${last.createdAt}, ${last.id})`).execute()).map(toKey);
  }

  /** Returns one key of a namespace. */
  async get(namespace: string, id: string): Promise<StoredApiKey | undefined> {
    const row = await select(this.#db).where('namespace', '=', namespace).where('api_keys.id', '=', id).executeTakeFirst();
    return row && toKey(row);
  }

  /** Returns the key whose current or earlier value has this hash. */
  async findByHash(hash: Buffer): Promise<FoundApiKey | undefined> {
    const row = await select(this.#db)
      .innerJoin('api_key_hashes', 'api_key_hashes.key_id', 'api_keys.id')
      .select('valid_until')
      .where('hash', '=', hash)
      .executeTakeFirst();
    return row && { key: toKey(row), validUntil: row.valid_until };
  }

  /** Returns the encrypted value of a key, and records the disclosure. */
  async reveal(target: ApiKeyTarget): Promise<Buffer | undefined> {
    return this.#db.transaction().execute(async (transaction) => {
      const row = await this.#lock(transaction, target).select('sealed').executeTakeFirst();
      if (row !== undefined) await this.#audit(transaction, target, 'key.reveal');
      return row?.sealed;
    });
  }

  /** Changes a key, and returns the changed key. */
  async update(target: ApiKeyTarget, change: ApiKeyChange): Promise<StoredApiKey | undefined> {
    return this.#db.transaction().execute(async (transaction) => {
      const before = await this.#lock(transaction, target).select('is_active').executeTakeFirst();
      if (before === undefined) return undefined;
      const columns = {
        ...(change.name !== undefined && { name: change.name }),
        ...(change.isActive !== undefined && { is_active: change.isActive }),
        ...(change.expiresAt !== undefined && { expires_at: change.expiresAt }),
        ...(change.rateLimit !== undefined && limitColumns(change.rateLimit)),
      };
      if (Object.keys(columns).length > 0) await transaction.updateTable('api_keys').set(columns).where('id', '=', target.id).execute();
      const switched = change.isActive !== undefined && change.isActive !== before.is_active;
      if (switched) await this.#audit(transaction, target, change.isActive === true ? 'key.activate' : 'key.deactivate');
      if (Object.keys(columns).some((name) => name !== 'is_active')) await this.#audit(transaction, target, 'key.update');
      return toKey(await select(transaction).where('api_keys.id', '=', target.id).executeTakeFirstOrThrow());
    });
  }

  /** Replaces the value of a key, and returns the key. Values of earlier rotations keep their own expiry. */
  async rotate(target: ApiKeyTarget, rotation: ApiKeyRotation): Promise<StoredApiKey | undefined> {
    return this.#db.transaction().execute(async (transaction) => {
      if ((await this.#lock(transaction, target).select('id').executeTakeFirst()) === undefined) return undefined;
      await transaction
        .deleteFrom('api_key_hashes')
        .where('key_id', '=', target.id)
        .where('valid_until', '<', sql<Date>`now()`)
        .execute();
      await transaction
        .updateTable('api_key_hashes')
        .set({ valid_until: rotation.graceUntil })
        .where('key_id', '=', target.id)
        .where('valid_until', 'is', null)
        .execute();
      await transaction.insertInto('api_key_hashes').values({ hash: rotation.hash, key_id: target.id, valid_until: null }).execute();
      await transaction
        .updateTable('api_keys')
        .set({ sealed: rotation.sealed, key_prefix: rotation.keyPrefix })
        .where('id', '=', target.id)
        .execute();
      await this.#audit(transaction, target, 'key.rotate');
      return toKey(await select(transaction).where('api_keys.id', '=', target.id).executeTakeFirstOrThrow());
    });
  }

  /** Deletes a key; returns whether there was one. */
  async delete(target: ApiKeyTarget): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      const { namespace, id } = target;
      const { numDeletedRows } = await transaction
        .deleteFrom('api_keys')
        .where('namespace', '=', namespace)
        .where('id', '=', id)
        .executeTakeFirst();
      if (numDeletedRows === 1n) await this.#audit(transaction, target, 'key.delete');
      return numDeletedRows === 1n;
    });
  }

  /** Records the last uses of keys in one statement; deleted keys are skipped. */
  async recordUses(uses: ReadonlyMap<string, Date>): Promise<void> {
    const [ids, times] = [[...uses.keys()].toSorted(), uses];
    await sql`
      INSERT INTO api_key_uses (key_id, last_used_at)
      SELECT id, used_at FROM unnest(${ids}::uuid[], ${ids.map((id) => times.get(id))}::timestamptz[]) AS used (key_id, used_at)
      JOIN api_keys ON api_keys.id = used.key_id
      ON CONFLICT (key_id) DO UPDATE SET last_used_at = greatest(api_key_uses.last_used_at, excluded.last_used_at)
    `.execute(this.#db);
  }

  #lock(transaction: Transaction<Schema>, { namespace, id }: ApiKeyTarget) {
    return transaction.selectFrom('api_keys').where('namespace', '=', namespace).where('id', '=', id).forUpdate();
  }

  async #audit(transaction: Transaction<Schema>, { namespace, actor, id }: ApiKeyTarget, action: string): Promise<void> {
    await recordAudit(transaction, { namespace, actor, action, target: `key ${id}` });
  }
}

function select(db: Kysely<Schema>) {
  return db
    .selectFrom('api_keys')
    .leftJoin('api_key_uses', 'api_key_uses.key_id', 'api_keys.id')
    .select(['api_keys.id', 'namespace', 'name', 'key_prefix', 'expires_at', 'is_active', 'rate_limit_requests', 'rate_limit_seconds'])
    .select(['created_by', 'created_at', 'last_used_at'])
    .select(sql<readonly string[]>`ARRAY(SELECT scope FROM api_key_scopes WHERE key_id = api_keys.id ORDER BY scope)`.as('scopes'));
}

type SelectedRow = Omit<ApiKeyRow, 'sealed' | 'created_at'> & {
  readonly created_at: Date;
  readonly scopes: readonly string[];
  readonly last_used_at: Date | null;
};

function toKey(row: SelectedRow): StoredApiKey {
  const { rate_limit_requests: requests, rate_limit_seconds: seconds } = row;
  return {
    id: row.id,
    namespace: row.namespace,
    name: row.name,
    keyPrefix: row.key_prefix,
    expiresAt: row.expires_at,
    isActive: row.is_active,
    scopes: row.scopes,
    rateLimit: requests === null || seconds === null ? null : { requests, seconds },
    createdBy: row.created_by,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}

function limitColumns(limit: StoredRateLimit | null) {
  return { rate_limit_requests: limit?.requests ?? null, rate_limit_seconds: limit?.seconds ?? null };
}
