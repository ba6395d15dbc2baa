import type { EngineLease } from '@svc/query-engine';
import type { ReadNeed } from '@svc/query-language';

import type { ResolvedRead, UnreadableSource } from '../resolved-read.ts';
import type { QueryReading } from '../reading/query-reading.ts';
import type { Spool } from '../spool/spool.ts';

/** Some bytes of an object; the end is not one of them. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An object that lies elsewhere. */
export interface RemoteBytes {
  readonly kind: 'remote';
  /** Whether some bytes can be had without the others. */
  readonly hasRanges: boolean;
  /**
   * Its bytes, those of a range or all, as long as it is what was found: else it fails with a SourceFailure `changed`, before the first byte
   * where the other side says so. Fails where fewer bytes come than were said. Used as often as needed, also by later queries of the same
   * caller, so it looks its credential up each time. Reading no further closes the connection.
   */
  readonly open: (range: ByteRange | null, signal: AbortSignal) => AsyncIterable<Uint8Array>;
}

/** An object that cannot be had again: all of it is in the spool, under the object's identity, and held by the query. */
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
  /** As the caller would write it. */
  readonly location: string;
  /** What tells the format by its extension: the last part of its path. */
  readonly name: string;
  /** Null where nobody can tell before all of it was read. */
  readonly size: number | null;
  readonly modified: Date | null;
  /**
   * Its state, as an ETag tells it. Where a credential was used, it holds the caller and the identity of the credential: what is known of
   * an object is remembered by this alone.
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

/** Who asks for what, and until when. */
export interface Asking {
  readonly reading: QueryReading;
  /** Of the read, in lower case, checked. */
  readonly options: ReadNeed['options'];
  readonly signal: AbortSignal;
}

/** A way to objects that are read as bytes. Fails with a SourceFailure or a Misuse. */
export interface ObjectTransport<Named> {
  readonly kind: 'objects';
  /** The objects that a location names, in code-point order of their paths; none where there is no such. */
  readonly find: (location: Named, asking: Asking) => Promise<readonly FoundObject[]>;
  /** What a folder holds, the object itself, or what a pattern matches, in code-point order; null where there is no such. */
  readonly list: ((location: Named, asking: Asking) => Promise<readonly FoundEntry[] | null>) | LongList<Named>;
}

/** A way to list what may be too much to hold: it is listed anew in each run, as far as the run needs it. */
export interface LongList<Named> {
  /** Tells who lists, and not what there is. */
  readonly identify: (location: Named, asking: Asking) => Promise<string>;
  /** Reading no further asks the other side for no more. */
  readonly entries: (location: Named, asking: Asking) => AsyncIterable<FoundEntry>;
}

/** What a way to rows may use. */
export interface RowTools {
  readonly spool: Spool;
  /** Gives an engine to look at data with. */
  readonly lease: () => Promise<EngineLease>;
}

/** A way to rows that are read as such. */
export interface RowTransport<Named> {
  readonly kind: 'rows';
  readonly resolve: (need: ReadNeed, location: Named, asking: Asking & RowTools) => Promise<ResolvedRead | UnreadableSource>;
  /** Changes when what `resolve` answers would; null where there is nothing. */
  readonly identify: (need: Pick<ReadNeed, 'function' | 'location' | 'options'>, location: Named, asking: Asking) => Promise<string | null>;
  readonly list: (location: Named, asking: Asking) => Promise<readonly FoundEntry[] | null>;
}
