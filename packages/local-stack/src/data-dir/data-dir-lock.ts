import { createHash } from 'node:crypto';
import { link, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { StartError } from '@svc/service-kit';

import { identifyProcess, type ProcessIdentity } from '../process-identity.ts';
import { createPrivateFile, readIfThere } from '@svc/local-authorization';

/** How soon a lock that another process removes is looked at again. */
const CLAIMED_MILLIS = 10;
/** To remove a lock takes a few calls of the system. */
const DEAD_CLAIM_MILLIS = 10_000;

/** The right to use a data directory. */
export interface DataDirLock {
  /** Whether the one who had it before ended without giving it back: what it started may still be ending. */
  readonly wasLeftBehind: boolean;
  readonly release: () => Promise<void>;
}

/**
 * Takes the data directory for this process, from a process that has died if need be. Throws a StartError where a running process has it.
 * A lock names its process by number and start, so a number that was given anew does not keep a dead lock alive.
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

/** Undefined for anything but what `lockDataDir` writes. */
function parseHolder(text: string): ProcessIdentity | undefined {
  try {
    const { pid, began } = JSON.parse(text) as Partial<ProcessIdentity>;
    return typeof pid === 'number' && typeof began === 'string' ? { pid, began } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Removes the lock that was read, and no newer one that another process put there meanwhile. A second name for the lock,
 * made of what it says, is had by one process at a time: it alone may remove the first.
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

/** False where the new name is taken, or the old one is not there. */
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

/** Whoever had the claim so long has died with it. A claim is as old as its second name. */
async function removeIfOld(claim: string): Promise<void> {
  const found = await stat(claim).catch(() => null);
  if (found !== null && Date.now() - found.ctimeMs > DEAD_CLAIM_MILLIS) await rm(claim, { force: true });
}
