import { close, closeSync, constants, existsSync, fstatSync, open, readlinkSync, type BigIntStats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { promisify } from 'node:util';

const openDescriptor = promisify(open);
const closeDescriptor = promisify(close);

/** A file or folder with its path after links are resolved. */
export interface RealPlace {
  readonly path: string;
  readonly stats: BigIntStats;
}

/** A file or folder opened at its real path. */
export interface OpenedPlace extends RealPlace {
  /** Path that leads to the opened file, independent of later changes at its own path. */
  readonly descriptorPath: string;
  readonly close: () => Promise<void>;
}

/** Linux flag: opens a descriptor without read access. */
const O_PATH = 0o10_000_000;
const DESCRIPTORS = '/proc/self/fd';
const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** Number of attempts if a path is replaced meanwhile. */
const ATTEMPTS = 3;

/**
 * Resolves a path with its links, and returns its status; null if it does not exist. Both are of one descriptor, so that no
 * link can be swapped in between; without /proc there is a moment between them.
 */
export async function lookAtPlace(path: string): Promise<RealPlace | null> {
  if (!hasDescriptorPaths()) return lookTwice(path);
  return attempt(async () => {
    const descriptor = await openDescriptor(path, O_PATH);
    try {
      return placeOf(descriptor);
    } finally {
      closeSync(descriptor); // nothing was read or written: it takes no time
    }
  });
}

/** Opens a file for reading at a path without links. Returns null if it no longer exists there. */
export async function openRealFile(path: string): Promise<OpenedPlace | null> {
  const opened = await openPlace(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (opened === null || (opened.path === path && opened.stats.isFile())) return opened;
  await opened.close();
  return null;
}

/** Opens a folder that is the root or below it, with links resolved. Returns null if there is none. */
export async function openFolderBelow(path: string, realRoot: string): Promise<OpenedPlace | null> {
  const opened = await openPlace(path, O_RDONLY | O_DIRECTORY);
  if (opened === null || opened.path === realRoot || isBelow(opened.path, realRoot)) return opened;
  await opened.close();
  return null;
}

/** Returns whether a path without links is below a root without links. */
export function isBelow(path: string, realRoot: string): boolean {
  return path.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep);
}

async function openPlace(path: string, flags: number): Promise<OpenedPlace | null> {
  return attempt(async () => {
    const descriptor = await openDescriptor(path, flags);
    const close = async (): Promise<void> => closeDescriptor(descriptor);
    try {
      const place = hasDescriptorPaths() ? placeOf(descriptor) : await lookTwice(path);
      if (place !== null) return { ...place, descriptorPath: hasDescriptorPaths() ? pathOf(descriptor) : place.path, close };
    } catch (thrown) {
      await close();
      throw thrown;
    }
    await close();
    return null;
  });
}

/** A file removed after it was opened has no path; another one may exist there now. */
async function attempt<Found>(find: () => Promise<Found | null>): Promise<Found | null> {
  for (let i = 0; i < ATTEMPTS; i += 1) {
    try {
      const found = await find();
      if (found !== null) return found;
    } catch (thrown) {
      if (isTooMany(thrown)) throw thrown;
      return null;
    }
  }
  return null;
}

/** Returns the path of an open descriptor, from the kernel. */
function placeOf(descriptor: number): RealPlace | null {
  const stats = fstatSync(descriptor, { bigint: true });
  return stats.nlink === 0n ? null : { path: readlinkSync(pathOf(descriptor)), stats };
}

async function lookTwice(path: string): Promise<RealPlace | null> {
  const real = await realpath(path).catch(() => null);
  const stats = real === null ? null : await lstat(real, { bigint: true }).catch(() => null);
  return real === null || stats === null || stats.isSymbolicLink() ? null : { path: real, stats };
}

function pathOf(descriptor: number): string {
  return `${DESCRIPTORS}/${descriptor}`;
}

let isLinux: boolean | null = null;

function hasDescriptorPaths(): boolean {
  return (isLinux ??= existsSync(DESCRIPTORS));
}

function isTooMany(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && (thrown.code === 'EMFILE' || thrown.code === 'ENFILE');
}
