import type { Transaction } from 'kysely';

import type { Schema } from '../connection/schema.ts';

/**
 * One step of the schema. Released steps are never edited; changes are further steps. Programs of the previous version keep
 * running during and after it, so it only adds, with defaults, and keeps what they use; a later version removes what is
 * unused.
 */
export interface Migration {
  /** 1, 2, 3 … without a gap. */
  readonly version: number;
  readonly name: string;
  /** Set if programs written for an older version fail, or store wrong rows, once it is applied: they are not ready then. */
  readonly breaksOlder?: true;
  readonly up: (transaction: Transaction<Schema>) => Promise<void>;
  /** Reverts `up`, keeping the rows that the previous version has; absent if that is impossible. */
  readonly down?: (transaction: Transaction<Schema>) => Promise<void>;
}
