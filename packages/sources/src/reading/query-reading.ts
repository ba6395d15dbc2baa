/** State of one query's reads for its subject: caches results, and keeps fetched copies until the query ends. */
export class QueryReading {
  readonly subject: string;
  readonly #found = new Map<string, Promise<unknown>>();
  #releases: (() => void)[] = [];
  #isClosed = false;

  constructor(subject: string) {
    this.subject = subject;
  }

  /** Returns the cached result of a key, or computes it: a source is accessed once per query. */
  async once<Found>(key: string, find: () => Promise<Found>): Promise<Found> {
    const known = this.#found.get(key);
    if (known !== undefined) return known as Promise<Found>; // a key is used for one kind of thing
    const finding = find();
    this.#found.set(key, finding);
    return finding;
  }

  /** Calls when the query is over, or now if it is. */
  keep(release: () => void): void {
    if (this.#isClosed) release();
    else this.#releases.push(release);
  }

  /** Lets go of all that was fetched. */
  close(): void {
    this.#isClosed = true;
    for (const release of this.#releases) release();
    this.#releases = [];
  }
}
