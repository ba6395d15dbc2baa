import { createHash } from 'node:crypto';
import { link, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { StartError } from '@svc/service-kit';

import { identifyProcess, type ProcessIdentity } from '../process-identity.ts';
import { createPrivateFile, readIfThere } from '@svc/local-authorization';

/** Interval of checking a lock that another process is removing. */
const CLAIMED_MILLIS = 10;
/** Removing a lock takes a few system calls. */
const DEAD_CLAIM_MILLIS = 10_000;

/** The right to use a data directory. */
export interface DataDirLock {
  /** True if the previous holder ended without releasing it: its child processes may still be ending. */
  readonly wasLeftBehind: boolean;
  readonly release: () => Promise<void>;
}

/**
 * Locks the data directory for this process, taking over from a dead process. Throws a StartError if a running process holds
 * it. A lock identifies its process by number and start time, so a reused number does not keep a dead lock alive.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const path = join(dataDir, 'lock');
  const mine = JSON.stringify(identifyProcess(process.pid));
  let wasLeftBehind = false;
  while (!(await createPrivateFile(path, mine))) {
    const text = await readIfThere(path);
    if (text === undefined) continue;
    const holder = runningHolder(text);
    if (holder !== undefined) {
      throw new StartError(`${dataDir} is in use by process ${holder.pid}: stop that one first, or set SVC_DATA_DIR to another directory.`);
    }
    await removeLock(path, text);
    wasLeftBehind = true;
  }
  return { wasLeftBehind, release: () => rm(path, { force: true }) };
}

function runningHolder(text: string): ProcessIdentity | undefined {
  const holder = parseHolder(text);
  if (holder === undefined) return undefined;
  return identifyProcess(holder.pid)?.began === holder.began ? holder : undefined;
}

/** Undefined for anything that `lockDataDir` did not write. */
function parseHolder(text: string): ProcessIdentity | undefined {
  try {
    const { pid, began } = JSON.parse(text) as Partial<ProcessIdentity>;
    return typeof pid === 'number' && typeof began === 'string' ? { pid, began } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Removes the lock that was read, and no newer one that another process created meanwhile. A second link to the lock, named
 * by its contents, is held by one process at a time: it alone may remove the first.
 */
async function removeLock(path: string, text: string): Promise<void> {
  const claim = `${path}.${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  if (!(await linkIfFree(path, claim))) {
    await removeIfOld(claim);
    await delay(CLAIMED_MILLIS);
    return;
  }
  try {
    if ((await readFile(claim, 'utf8')) === text) await rm(path, { force: true });
  } finally {
    await rm(claim, { force: true });
  }
}

/** False if the new name is taken, or the old one does not exist. */
async function linkIfFree(path: string, name: string): Promise<boolean> {
  try {
    await link(path, name);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    throw error;
  }
}

/** The holder of such an old claim has died with it. The age of a claim is that of its second link. */
async function removeIfOld(claim: string): Promise<void> {
  const found = await stat(claim).catch(() => null);
  if (found !== null && Date.now() - found.ctimeMs > DEAD_CLAIM_MILLIS) await rm(claim, { force: true });
}
