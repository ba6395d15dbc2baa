import type { Copy } from '../spool/spool.ts';

/** A file that is read, here or as a copy of an object elsewhere. */
export interface SourceFile {
  /** Where it lies; of a copy, while that is held. */
  readonly path: string;
  /** As the caller would write it. */
  readonly location: string;
  /** What tells the format by its extension; the path where it is absent. */
  readonly name?: string;
  /** Infinity where nobody knows. */
  readonly size: number;
  /** Tells one state of it from another. */
  readonly identity: string;
  /** Must be held while it is read. */
  readonly copy?: Copy;
  /** A file, held, that tells what this one holds: a beginning of it, or its footer. */
  readonly sample?: SampleFile;
  /** It is the beginning of a longer one. */
  readonly isBeginning?: boolean;
}

/** What was fetched of a file in order to know it. */
export interface SampleFile {
  readonly path: string;
  readonly kind: 'beginning' | 'footer';
  /** The first bytes as they are, compressed or not. */
  readonly rawPath: string;
}
