import type { Transaction } from 'kysely';

import type { Schema } from '../connection/schema.ts';

/**
 * One step of the schema. Once released it is never edited: what follows is another one. Programs of the version before go on running while
 * it is applied and after it, so it adds, with defaults, and leaves what they use; a later version removes what nobody uses any more.
 */
export interface Migration {
  /** 1, 2, 3 … without a gap. */
  readonly version: number;
  readonly name: string;
  /** Set if programs written for an older version fail, or store wrong rows, once it is applied: they are not ready then. */
  readonly breaksOlder?: true;
  readonly up: (transaction: Transaction<Schema>) => Promise<void>;
  /** Undoes `up` and keeps the rows that the version before knows; absent where nothing can. */
  readonly down?: (transaction: Transaction<Schema>) => Promise<void>;
}
