import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { StartError } from '@svc/service-kit';

import { identifyProcess, type ProcessIdentity } from '../process-identity.ts';
import { createPrivateFile, readIfThere } from './private-file.ts';

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

/** Removes the lock that was read, and no newer one that another process put there meanwhile. */
async function removeLock(path: string, text: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if ((await readFile(aside, 'utf8')) !== text) await link(aside, path);
  await rm(aside);
}
