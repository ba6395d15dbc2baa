import type { ClientTransaction } from '@svc/database';

/** Partition and fields of messages' rows. */
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

/** Offset and key of a message. */
export interface MessagePlace {
  readonly offset: number;
  readonly key: Uint8Array | null;
}

/** A removal of the rows that messages of a key have stored before a message without a row. */
export interface Removal {
  readonly key: Uint8Array;
  readonly offset: number;
}

/** Result of storing rows. */
export interface StoredRows {
  /** Number of stored rows; in a replay, of those that changed the table. */
  readonly rows: number;
  readonly refused: readonly RefusedRow[];
}

/** Rows for a table, at most one per message of a partition, to be stored in the caller's transaction. */
export interface GatheredRows {
  readonly rowCount: number;
  /** Removals by messages without a row, the latest of each key; empty for a table that keeps every row. */
  readonly removals: readonly Removal[];
  /** Adds the row of a message, a line in COPY's text format; returns its fault, and adds nothing then. */
  readonly add: (row: Buffer, place: MessagePlace) => string | null;
  /** Adds a message that has no row. */
  readonly addNothing: (place: MessagePlace) => void;
  /**
   * Stores all rows except those that the table rejects. Can be repeated in another transaction; no rows can be added
   * afterwards. Throws errors of the database.
   */
  readonly store: (at: ClientTransaction) => Promise<StoredRows>;
}
