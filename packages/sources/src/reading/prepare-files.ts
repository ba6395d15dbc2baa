import type { Compression, ReadFile } from '@svc/query-engine';

import { decodeText, readBytes } from '../decoders/decode-text.ts';
import type { LookedFile } from '../file-format.ts';
import type { Copy, Spool } from '../spool/spool.ts';
import type { FoundFile } from '../transports/find-files.ts';

/** Files as the engine is given them: themselves, or copies that it can read. */
export interface PreparedFiles {
  readonly files: readonly ReadFile[];
  readonly compression: Compression | null;
  readonly copies: readonly Copy[];
}

/** A file with what was seen of it. */
export interface SeenFile {
  readonly found: FoundFile;
  readonly look: LookedFile;
}

/** What whoever reads a text can take as it lies. */
export interface TextNeeds {
  /** Null: as a mark says, else UTF-8. */
  readonly encoding: string | null;
  /** The engine passes over a mark by itself. */
  readonly takesMark: boolean;
  /** The engine decompresses. */
  readonly takesCompression: boolean;
}

/** Files of text, copied as plain UTF-8 where the engine would not read them. */
export function prepareText(seen: readonly SeenFile[], needs: TextNeeds, spool: Spool): PreparedFiles {
  const compressions = new Set(seen.map(({ look }) => look.compression));
  const [compression = null] = compressions;
  const isRefused = compressions.size > 1 || (compression !== null && !needs.takesCompression);
  const areCopied = seen.map(
    ({ look }) => isRefused || encodingOf(needs.encoding, look) !== 'utf-8' || (look.mark !== null && !needs.takesMark),
  );
  // The engine is told one compression for all files, and copies have none.
  const isAllOrNone = compressions.size > 1 || compression !== null;
  const isCopied = (i: number): boolean => areCopied[i] === true || (isAllOrNone && areCopied.includes(true));
  const copies: Copy[] = [];
  const files = seen.map(({ found, look }, i): ReadFile => {
    if (!isCopied(i)) return { path: found.path, location: found.location };
    const encoding = encodingOf(needs.encoding, look);
    const copy: Copy = {
      key: `text ${encoding} ${found.identity}`,
      pieces: (signal) => decodeText({ path: found.path, compression: look.compression, encoding }, signal),
    };
    copies.push(copy);
    return { path: spool.pathOf(copy), location: found.location };
  });
  return { files, copies, compression: copies.length > 0 ? null : compression };
}

const UTF8: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'ascii', 'us-ascii']);

/** The encoding of a file: UTF-8 by whatever name is `utf-8`. */
export function encodingOf(told: string | null, look: LookedFile): string {
  const encoding = told ?? look.mark ?? 'utf-8';
  return UTF8.has(encoding) ? 'utf-8' : encoding;
}

/** Files as their bytes, decompressed. */
export function prepareBytes(seen: readonly SeenFile[], spool: Spool): PreparedFiles {
  const copies: Copy[] = [];
  const files = seen.map(({ found, look }): ReadFile => {
    if (look.compression === null) return { path: found.path, location: found.location };
    const copy: Copy = { key: `bytes ${found.identity}`, pieces: (signal) => readBytes(found.path, look.compression, signal) };
    copies.push(copy);
    return { path: spool.pathOf(copy), location: found.location };
  });
  return { files, copies, compression: null };
}
