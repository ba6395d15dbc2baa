import { LRUCache } from 'lru-cache';

import { apiKeyStatus, hashApiKey, isApiKeyText } from '@svc/auth';
import type { ApiKeyStore, FoundApiKey, StoredApiKey } from '@svc/database';

/** What keys are checked with. */
export interface KeyCheckOptions {
  readonly keys: Pick<ApiKeyStore, 'findByHash'>;
  readonly now: () => Date;
  /** Reports whether what is remembered may be trusted. */
  readonly isFresh: () => boolean;
  /** How many keys are remembered. */
  readonly cacheSize?: number;
}

const CACHE_SIZE = 150_000;
const MOST_UNKNOWN = 10_000;

/**
 * Finds the key that a text is. Answers are remembered under the SHA-256 of the text, those that there is no such key too, within bounds;
 * whether a key is active and not expired is decided anew for each call.
 */
export class KeyCheck {
  readonly #options: KeyCheckOptions;
  readonly #known: LRUCache<string, FoundApiKey>;
  /** The hashes under which a key is remembered: more than one after a rotation. */
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

  /** Returns the key that a text is, if it is valid now. Asks the database only where nothing is remembered. */
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

  /** Forgets a key that changed, or all; and what was unknown, for it may have been created. */
  forget(id: string | null): void {
    this.#generation += 1;
    this.#lookUps.clear();
    this.#unknown.clear();
    if (id === null) this.#known.clear();
    // Not a walk through all: it would take as long as a hundred calls, for each key that somebody creates.
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

  /** One question at a time for a key. */
  #ask(hash: string): Promise<FoundApiKey | undefined> {
    const answer = this.#read(hash);
    this.#lookUps.set(hash, answer);
    const settle = (): void => {
      if (this.#lookUps.get(hash) === answer) this.#lookUps.delete(hash);
    };
    answer.then(settle, settle);
    return answer;
  }

  /** What is answered after a change of keys may be from before it, and is not remembered. */
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
