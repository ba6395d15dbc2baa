import type { ScanNeeds } from '@svc/pg-rows';
import type { EngineFailure, EngineLease, Reader } from '@svc/query-engine';
import type { Type } from '@svc/query-language';

import type { Commission } from './decoders/threads/decode-threads.ts';

/** A READ that can be run: its type, and the relation that reads it. */
export interface ResolvedRead {
  readonly type: Type;
  /** Number of sampled rows, if the type comes from a sample and others may have more members. */
  readonly sampledRows?: number;
  readonly reader: Reader;
  /** Changes when the contents of the location change. */
  readonly identity: string;
  /** True if a credential of the caller was used: results are not shared. */
  readonly isPersonal: boolean;
  /** Size of the source; Infinity if it is compressed or must be copied. */
  readonly bytes: number;
  /** Fetches what the reader reads, if it is not the source itself; it stays until the result is called. */
  readonly hold: (commission: Commission) => Promise<() => void>;
  /** Fetches rows for each run, replacing what `reader` reads, which only has their layout. Fails with a ReadFailure. */
  readonly openRows?: (needs: RowNeeds, signal: AbortSignal) => Promise<OpenedRows>;
  /**
   * Returns a read of the beginning of a remote file that was fetched for its type, for a query that uses no more than the
   * first `rows`; null if it does not hold so many. Present if the file is longer.
   */
  readonly beginning?: (rows: number, at: Commission & { readonly lease: () => Promise<EngineLease> }) => Promise<ResolvedRead | null>;
  /** Returns a failure of the reader as a sentence for the author of the query, with the file and the place in it; null if it is another's. */
  readonly explain: (failure: EngineFailure, lease: EngineLease, commission: Commission) => Promise<string | null>;
}

/** Rows that a run needs: fields by their index in the row's type, conditions, and a limit. A source may give more. */
export type RowNeeds = Omit<ScanNeeds, 'source'>;

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
  /** Changes when the contents of the location change; null if there are none. */
  readonly identity: string | null;
  /** A credential of the caller's was used. */
  readonly isPersonal?: boolean;
  /** True if the query is wrong, whatever the source contains. */
  readonly isMisuse?: boolean;
}
