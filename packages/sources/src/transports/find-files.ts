import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';

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

/**
 * The files that a path names below the roots, in code-point order of their paths; none where there is no such. A relative
 * path is looked for below each root in turn, an absolute one must lie below one, a link that leaves its root does not
 * exist, and a pattern uses the first root with a match.
 */
export async function findFiles(path: string, roots: readonly string[]): Promise<readonly FoundFile[]> {
  for await (const { below, segments } of placesOf(path, roots)) {
    const files = segments.length === 0 ? [] : (await findBelow(below, segments)).filter((entry) => entry.isFile);
    if (files.length > 0) return files;
  }
  return [];
}

/** A file, or a folder, whose location ends in a slash. */
export interface FoundEntry extends FoundFile {
  readonly isFile: boolean;
  readonly modified: Date;
}

/**
 * What a path names, looked for as `findFiles` does: what a folder holds, the file itself, or what the pattern matches,
 * in code-point order; null where there is no such.
 */
export async function findEntries(path: string, roots: readonly string[]): Promise<readonly FoundEntry[] | null> {
  for await (const { below, segments } of placesOf(path, roots)) {
    if (segments.length === 0) {
      if ((await below.realRoot) !== null) return findBelow(below, ['*']);
      continue;
    }
    const found = await findBelow(below, segments);
    if (!segments.some(isPattern) && found[0]?.isFile === false) return findBelow(below, [...segments, '*']);
    if (found.length > 0) return found;
  }
  return null;
}

interface Below {
  /** What locations are relative to. */
  readonly base: string;
  readonly realRoot: Promise<string | null>;
}

interface Place {
  readonly below: Below;
  readonly segments: readonly string[];
}

/** Where a path could lie, below each root. */
async function* placesOf(path: string, roots: readonly string[]): AsyncGenerator<Place> {
  if (path.includes('\0')) return;
  for (const root of roots) {
    // Not waited for where it need not be: a query that runs again asks for its files each time.
    const realRoot = realpath(root).catch(() => null);
    const base = isAbsolute(path) && path.startsWith((await realRoot) ?? root) ? ((await realRoot) ?? root) : root;
    const segments = (isAbsolute(path) ? relative(base, path) : path).split('/').filter((segment) => segment !== '' && segment !== '.');
    if (!segments.includes('..')) yield { below: { base, realRoot }, segments };
  }
}

async function findBelow(below: Below, segments: readonly string[]): Promise<readonly FoundEntry[]> {
  const paths: string[] = [];
  await collect(below.base, segments, { paths });
  const found = await Promise.all(paths.map((candidate) => openable(candidate, below)));
  return found.filter((entry) => entry !== null).sort((a, b) => compareCodePoints(a.location, b.location));
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

/** The file or folder at a path, if it lies below the root once links are followed. */
async function openable(path: string, { base, realRoot }: Below): Promise<FoundEntry | null> {
  const [root, real, found] = await Promise.all([
    realRoot,
    realpath(path).catch(() => null),
    stat(path, { bigint: true }).catch(() => null),
  ]);
  if (root === null || real === null || !real.startsWith(root.endsWith(sep) ? root : root + sep)) return null;
  if (found === null || !(found.isFile() || found.isDirectory())) return null;
  const isFile = found.isFile();
  return {
    isFile,
    path: real,
    location: `file:${relative(base, path)}${isFile ? '' : '/'}`,
    size: Number(found.size),
    modified: found.mtime,
    identity: `${real}|${found.size}|${found.mtimeNs}|${found.ino}`,
  };
}

function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
