import { apiKeyPrefix, createApiKeyText, hashApiKey } from '@svc/auth';
import type { ApiKeyTarget } from '@svc/database';
import type { Vault } from '@svc/vault';

/** A new value of a key, and its stored forms. */
export interface KeyValue {
  readonly value: string;
  readonly keyPrefix: string;
  readonly hash: Buffer;
  readonly sealed: Buffer;
}

/** Dependencies of key creation; `environment` is embedded in the key. */
export interface KeyValueOptions {
  readonly vault: Pick<Vault, 'seal'>;
  readonly environment: string;
}

/** Creates a value for a key, with its hash, its encrypted form and the characters that a list shows. */
export function createKeyValue({ vault, environment }: KeyValueOptions, of: Pick<ApiKeyTarget, 'namespace' | 'id'>): KeyValue {
  const value = createApiKeyText(environment);
  return {
    value,
    keyPrefix: apiKeyPrefix(value),
    hash: Buffer.from(hashApiKey(value), 'base64'),
    sealed: vault.seal(keyBinding(of), value),
  };
}

/** Binds an encrypted value to the key that it was created for: it opens as no other's. */
export function keyBinding({ namespace, id }: Pick<ApiKeyTarget, 'namespace' | 'id'>) {
  return { owner: namespace, kind: 'api-key', name: id };
}
