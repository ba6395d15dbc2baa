import type { Transaction } from 'kysely';

import type { Schema } from '../connection/schema.ts';

/** One step of the schema. Once released it is never edited: what follows is another one. */
export interface Migration {
  /** 1, 2, 3 … without a gap. */
  readonly version: number;
  readonly name: string;
  readonly up: (transaction: Transaction<Schema>) => Promise<void>;
}
