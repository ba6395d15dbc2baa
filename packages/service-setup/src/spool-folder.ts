import { lstat, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A folder that one process fills, for as long as it lives. */
export interface SpoolFolder {
  readonly path: string;
  /** Removes the folder with its contents. */
  readonly close: () => Promise<void>;
}

const PREFIX = 'svc-spool-';
/** Prefix of a folder that is not locked yet. */
const UNTAKEN = 'svc-spool.new-';
const LOCK = 'lock';
/** A younger one may be about to be locked. */
const UNTAKEN_MILLIS = 60_000;

/**
 * Creates a folder below an existing parent, and removes those of dead processes. A live owner holds a lock, which the
 * system releases when the process ends in any way; processes of several containers of one machine can share a parent.
 */
export async function openSpoolFolder(parent: string): Promise<SpoolFolder> {
  const made = await mkdtemp(join(parent, UNTAKEN));
  const lock = takeLock(join(made, LOCK));
  if (lock === null) throw new Error('somebody else took a new folder');
  // Under this name the lock is always present.
  const path = join(parent, PREFIX + made.slice(join(parent, UNTAKEN).length));
  await rename(made, path);
  await sweep(parent, path);
  return {
    path,
    close: async () => {
      await rm(path, { recursive: true, force: true });
      lock.close();
    },
  };
}

async function sweep(parent: string, own: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    if (path === own || !(name.startsWith(PREFIX) || name.startsWith(UNTAKEN))) continue;
    // Another process may sweep at the same time, or the folder be another user's.
    if (await isDead(path).catch(() => false)) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function isDead(path: string): Promise<boolean> {
  const folder = await lstat(path);
  if (!folder.isDirectory() || folder.uid !== process.getuid?.()) return false;
  const hasLock = (await lstat(join(path, LOCK)).catch(() => null))?.isFile() === true;
  if (!hasLock) return Date.now() - folder.mtimeMs > UNTAKEN_MILLIS;
  const lock = takeLock(join(path, LOCK));
  lock?.close();
  return lock !== null;
}

/** Locks a file through SQLite, which does so on every system; null if another process holds the lock. */
function takeLock(path: string): DatabaseSync | null {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return database;
  } catch (thrown) {
    database.close();
    if (typeof thrown === 'object' && thrown !== null && 'errcode' in thrown && thrown.errcode === SQLITE_BUSY) return null;
    throw thrown;
  }
}

const SQLITE_BUSY = 5;
