import { readFileSync } from 'node:fs';
import { mkdir, symlink, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { READ_MESSAGES } from '@svc/text-formats';

import { openRealFile } from '../transports/file/real-file.ts';
import { SourceFailure } from '../transports/source-failure.ts';

/** A file that lies here. */
export interface LocalFile {
  /** Absolute, without links. */
  readonly path: string;
  /** Location as the user would write it. */
  readonly location: string;
}

/**
 * Keeps files open, with links in the spool to their descriptors: independent of later changes at the file's own path. A link is of
 * one file in one state: the next query that reads it soon finds it open. Links are made and removed asynchronously: on a busy disk
 * each takes milliseconds.
 */
export class OpenFiles {
  /** Maximum number of open files. */
  readonly most: number;
  #open = 0;
  /** Functions that close files that are no longer read, by their links. */
  readonly #unread = new Map<string, () => Promise<void>>();
  /** Files that are being closed, by their links. */
  readonly #closing = new Map<string, Promise<void>>();
  #isTimed = false;

  constructor({ most = mostOpenFiles() }: { readonly most?: number } = {}) {
    this.most = most;
  }

  /** Opens a file, and links to it. Returns the function that lets go of both. Fails with a SourceFailure. */
  async open(file: LocalFile, link: string): Promise<() => void> {
    const unread = this.#unread.get(link);
    this.#unread.delete(link);
    const close = unread ?? (await this.#openNew(file, link));
    return () => {
      this.#unread.set(link, close);
      if (!this.#isTimed) void this.#closeLater();
    };
  }

  async #openNew({ path, location }: LocalFile, link: string): Promise<() => Promise<void>> {
    await this.#closing.get(link);
    while (this.#open >= this.most && this.#unread.size + this.#closing.size > 0) await this.#closeOldest();
    if (this.#open >= this.most)
      throw new SourceFailure('too-large', `${location}: queries may read ${this.most} files at once, and are reading so many now`);
    this.#open += 1;
    try {
      const file = await openRealFile(path);
      if (file === null) throw new SourceFailure('changed', `${location}: ${READ_MESSAGES.missingFile}`);
      try {
        await linkTo(file.descriptorPath, link);
      } catch (thrown) {
        await file.close();
        throw thrown;
      }
      return async () => {
        await unlink(link).catch(() => undefined); // the spool itself may have been removed
        this.#open -= 1;
        await file.close();
      };
    } catch (thrown) {
      this.#open -= 1;
      throw thrown;
    }
  }

  /** Closes the file that has been unread for longest, or waits for one that is being closed. */
  async #closeOldest(): Promise<void> {
    const [oldest] = this.#unread;
    if (oldest === undefined) return this.#closing.values().next().value;
    const [link, close] = oldest;
    this.#unread.delete(link);
    const closed = close().finally(() => this.#closing.delete(link));
    this.#closing.set(link, closed);
    return closed;
  }

  /** Closes the unread files after a while, some at once: to begin with thousands in one turn of the event loop would block it. */
  async #closeLater(): Promise<void> {
    this.#isTimed = true;
    await delay(UNREAD_MS, undefined, { ref: false });
    while (this.#unread.size > 0)
      await Promise.allSettled(Array.from({ length: Math.min(this.#unread.size, CLOSED_AT_ONCE) }, () => this.#closeOldest()));
    this.#isTimed = false;
  }
}

/** Maximum time for which files that are no longer read stay open: to open one may take a quarter of the time of a small query. */
const UNREAD_MS = 1000;
const CLOSED_AT_ONCE = 64;

async function linkTo(target: string, link: string): Promise<void> {
  try {
    await symlink(target, link);
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
    await mkdir(dirname(link), { recursive: true, mode: 0o700 });
    await symlink(target, link);
  }
}

function isMissing(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ENOENT';
}

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
