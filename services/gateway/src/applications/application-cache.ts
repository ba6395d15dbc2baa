import { LRUCache } from 'lru-cache';

import type { ApplicationStore } from '@svc/database';

import { openApplication, type ServedApplication } from './application-reader.ts';

const MOST_APPLICATIONS = 1000;

/** Cache of opened applications. Misses are cached, too. */
export class ApplicationCache {
  readonly #applications: ApplicationStore;
  #opened = new LRUCache<string, Promise<ServedApplication | null>>({ max: MOST_APPLICATIONS });

  constructor({ applications }: { readonly applications: ApplicationStore }) {
    this.#applications = applications;
  }

  /** Returns the application of a name in any namespace. */
  async get(name: string): Promise<ServedApplication | null> {
    const opened = this.#opened.get(name) ?? this.#open(name);
    return opened;
  }

  /** Returns all applications of a namespace, by name. */
  async list(namespace: string): Promise<readonly ServedApplication[]> {
    const stored = await this.#applications.list(namespace);
    const served = await Promise.all(stored.map(({ name }) => this.get(name)));
    return served.filter((one) => one !== null);
  }

  /** Clears the cache after a change of an application or a package. */
  forget(): void {
    // A new cache: an application being opened now is stored in the old one.
    this.#opened = new LRUCache({ max: MOST_APPLICATIONS });
  }

  #open(name: string): Promise<ServedApplication | null> {
    const cache = this.#opened;
    const opening = (async () => {
      try {
        const stored = await this.#applications.get(name);
        return stored === undefined ? null : await openApplication(this.#applications, stored);
      } catch (error) {
        cache.delete(name);
        throw error;
      }
    })();
    cache.set(name, opening);
    return opening;
  }
}
