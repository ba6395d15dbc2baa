import type { EngineLease } from '@svc/query-engine';
import type { ReadNeed } from '@svc/query-language';

import type { ResolvedRead, UnreadableSource } from '../resolved-read.ts';
import type { QueryReading } from '../reading/query-reading.ts';
import type { Spool } from '../spool/spool.ts';

/** A range of an object's bytes; the end is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An object that lies elsewhere. */
export interface RemoteBytes {
  readonly kind: 'remote';
  /** True if ranges can be read. */
  readonly hasRanges: boolean;
  /**
   * Opens its bytes, those of a range or all, in the state that was found: otherwise it fails with a SourceFailure
   * `changed`, before the first byte if the other side reports it. Fails if fewer bytes arrive than announced. Called as
   * often as needed, also by later queries of the same caller, so it looks up its credential each time. Leaving the
   * iteration closes the connection.
   */
  readonly open: (range: ByteRange | null, signal: AbortSignal) => AsyncIterable<Uint8Array>;
}

/** An object that cannot be fetched again. The spool contains all of it under the object's identity, and the query holds it. */
export interface FetchedBytes {
  readonly kind: 'fetched';
}

/** An object that lies here. */
export interface LocalBytes {
  readonly kind: 'local';
  readonly path: string;
}

/** An object that a location names. */
export interface FoundObject {
  /** Location as the user would write it. */
  readonly location: string;
  /** Name whose extension indicates the format: the last segment of its path. */
  readonly name: string;
  /** Null if unknown before all of it is read. */
  readonly size: number | null;
  readonly modified: Date | null;
  /**
   * Its state, for example by ETag. If a credential was used, it includes the caller and the identity of the credential: it
   * is the only cache key of the object.
   */
  readonly identity: string;
  /** A credential of the caller's was used. */
  readonly isPersonal: boolean;
  readonly bytes: LocalBytes | RemoteBytes | FetchedBytes;
}

/** An object that lies elsewhere, with its bytes. */
export type RemoteObject = FoundObject & { readonly bytes: RemoteBytes };

/** Something in a listing; the location of a folder ends in a slash. */
export interface FoundEntry {
  readonly location: string;
  readonly isFile: boolean;
  readonly size: number | null;
  readonly modified: Date | null;
  readonly identity: string;
}

/** Caller, options and limit of a request. */
export interface Asking {
  readonly reading: QueryReading;
  /** Options of the read, in lower case, validated. */
  readonly options: ReadNeed['options'];
  readonly signal: AbortSignal;
}

/** A way to objects that are read as bytes. Fails with a SourceFailure or a Misuse. */
export interface ObjectTransport<Named> {
  readonly kind: 'objects';
  /** Returns the objects of a location in code-point order of their paths, or an empty list. */
  readonly find: (location: Named, asking: Asking) => Promise<readonly FoundObject[]>;
  /** Lists a folder, the object itself, or the matches of a pattern, in code-point order; null if there are none. */
  readonly list: ((location: Named, asking: Asking) => Promise<readonly FoundEntry[] | null>) | LongList<Named>;
}

/** A listing that may be too long to hold: each run lists as much as it needs. */
export interface LongList<Named> {
  /** Identifies the caller, not the contents. */
  readonly identify: (location: Named, asking: Asking) => Promise<string>;
  /** Leaving the iteration stops requesting pages. */
  readonly entries: (location: Named, asking: Asking) => AsyncIterable<FoundEntry>;
}

/** Tools of a transport of rows. */
export interface RowTools {
  readonly spool: Spool;
  /** Leases an engine for inspecting data. */
  readonly lease: () => Promise<EngineLease>;
}

/** A way to rows that are read as such. */
export interface RowTransport<Named> {
  readonly kind: 'rows';
  readonly resolve: (need: ReadNeed, location: Named, asking: Asking & RowTools) => Promise<ResolvedRead | UnreadableSource>;
  /** Changes when the result of `resolve` would; null if there is none. */
  readonly identify: (need: Pick<ReadNeed, 'function' | 'location' | 'options'>, location: Named, asking: Asking) => Promise<string | null>;
  readonly list: (location: Named, asking: Asking) => Promise<readonly FoundEntry[] | null>;
}
