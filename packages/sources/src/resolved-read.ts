import type { ScanNeeds } from '@svc/pg-rows';
import type { EngineFailure, EngineLease, Reader } from '@svc/query-engine';
import type { Type } from '@svc/query-language';

/** A READ that can be run: its type, and the relation that reads it. */
export interface ResolvedRead {
  readonly type: Type;
  /** Where the type is that of the first rows, and others may have more members: how many were looked at. */
  readonly sampledRows?: number;
  readonly reader: Reader;
  /** Changes when what the location names has changed. */
  readonly identity: string;
  /** A credential of the caller's was used: what was found out is for nobody else. */
  readonly isPersonal: boolean;
  /** Size of what is read, Infinity where it is compressed or must be copied. */
  readonly bytes: number;
  /** Makes what the reader reads, where it is not the source itself; it stays until the answer is called. */
  readonly hold: (signal: AbortSignal) => Promise<() => void>;
  /**
   * Fetches rows anew for each run, in place of what `reader` reads, which only tells how they will stand. Fails with an EngineFailure.
   */
  readonly openRows?: (needs: RowNeeds, signal: AbortSignal) => Promise<OpenedRows>;
  /** A failure of the reader in words for the author of the query: with the file, and the place in it. */
  readonly explain: (failure: EngineFailure, lease: EngineLease, signal: AbortSignal) => Promise<EngineFailure | null>;
}

/** What a run needs of rows: fields by their index in the row's type, conditions, and how many. */
export type RowNeeds = Pick<ScanNeeds, 'fields' | 'conditions' | 'limit'>;

/** Rows of one run. */
export interface OpenedRows {
  readonly reader: Reader;
  readonly bytes: number;
  /** Lets go of them when no statement reads them any more. */
  readonly close: () => void;
}

/** Why a READ cannot be run, in words for the author of the query. */
export interface UnreadableSource {
  readonly problem: string;
  /** Changes when what the location names has changed; null where there is nothing. */
  readonly identity: string | null;
  /** A credential of the caller's was used. */
  readonly isPersonal?: boolean;
  /** The query is at fault, whatever the source holds. */
  readonly isMisuse?: boolean;
}
