import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';

import { LRUCache } from 'lru-cache';

import { isPattern, matchSegment } from '../locations/path-pattern.ts';

/** A file that may be read, with what tells one state of it from another. */
export interface FoundFile {
  /** Absolute, links resolved, below a root. */
  readonly path: string;
  /** As the caller would write it: relative to the root. */
  readonly location: string;
  readonly size: number;
  /** Path, size and modification time in nanoseconds. */
  readonly identity: string;
}

/** How many files one pattern may name. */
const MAX_FILES = 10_000;

/** A pattern names more files than may be read as one. */
export class TooManyFiles extends Error {
  constructor() {
    super(`the pattern names more than ${MAX_FILES} files`);
    this.name = 'TooManyFiles';
  }
}

/** A file, or a folder, whose location ends in a slash. */
export interface FoundEntry extends FoundFile {
  readonly isFile: boolean;
  readonly modified: Date;
}

/** For so long a file that is still the same one at its path is taken to lie where it was found. */
const REMEMBERED_MILLIS = 1000;
const MOST_REMEMBERED = 10_000;

/** Where a file lay, links resolved, when it was found to be below a root. */
interface RememberedPlace {
  readonly real: string;
  readonly device: bigint;
  readonly inode: bigint;
}

/** Finds files below the roots, and nothing else. */
export class FileFinder {
  readonly #roots: readonly string[];
  /** By path. A query that runs again asks for its files each time: one call of the system, then, instead of three. */
  readonly #remembered = new LRUCache<string, RememberedPlace>({ max: MOST_REMEMBERED, ttl: REMEMBERED_MILLIS });

  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  /**
   * The files that a path names below the roots, in code-point order of their paths; none where there is no such. A relative
   * path is looked for below each root in turn, an absolute one must lie below one, a link that leaves its root does not
   * exist, and a pattern uses the first root with a match.
   */
  async files(path: string): Promise<readonly FoundFile[]> {
    for await (const { below, segments } of placesOf(path, this.#roots)) {
      const files = segments.length === 0 ? [] : (await this.#findBelow(below, segments)).filter((entry) => entry.isFile);
      if (files.length > 0) return files;
    }
    return [];
  }

  /**
   * What a path names, looked for as `files` does: what a folder holds, the file itself, or what the pattern matches,
   * in code-point order; null where there is no such.
   */
  async entries(path: string): Promise<readonly FoundEntry[] | null> {
    for await (const { below, segments } of placesOf(path, this.#roots)) {
      if (segments.length === 0) {
        if ((await below.realRoot()) !== null) return this.#findBelow(below, ['*']);
        continue;
      }
      const found = await this.#findBelow(below, segments);
      if (!segments.some(isPattern) && found[0]?.isFile === false) return this.#findBelow(below, [...segments, '*']);
      if (found.length > 0) return found;
    }
    return null;
  }

  async #findBelow(below: Below, segments: readonly string[]): Promise<readonly FoundEntry[]> {
    const paths: string[] = [];
    await collect(below.base, segments, { paths });
    const found = await Promise.all(paths.map((candidate) => this.#openable(candidate, below)));
    return found.filter((entry) => entry !== null).sort((a, b) => compareCodePoints(a.location, b.location));
  }

  /** The file or folder at a path, if it lies below the root once links are followed. */
  async #openable(path: string, below: Below): Promise<FoundEntry | null> {
    const remembered = this.#remembered.get(path);
    const resolving = remembered === undefined ? resolveBelow(path, below) : null; // beside the look at the file
    const found = await stat(path, { bigint: true }).catch(() => null);
    if (found === null || !(found.isFile() || found.isDirectory())) return null;
    const isKept = remembered !== undefined && remembered.inode === found.ino && remembered.device === found.dev;
    const real = isKept ? remembered.real : await (resolving ?? resolveBelow(path, below));
    if (real === null) return null;
    if (!isKept) this.#remembered.set(path, { real, device: found.dev, inode: found.ino });
    const isFile = found.isFile();
    return {
      isFile,
      path: real,
      location: `file:${relative(below.base, path)}${isFile ? '' : '/'}`,
      size: Number(found.size),
      modified: found.mtime,
      identity: `${real}|${found.size}|${found.mtimeNs}|${found.ino}`,
    };
  }
}

interface Below {
  /** What locations are relative to. */
  readonly base: string;
  /** Null where there is no such folder. */
  readonly realRoot: () => Promise<string | null>;
}

interface Place {
  readonly below: Below;
  readonly segments: readonly string[];
}

/** Where a path could lie, below each root. */
async function* placesOf(path: string, roots: readonly string[]): AsyncGenerator<Place> {
  if (path.includes('\0')) return;
  for (const root of roots) {
    let resolving: Promise<string | null> | null = null; // once for all the files of a pattern, and not for those that are remembered
    const realRoot = async (): Promise<string | null> => (resolving ??= realpath(root).catch(() => null));
    const realBase = isAbsolute(path) ? await realRoot() : null;
    const base = realBase !== null && path.startsWith(realBase) ? realBase : root;
    const segments = (isAbsolute(path) ? relative(base, path) : path).split('/').filter((segment) => segment !== '' && segment !== '.');
    if (!segments.includes('..')) yield { below: { base, realRoot }, segments };
  }
}

interface Collected {
  readonly paths: string[];
}

/** Walks down one part of the path at a time; a part `**` stands for no folder or any. */
async function collect(folder: string, segments: readonly string[], into: Collected): Promise<void> {
  const [segment, ...rest] = segments;
  if (segment === undefined) return;
  if (into.paths.length > MAX_FILES) throw new TooManyFiles();
  if (segment === '**') {
    await collect(folder, rest, into);
    for (const entry of await entriesOf(folder))
      if (entry.isDirectory() && !entry.name.startsWith('.')) await collect(join(folder, entry.name), segments, into);
    return;
  }
  if (!isPattern(segment)) {
    if (rest.length === 0) into.paths.push(join(folder, segment));
    else await collect(join(folder, segment), rest, into);
    return;
  }
  const matches = matchSegment(segment);
  for (const entry of await entriesOf(folder)) {
    if (!matches(entry.name)) continue;
    if (rest.length === 0) into.paths.push(join(folder, entry.name));
    else await collect(join(folder, entry.name), rest, into);
  }
}

async function entriesOf(folder: string) {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

/** Where a path leads once links are followed; null where that is nowhere below the root. */
async function resolveBelow(path: string, { realRoot }: Below): Promise<string | null> {
  const [root, real] = await Promise.all([realRoot(), realpath(path).catch(() => null)]);
  return root !== null && real?.startsWith(root.endsWith(sep) ? root : root + sep) === true ? real : null;
}

function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
