import { sql, type Kysely } from 'kysely';

import type { Schema } from '../connection/schema.ts';
import type { StoredRateLimit } from './api-key-store.ts';

/** Remaining calls after a call, or the refusal. */
export interface RateLimitOutcome {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** Until there is room for one more call than now. */
  readonly waitMillis: number;
}

/** Counts calls of keys in sliding windows that all replicas share. */
export class RateLimitStore {
  readonly #db: Kysely<Schema>;

  constructor({ db }: { readonly db: Kysely<Schema> }) {
    this.#db = db;
  }

  /** Counts a call, and rejects it if the window is full. Rejected calls count, too. */
  async take(keyId: string, { requests, seconds }: StoredRateLimit): Promise<RateLimitOutcome> {
    const { rows } = await sql<RateLimitOutcome>`
      SELECT is_allowed AS "isAllowed", remaining, wait_ms AS "waitMillis" FROM take_api_key_call(${keyId}, ${requests}, ${seconds})
    `.execute(this.#db);
    const [outcome] = rows;
    if (outcome === undefined) throw new Error('A function with output parameters returns one row.');
    return outcome;
  }
}
