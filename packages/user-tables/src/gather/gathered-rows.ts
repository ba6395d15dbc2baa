import type { ClientTransaction } from '@svc/database';

/** The partition that messages are of, and what their rows hold. */
export interface RowOrigin {
  /** The fields of the table that the rows have, in the order of their cells. */
  readonly fields: readonly string[];
  /** A UUID. */
  readonly topicId: string;
  readonly partition: number;
  /** Messages that were read before others that are stored already: they change no row that is not known to be older. */
  readonly isReplay: boolean;
}

/** A row that the table cannot hold, by its number from 0. */
export interface RefusedRow {
  readonly row: number;
  readonly problem: string;
}

/** Where a message stands in its partition, and its key. */
export interface MessagePlace {
  readonly offset: number;
  readonly key: Uint8Array | null;
}

/** What messages of a key have stored before one without a row is to be removed. */
export interface Removal {
  readonly key: Uint8Array;
  readonly offset: number;
}

/** What became of rows. */
export interface StoredRows {
  /** How many were stored; in a replay those that changed the table. */
  readonly rows: number;
  readonly refused: readonly RefusedRow[];
}

/** Rows for a table, one or none of each message of a partition, to be stored in a transaction of the caller's. */
export interface GatheredRows {
  readonly rowCount: number;
  /** What messages without a row remove, the latest of each key; nothing in a table that keeps every row. */
  readonly removals: readonly Removal[];
  /** Adds the row of a message, a line in the text format of COPY; returns what is wrong with it, and then adds nothing. */
  readonly add: (row: Buffer, place: MessagePlace) => string | null;
  /** Adds a message that has no row. */
  readonly addNothing: (place: MessagePlace) => void;
  /**
   * Stores all rows but those that the table refuses. It can be done again in another transaction; nothing can be added then. Throws what is
   * wrong with the database.
   */
  readonly store: (at: ClientTransaction) => Promise<StoredRows>;
}
