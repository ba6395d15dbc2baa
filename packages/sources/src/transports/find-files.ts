import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';

import { mapAtOnce, sortInTurns } from '@svc/concurrency';
import { isPattern } from '../locations/path-pattern.ts';
import { isBelow, lookAtPlace } from './file/real-file.ts';
import { walkPattern } from './walk-pattern.ts';

/** A readable file, with its state. */
export interface FoundFile {
  /** Absolute, links resolved, below a root. */
  readonly path: string;
  /** Location as the user would write it, relative to the root. */
  readonly location: string;
  readonly size: number;
  /** Path, size and modification time in nanoseconds. */
  readonly identity: string;
}

/** A file, or a folder with a location that ends in a slash. */
export interface FoundEntry extends FoundFile {
  readonly isFile: boolean;
  readonly modified: Date;
}

/** Finds files below the roots only. */
export class FileFinder {
  readonly #roots: readonly string[];

  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  /**
   * Returns the files that a path denotes below the roots, in code-point order of their paths, or an empty list. A relative
   * path is resolved below each root in turn. An absolute path must be below a root. A link that leaves its root does not
   * exist. A pattern uses the first root with a match. A path that ends in a slash denotes no file.
   */
  async files(path: string, signal?: AbortSignal): Promise<readonly FoundEntry[]> {
    for await (const { below, segments, isFolder } of placesOf(path, this.#roots)) {
      if (segments.length === 0 || isFolder) continue;
      const files = (await this.#findBelow(below, segments, signal)).filter((entry) => entry.isFile);
      if (files.length > 0) return files;
    }
    return [];
  }

  /**
   * Returns the entries of a path, resolved like `files`: those of a folder, the file itself, or the matches of a pattern,
   * in code-point order; null if there are none. A path that ends in a slash names folders only.
   */
  async entries(path: string, signal?: AbortSignal): Promise<readonly FoundEntry[] | null> {
    for await (const { below, segments, isFolder } of placesOf(path, this.#roots)) {
      if (segments.length === 0) {
        if ((await below.realRoot()) !== null) return this.#findBelow(below, ['*'], signal);
        continue;
      }
      const all = await this.#findBelow(below, segments, signal);
      const found = isFolder ? all.filter((entry) => !entry.isFile) : all;
      if (!segments.some(isPattern) && found[0]?.isFile === false) return this.#findBelow(below, [...segments, '*'], signal);
      if (found.length > 0) return found;
    }
    return null;
  }

  async #findBelow(below: Below, segments: readonly string[], signal: AbortSignal | undefined): Promise<readonly FoundEntry[]> {
    const candidates = await candidatesOf(below, segments, signal);
    let isPlain = true;
    const entries = await mapAtOnce(candidates, AT_ONCE, async (path) => {
      signal?.throwIfAborted();
      const entry = await openable(path, below);
      isPlain &&= entry === null || !/[\ud800-\uffff]/.test(entry.location);
      return entry;
    });
    const found = entries.filter((entry) => entry !== null);
    // The order of UTF-16 units equals that of code points unless there are surrogates; copying each text for each
    // comparison would be slow.
    const compare = isPlain ? compareUnits : compareCodePoints;
    return sortInTurns(found, (a, b) => compare(a.location, b.location));
  }
}

/** The file or folder at a path, if it lies below the root once links are followed. */
async function openable(path: string, { base, realRoot }: Below): Promise<FoundEntry | null> {
  const [place, root] = await Promise.all([lookAtPlace(path), realRoot()]);
  if (place === null || root === null || !isBelow(place.path, root)) return null;
  const { path: real, stats } = place;
  const isFile = stats.isFile();
  if (!isFile && !stats.isDirectory()) return null;
  return {
    isFile,
    path: real,
    location: `file:${relative(base, path)}${isFile ? '' : '/'}`,
    size: Number(stats.size),
    modified: stats.mtime,
    identity: `${real}|${stats.size}|${stats.mtimeNs}|${stats.ino}`,
  };
}

/** Number of files inspected concurrently. */
const AT_ONCE = 64;

interface Below {
  /** Base of locations. */
  readonly base: string;
  /** Null if the folder does not exist. */
  readonly realRoot: () => Promise<string | null>;
}

interface Place {
  readonly below: Below;
  readonly segments: readonly string[];
  /** True if the path ends in a slash, or in a part that denotes the folder itself. */
  readonly isFolder: boolean;
}

/** Yields the possible places of a path, below each root. */
async function* placesOf(path: string, roots: readonly string[]): AsyncGenerator<Place> {
  if (path.includes('\0')) return;
  for (const root of roots) {
    let resolving: Promise<string | null> | null = null; // once for all the files of a pattern, and not for those that are remembered
    const realRoot = async (): Promise<string | null> => (resolving ??= realpath(root).catch(() => null));
    const realBase = isAbsolute(path) ? await realRoot() : null;
    const base = realBase !== null && path.startsWith(realBase) ? realBase : root;
    const segments = (isAbsolute(path) ? relative(base, path) : path).split('/').filter((segment) => segment !== '' && segment !== '.');
    if (!segments.includes('..')) yield { below: { base, realRoot }, segments, isFolder: /(^|\/)\.?$/.test(path) };
  }
}

/** Returns the candidate paths: one if no segment is a pattern. A `**` at the end matches everything below. */
async function candidatesOf({ base, realRoot }: Below, segments: readonly string[], signal: AbortSignal | undefined) {
  if (!segments.some(isPattern)) return [join(base, ...segments)];
  const root = await realRoot();
  if (root === null) return [];
  return walkPattern(base, segments.at(-1) === '**' ? [...segments, '*'] : segments, { realRoot: root, signal });
}

function compareUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
