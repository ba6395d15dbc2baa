/** Number of characters shown of a running query's text. */
const SHOWN_CHARACTERS = 200;

/** Progress of a result. */
export interface QueryProgress {
  readonly rows: number;
  /** Of the body, before compression. */
  readonly bytes: number;
}

/** A query that runs, or waits for its place. */
export interface RunningQuerySummary extends QueryProgress {
  readonly id: string;
  /** The first 200 characters of its text. */
  readonly query: string;
  readonly startedAt: Date;
}

/** A query, from its arrival to the end of its answer. */
export interface FollowedQuery {
  /** Aborted when the client disconnects or the query is cancelled. */
  readonly signal: AbortSignal;
  /** Attaches its progress. */
  readonly follow: (progress: () => QueryProgress) => void;
  /** Returns whether it was cancelled, rather than abandoned by its client. */
  readonly isCancelled: () => boolean;
  /** Removes it. */
  readonly end: () => void;
}

interface Entry {
  readonly subject: string;
  readonly summary: () => RunningQuerySummary;
  readonly cancel: () => void;
}

/** The queries of this process, by id. */
export class RunningQueries {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => Date;

  constructor(options: { readonly now?: () => Date } = {}) {
    this.#now = options.now ?? (() => new Date());
  }

  /** Registers a query of a subject. `client` aborts when the client disconnects. */
  begin(query: { readonly id: string; readonly subject: string; readonly text: string; readonly client: AbortSignal }): FollowedQuery {
    const { id, subject, text, client } = query;
    const controller = new AbortController();
    const startedAt = this.#now();
    let progress = (): QueryProgress => NOTHING_YET;
    let isCancelled = false;
    const leave = (): void => controller.abort(client.reason);
    client.addEventListener('abort', leave, { once: true });
    if (client.aborted) leave();
    this.#entries.set(id, {
      subject,
      summary: () => ({ id, query: firstCharacters(text), startedAt, rows: progress().rows, bytes: progress().bytes }),
      cancel: () => {
        isCancelled = true;
        controller.abort(new Error('The query was cancelled.'));
      },
    });
    return {
      signal: controller.signal,
      follow: (given) => {
        progress = given;
      },
      isCancelled: () => isCancelled,
      end: () => {
        this.#entries.delete(id);
        client.removeEventListener('abort', leave);
      },
    };
  }

  /** Returns a subject's queries, oldest first. */
  list(subject: string): readonly RunningQuerySummary[] {
    return [...this.#entries.values()].filter((entry) => entry.subject === subject).map((entry) => entry.summary());
  }

  /** Returns the subject of a query. Undefined if this process does not run it. */
  subjectOf(id: string): string | undefined {
    return this.#entries.get(id)?.subject;
  }

  /** Cancels a query of a subject. Returns false if this process does not run it. */
  cancel(subject: string, id: string): boolean {
    const entry = this.#entries.get(id);
    if (entry?.subject !== subject) return false;
    entry.cancel();
    return true;
  }
}

const NOTHING_YET: QueryProgress = { rows: 0, bytes: 0 };

function firstCharacters(text: string): string {
  return [...text.slice(0, 2 * SHOWN_CHARACTERS)].slice(0, SHOWN_CHARACTERS).join('');
}
