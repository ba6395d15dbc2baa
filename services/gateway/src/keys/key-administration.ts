import { randomUUID } from 'node:crypto';

import type { Principal } from '@svc/auth';
import type { ApiKeyChange, ApiKeyPage, ApiKeyStore, ApiKeyTarget, ApplicationStore, StoredApiKey, StoredRateLimit } from '@svc/database';
import { ServiceError } from '@svc/errors';
import type { Vault } from '@svc/vault';

import { createKeyValue, keyBinding } from './key-value.ts';

/** Dependencies of key administration. */
export interface KeyAdministrationOptions {
  readonly keys: ApiKeyStore;
  readonly applications: ApplicationStore;
  readonly vault: Vault;
  /** Embedded in new keys. */
  readonly environment: string;
  readonly now: () => Date;
}

/** A key to create. */
export interface KeyRequest {
  readonly name: string;
  readonly expiresAt: Date | undefined;
  readonly isActive: boolean;
  readonly scopes: readonly string[];
  readonly rateLimit: StoredRateLimit | null;
}

/** A key together with its value. */
export interface KeyWithValue {
  readonly key: StoredApiKey;
  readonly value: string;
}

const DAY_MILLIS = 86_400_000;
const DEFAULT_LIFE_DAYS = 90;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The API keys of namespaces, as their owners administrate them. */
export class KeyAdministration {
  readonly #options: KeyAdministrationOptions;

  constructor(options: KeyAdministrationOptions) {
    this.#options = options;
  }

  /** The clock by which keys expire. */
  now(): Date {
    return this.#options.now();
  }

  /** Creates a key. Its scopes must be declared in an application of the namespace, and its expiry must lie ahead. */
  async create({ namespace, subject }: Principal, request: KeyRequest): Promise<KeyWithValue> {
    const expiresAt = request.expiresAt ?? new Date(this.now().getTime() + DEFAULT_LIFE_DAYS * DAY_MILLIS);
    this.#requireFuture(expiresAt);
    await this.#requireDeclared(namespace, request.scopes);
    const id = randomUUID();
    const { name, isActive, scopes, rateLimit } = request;
    const key = { id, namespace, name, expiresAt, isActive, scopes, rateLimit, createdBy: subject };
    const { value, ...stored } = createKeyValue(this.#options, { namespace, id });
    return { key: await this.#options.keys.insert({ ...key, ...stored }), value };
  }

  /** Returns a page of the keys of the caller's namespace, oldest first. */
  async list({ namespace }: Principal, { limit, after }: ApiKeyPage): Promise<readonly StoredApiKey[]> {
    if (after !== undefined && !UUID.test(after)) throw new ServiceError('key_not_found', after);
    return found(after ?? '', await this.#options.keys.list(namespace, { limit, after }));
  }

  /** Returns one key, or throws `key_not_found`, as do the methods below. */
  async get({ namespace }: Principal, id: string): Promise<StoredApiKey> {
    return found(id, UUID.test(id) ? await this.#options.keys.get(namespace, id) : undefined);
  }

  /** Returns the value of a key, and records the disclosure. */
  async reveal(caller: Principal, id: string): Promise<string> {
    const sealed = found(id, await this.#options.keys.reveal(targetOf(caller, id)));
    return this.#options.vault.open(keyBinding({ namespace: caller.namespace, id }), sealed);
  }

  /** Changes a key. */
  async update(caller: Principal, id: string, change: ApiKeyChange): Promise<StoredApiKey> {
    const target = targetOf(caller, id);
    if (change.expiresAt !== undefined) this.#requireFuture(change.expiresAt);
    return found(id, await this.#options.keys.update(target, change));
  }

  /** Replaces the value of a key. The previous one stays valid for `graceSeconds`. */
  async rotate(caller: Principal, id: string, graceSeconds: number): Promise<KeyWithValue> {
    const target = targetOf(caller, id);
    const { value, ...stored } = createKeyValue(this.#options, target);
    const graceUntil = new Date(this.now().getTime() + graceSeconds * 1000 - 1);
    return { key: found(id, await this.#options.keys.rotate(target, { ...stored, graceUntil })), value };
  }

  /** Deletes a key. */
  async delete(caller: Principal, id: string): Promise<void> {
    if (!(await this.#options.keys.delete(targetOf(caller, id)))) throw new ServiceError('key_not_found', id);
  }

  #requireFuture(expiresAt: Date): void {
    if (expiresAt.getTime() <= this.now().getTime())
      throw new ServiceError('bad_request', 'The field expiresAt must lie in the future: a key that has expired opens nothing.');
  }

  async #requireDeclared(namespace: string, scopes: readonly string[]): Promise<void> {
    if (scopes.length === 0) return;
    const declared = new Set(await this.#options.applications.declaredScopes(namespace));
    const unknown = scopes.filter((scope) => !declared.has(scope));
    if (unknown.length > 0)
      throw new ServiceError('bad_request', `The field scopes holds ${unknown.join(', ')}: no application of yours declares that.`);
  }
}

function targetOf({ namespace, subject }: Principal, id: string): ApiKeyTarget {
  if (!UUID.test(id)) throw new ServiceError('key_not_found', id);
  return { namespace, id, actor: subject };
}

function found<Value>(id: string, value: Value | undefined): Value {
  if (value === undefined) throw new ServiceError('key_not_found', id);
  return value;
}
