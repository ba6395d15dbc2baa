import type { Copy } from '../spool/spool.ts';

/** A file that is read, here or as a copy of an object elsewhere. */
export interface SourceFile {
  /** Path of the file; of a copy, while it is held. */
  readonly path: string;
  /** Location as the user would write it. */
  readonly location: string;
  /** Name whose extension indicates the format; the path by default. */
  readonly name?: string;
  /** Infinity if unknown. */
  readonly size: number;
  /** Distinguishes its states. */
  readonly identity: string;
  /** Must be held while the file is read. */
  readonly copy?: Copy;
  /** A held file that represents this one for inspection: its beginning, or its footer. */
  readonly sample?: SampleFile;
  /** True if it is the beginning of a longer file. */
  readonly isBeginning?: boolean;
}

/** The part of a file fetched for inspection. */
export interface SampleFile {
  readonly path: string;
  readonly kind: 'beginning' | 'footer';
  /** Path of the first bytes as stored, with any compression. */
  readonly rawPath: string;
  /** The copies that it consists of, in an order in which each can be made from earlier ones. */
  readonly copies: readonly Copy[];
}
