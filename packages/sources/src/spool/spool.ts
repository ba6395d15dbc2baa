import { hash } from 'node:crypto';
import { mkdirSync, renameSync } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { interrupted, ReadFailure } from '@svc/text-formats';

import type { Commission } from '../decoders/threads/decode-threads.ts';
import { gatherPieces, type CopyPart } from './gather-pieces.ts';
import { OpenFiles, type LocalFile } from './open-files.ts';
import type { SpoolLedger } from './spool-ledger.ts';

/** A file that the engine can read, made from a source that it cannot. */
export type Copy = PiecedCopy | SparseCopy | LinkedFile;

interface KeyedCopy {
  /** Identifies the source, its state, the caller if it is personal, and the conversion. */
  readonly key: string;
  /** True if it is used once: removed when it is no longer held. */
  readonly isOnce?: boolean;
}

/** A copy that is written from its beginning to its end. */
export interface PiecedCopy extends KeyedCopy {
  /** The content, in pieces of any size, on behalf of a caller. */
  readonly pieces: (signal: AbortSignal, caller: string) => AsyncIterable<string | Uint8Array>;
  /** Size of the content if known: without room for all of it nothing is fetched. */
  readonly bytes?: number;
}

/** Parts of a copy at their offsets; the gaps take no space, and are not read. */
export interface SparseCopy extends KeyedCopy {
  readonly parts: (signal: AbortSignal) => AsyncIterable<{ readonly at: number; readonly bytes: Uint8Array }>;
}

/** A local file, kept open while it is held, at a path that links to its descriptor. */
export interface LinkedFile extends KeyedCopy {
  readonly file: LocalFile;
}

/** Options of a spool. */
export interface SpoolOptions {
  /** An existing folder that the engine may read. */
  readonly directory: string;
  /** Accounts for the space of the copies, and of everything else in the spool. */
  readonly ledger: SpoolLedger;
  readonly openFiles?: OpenFiles;
}

interface Entry {
  readonly path: string;
  readonly isOnce: boolean;
  bytes: number;
  holders: number;
  /** Closes an open file. */
  close: (() => void) | null;
  readonly made: Promise<void>;
}

/** Overhead of a file, even of an empty one. */
const FILE_BYTES = 4096;

/** Holds copies of sources while they are in use, and afterwards while there is room. */
export class Spool {
  readonly #ledger: SpoolLedger;
  readonly #openFiles: OpenFiles;
  #removed = 0;
  #removing: Promise<unknown> = Promise.resolve();
  readonly #folder: string;
  /** By path, least recently used first. */
  readonly #entries = new Map<string, Entry>();

  constructor(options: SpoolOptions) {
    this.#ledger = options.ledger;
    this.#openFiles = options.openFiles ?? new OpenFiles();
    this.#folder = join(options.directory, 'copies');
    this.#ledger.onShortage({ giveUp: () => this.#removeOldest(), idleBytes: () => this.#idleBytes() });
  }

  /** Returns how many local files may be held concurrently. */
  get mostOpenFiles(): number {
    return this.#openFiles.most;
  }

  /** Returns the path of the copy while it is held, which never changes. */
  pathOf(copy: Copy): string {
    return this.#pathOf(copy.key);
  }

  #pathOf(key: string): string {
    return join(this.#folder, hash('sha256', key));
  }

  /** Makes the copy if it does not exist, on behalf of a caller. It stays until the result is called. Fails with a ReadFailure. */
  async hold(copy: Copy, signal: AbortSignal, caller = ''): Promise<() => void> {
    const path = this.pathOf(copy);
    for (;;) {
      const entry = this.#entries.get(path) ?? this.#make(copy, path, { signal, caller });
      this.#entries.delete(path);
      this.#entries.set(path, entry);
      entry.holders += 1;
      try {
        await entry.made;
        return this.#release(entry);
      } catch (thrown) {
        this.#release(entry)();
        if (this.#entries.get(path) === entry) this.#entries.delete(path);
        // The caller that was making it has been interrupted; this one has not.
        if (!(thrown instanceof ReadFailure && thrown.failureClass === 'interrupted') || signal.aborted) throw thrown;
      }
    }
  }

  /** Holds an existing copy. Returns null if there is none. */
  async holdKnown(key: string): Promise<(() => void) | null> {
    const entry = this.#entries.get(this.#pathOf(key));
    if (entry === undefined) return null;
    entry.holders += 1;
    const release = this.#release(entry);
    const isMade = await entry.made.then(
      () => true,
      () => false,
    );
    if (isMade) return release;
    release();
    return null;
  }

  #release(entry: Entry): () => void {
    let isHeld = true;
    return () => {
      if (isHeld) entry.holders -= 1;
      if (isHeld && entry.isOnce && entry.holders === 0) this.#remove(entry);
      isHeld = false;
    };
  }

  #make(copy: Copy, path: string, commission: Commission): Entry {
    const isOnce = 'file' in copy || copy.isOnce === true;
    const make = async (): Promise<void> => ('file' in copy ? this.#link(copy, entry) : this.#write(copy, entry, commission));
    const entry: Entry = { path, isOnce, bytes: 0, holders: 0, close: null, made: Promise.resolve().then(make) };
    return entry;
  }

  async #link({ file }: LinkedFile, entry: Entry): Promise<void> {
    entry.close = await this.#openFiles.open(file, entry.path);
  }

  async #write(copy: PiecedCopy | SparseCopy, entry: Entry, commission: Commission): Promise<void> {
    const { signal } = commission;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const file = await open(entry.path, 'w', 0o600);
    // Overlaps the write of one part with the fetch of the next.
    let writing: Promise<unknown> = Promise.resolve();
    try {
      this.#reserve(entry, FILE_BYTES + (('bytes' in copy ? copy.bytes : undefined) ?? 0));
      let length = FILE_BYTES;
      for await (const part of partsOf(copy, commission)) {
        if (signal.aborted) throw interrupted(signal.reason);
        length += part.length;
        this.#reserve(entry, length);
        await this.#removing;
        await writing;
        writing = writePart(file, part);
        writing.catch(() => undefined); // it is awaited before the next one
      }
      await writing;
      this.#ledger.free(entry.bytes - length);
      entry.bytes = length;
      await file.close();
    } catch (thrown) {
      await writing.catch(() => undefined);
      await file.close().catch(() => undefined);
      await rm(entry.path, { force: true });
      this.#ledger.free(entry.bytes);
      entry.bytes = 0;
      if (signal.aborted) throw interrupted(signal.reason);
      throw isDiskFull(thrown)
        ? new ReadFailure('spool-full', 'the query needs more spool space than its disk has left', { cause: thrown })
        : thrown;
    }
  }

  /** Reserves space until the entry has the given number of bytes. */
  #reserve(entry: Entry, bytes: number): void {
    if (bytes <= entry.bytes) return;
    this.#ledger.take(bytes - entry.bytes);
    entry.bytes = bytes;
  }

  #idleBytes(): number {
    let bytes = 0;
    for (const entry of this.#entries.values()) if (entry.holders === 0) bytes += entry.bytes;
    return bytes;
  }

  /** Removes the least recently used entry that is not held. */
  #removeOldest(): boolean {
    for (const entry of this.#entries.values()) {
      if (entry.holders > 0 || entry.bytes === 0) continue;
      this.#remove(entry);
      return true;
    }
    return false;
  }

  #remove(entry: Entry): void {
    if (this.#entries.get(entry.path) === entry) this.#entries.delete(entry.path);
    entry.close?.();
    if (entry.bytes === 0) return; // it is no copy, or was never made
    this.#ledger.free(entry.bytes);
    // Renamed first, since a copy of that name may be made again while a large file is being deleted.
    const old = `${entry.path}-${(this.#removed += 1)}`;
    renameSync(entry.path, old);
    this.#removing = Promise.all([this.#removing, rm(old, { force: true }).catch(() => undefined)]);
  }
}

function partsOf(copy: PiecedCopy | SparseCopy, { signal, caller }: Commission): AsyncIterable<CopyPart> {
  return 'parts' in copy ? placed(copy.parts(signal)) : gatherPieces(copy.pieces(signal, caller));
}

async function* placed(parts: ReturnType<SparseCopy['parts']>): AsyncGenerator<CopyPart> {
  for await (const { at, bytes } of parts) yield { at, pieces: [bytes], length: bytes.length };
}

/** A write may be partial. */
async function writePart(file: FileHandle, { at, pieces }: CopyPart): Promise<void> {
  let [left, done] = [pieces.filter((piece) => piece.length > 0), 0];
  while (left.length > 0) {
    const { bytesWritten } = await file.writev(left, ...(at === null ? [] : [at + done]));
    done += bytesWritten;
    left = behind(left, bytesWritten);
  }
}

/** Returns the chunks after a number of bytes. */
function behind(pieces: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let skipped = bytes;
  const left: Uint8Array[] = [];
  for (const piece of pieces) {
    const rest = piece.subarray(Math.min(skipped, piece.length));
    skipped -= piece.length - rest.length;
    if (rest.length > 0) left.push(rest);
  }
  return left;
}

function isDiskFull(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ENOSPC';
}
