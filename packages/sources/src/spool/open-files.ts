import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';

import { openRealFile } from '../transports/file/real-file.ts';
import { SourceFailure } from '../transports/source-failure.ts';

/** A file that lies here. */
export interface LocalFile {
  /** Absolute, without links. */
  readonly path: string;
  /** Location as the user would write it. */
  readonly location: string;
}

/** Keeps files open, with links in the spool to their descriptors: independent of later changes at the file's own path. */
export class OpenFiles {
  /** Maximum number of open files. */
  readonly most: number;
  #open = 0;
  /** Files waiting to be closed, by their links. */
  readonly #closing = new Map<string, () => void>();
  #closedInTurn = 0;

  constructor({ most = mostOpenFiles() }: { readonly most?: number } = {}) {
    this.most = most;
  }

  /** Opens a file, and links to it. Returns the function that closes both. Fails with a SourceFailure. */
  async open({ path, location }: LocalFile, link: string): Promise<() => void> {
    this.#closing.get(link)?.();
    if (this.#open >= this.most) this.#closing.values().next().value?.();
    if (this.#open >= this.most)
      throw new SourceFailure('too-large', `${location}: queries may read ${this.most} files at once, and are reading so many now`);
    this.#open += 1;
    try {
      const file = await openRealFile(path);
      if (file === null) throw new SourceFailure('changed', `${location}: the file is not there or may not be read`);
      try {
        mkdirSync(dirname(link), { recursive: true, mode: 0o700 });
        symlinkSync(file.descriptorPath, link);
      } catch (thrown) {
        await file.close();
        throw thrown;
      }
      return () =>
        this.#closeInTurn(link, () => {
          rmSync(link, { force: true });
          this.#open -= 1;
          void file.close();
        });
    } catch (thrown) {
      this.#open -= 1;
      throw thrown;
    }
  }

  /** Closes a file now, or after others: thousands in one turn of the event loop would hold it. */
  #closeInTurn(link: string, close: () => void): void {
    this.#closing.set(link, () => {
      this.#closing.delete(link);
      close();
    });
    if (this.#closedInTurn === 0) setImmediate(() => this.#beginTurn());
    this.#closeSome();
  }

  #beginTurn(): void {
    this.#closedInTurn = 0;
    this.#closeSome();
    if (this.#closedInTurn > 0) setImmediate(() => this.#beginTurn());
  }

  #closeSome(): void {
    for (const close of this.#closing.values()) {
      if (this.#closedInTurn === CLOSED_IN_TURN) return;
      this.#closedInTurn += 1;
      close();
    }
  }
}

const CLOSED_IN_TURN = 64;

/** Connections, copies and the engine also need descriptors. */
const SHARE = 0.5;
/** Default if the system's limit is unknown. */
const FEW = 4096;

function mostOpenFiles(): number {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    return limit === undefined ? FEW : Math.floor(Number(limit) * SHARE);
  } catch {
    return FEW;
  }
}
