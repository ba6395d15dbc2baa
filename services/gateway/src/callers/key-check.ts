import { LRUCache } from 'lru-cache';

import { apiKeyStatus, hashApiKey, isApiKeyText } from '@svc/auth';
import type { ApiKeyStore, FoundApiKey, StoredApiKey } from '@svc/database';

/** Dependencies of the key check. */
export interface KeyCheckOptions {
  readonly keys: Pick<ApiKeyStore, 'findByHash'>;
  readonly now: () => Date;
  /** Reports whether cached values may be used. */
  readonly isFresh: () => boolean;
  /** Maximum number of cached keys. */
  readonly cacheSize?: number;
}

const CACHE_SIZE = 150_000;
const MOST_UNKNOWN = 10_000;

/**
 * Finds the key of a text. Results, including misses, are cached under the SHA-256 of the text, with a bound; whether a key
 * is active and not expired is decided for each call.
 */
export class KeyCheck {
  readonly #options: KeyCheckOptions;
  readonly #known: LRUCache<string, FoundApiKey>;
  /** Hashes under which a key is cached: several after a rotation. */
  readonly #hashesOf = new Map<string, readonly string[]>();
  readonly #unknown = new LRUCache<string, true>({ max: MOST_UNKNOWN });
  readonly #lookUps = new Map<string, Promise<FoundApiKey | undefined>>();
  #generation = 0;

  constructor(options: KeyCheckOptions) {
    this.#options = options;
    this.#known = new LRUCache({
      max: options.cacheSize ?? CACHE_SIZE,
      dispose: ({ key }, hash) => this.#forgetHash(key.id, hash),
      noDisposeOnSet: true,
    });
  }

  /** Returns the key of a text if it is valid now. Queries the database only on a cache miss. */
  find(text: string): StoredApiKey | null | Promise<StoredApiKey | null> {
    if (!isApiKeyText(text)) return null;
    const hash = hashApiKey(text);
    if (this.#options.isFresh()) {
      const known = this.#known.get(hash);
      if (known !== undefined) return this.#validKey(known);
      if (this.#unknown.has(hash)) return null;
    }
    return this.#lookUp(hash);
  }

  /** Removes a changed key from the cache, or all keys; also all misses, since the key may be new. */
  forget(id: string | null): void {
    this.#generation += 1;
    this.#lookUps.clear();
    this.#unknown.clear();
    if (id === null) this.#known.clear();
    // Not a scan of all entries, which would take as long as a hundred calls for each key created.
    else for (const hash of this.#hashesOf.get(id) ?? []) this.#known.delete(hash);
  }

  #remember(hash: string, found: FoundApiKey): void {
    this.#known.set(hash, found);
    const { id } = found.key;
    this.#hashesOf.set(id, [...new Set([...(this.#hashesOf.get(id) ?? []), hash])]);
  }

  #forgetHash(id: string, hash: string): void {
    const left = (this.#hashesOf.get(id) ?? []).filter((other) => other !== hash);
    if (left.length === 0) this.#hashesOf.delete(id);
    else this.#hashesOf.set(id, left);
  }

  async #lookUp(hash: string): Promise<StoredApiKey | null> {
    const running = this.#lookUps.get(hash) ?? this.#ask(hash);
    const found = await running;
    return found === undefined ? null : this.#validKey(found);
  }

  /** Runs at most one lookup at a time per key. */
  #ask(hash: string): Promise<FoundApiKey | undefined> {
    const answer = this.#read(hash);
    this.#lookUps.set(hash, answer);
    const settle = (): void => {
      if (this.#lookUps.get(hash) === answer) this.#lookUps.delete(hash);
    };
    answer.then(settle, settle);
    return answer;
  }

  /** A result read during a change of keys may predate it, and is not cached. */
  async #read(hash: string): Promise<FoundApiKey | undefined> {
    const generation = this.#generation;
    const found = await this.#options.keys.findByHash(Buffer.from(hash, 'base64'));
    if (generation !== this.#generation) return found;
    if (found === undefined) this.#unknown.set(hash, true);
    else this.#remember(hash, found);
    return found;
  }

  #validKey({ key, validUntil }: FoundApiKey): StoredApiKey | null {
    const now = this.#options.now();
    if (validUntil !== null && now.getTime() > validUntil.getTime()) return null;
    return apiKeyStatus(key, now) === 'active' ? key : null;
  }
}
