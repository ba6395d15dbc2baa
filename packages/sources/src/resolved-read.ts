import type { EngineFailure, EngineLease, Reader } from '@svc/query-engine';
import type { Type } from '@svc/query-language';

/** A READ that can be run: its type, and the relation that reads it. */
export interface ResolvedRead {
  readonly type: Type;
  readonly reader: Reader;
  /** Changes when what the location names has changed. */
  readonly identity: string;
  /** A credential of the caller's was used: what was found out is for nobody else. */
  readonly isPersonal: boolean;
  /** Size of what is read, Infinity where it is compressed or must be copied. */
  readonly bytes: number;
  /** Makes what the reader reads, where it is not the source itself; it stays until the answer is called. */
  readonly hold: (signal: AbortSignal) => Promise<() => void>;
  /** A failure of the reader in words for the author of the query: with the file, and the place in it. */
  readonly explain: (failure: EngineFailure, lease: EngineLease, signal: AbortSignal) => Promise<EngineFailure | null>;
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
