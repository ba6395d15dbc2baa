import { opendir } from 'node:fs/promises';
import { join } from 'node:path';

import { isPattern, matchSegment, plainSegments } from '../locations/path-pattern.ts';
import { openFolderBelow } from './file/real-file.ts';

/** Limits of a walk. */
export interface WalkLimits {
  /** The root with links resolved. Nothing outside is listed. */
  readonly realRoot: string;
  readonly signal: AbortSignal | undefined;
  /** Maximum number of files that the pattern may match. Default 100,000. */
  readonly mostFiles?: number;
}

/** Maximum number of files that a pattern may match. */
const MOST_FILES = 100_000;

/** A pattern names more files than may be read as one. */
export class TooManyFiles extends Error {
  constructor(most: number) {
    super(`the pattern names more than ${most} files`);
    this.name = 'TooManyFiles';
  }
}

/** A folder to visit, and the parts of the pattern that its entries may match. */
interface Visit {
  readonly path: string;
  readonly positions: ReadonlySet<number>;
}

/**
 * Returns the paths below a folder that match a pattern, each once, without following links; a segment `**` matches any
 * number of folders. Each folder is visited at most once, with all positions of the pattern that can match there, so that
 * the work is proportional to the number of folders, not of ways to match.
 */
export async function walkPattern(base: string, written: readonly string[], limits: WalkLimits): Promise<readonly string[]> {
  const { realRoot, signal, mostFiles = MOST_FILES } = limits;
  const segments = plainSegments(written);
  const pattern = compilePattern(segments);
  const found: string[] = [];
  const pending: Visit[] = [{ path: base, positions: pattern.open([0]) }];
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    signal?.throwIfAborted();
    for await (const entry of entriesOf(visit, pattern, realRoot)) {
      const positions = pattern.after(visit.positions, entry);
      const path = join(visit.path, entry.name);
      if (positions.has(segments.length)) {
        found.push(path);
        if (found.length > mostFiles) throw new TooManyFiles(mostFiles);
      }
      if (entry.kind !== 'file' && [...positions].some((position) => position < segments.length)) pending.push({ path, positions });
    }
  }
  return found;
}

interface Entry {
  readonly name: string;
  /** `unknown`: a link, or a name that was not looked up. */
  readonly kind: 'file' | 'folder' | 'unknown';
}

interface CompiledPattern {
  readonly segments: readonly string[];
  /** The positions, and those that stand behind a `**` which matches no folder. */
  readonly open: (positions: Iterable<number>) => ReadonlySet<number>;
  /** Positions after an entry; `segments.length` if the entry itself matches. */
  readonly after: (positions: ReadonlySet<number>, entry: Entry) => ReadonlySet<number>;
}

function compilePattern(segments: readonly string[]): CompiledPattern {
  const tests = segments.map((segment) => (isPattern(segment) ? matchSegment(segment) : (name: string) => name === segment));
  const open = (positions: Iterable<number>): ReadonlySet<number> => {
    const all = new Set(positions);
    for (const position of all) if (segments[position] === '**') all.add(position + 1); // a set iterates over what is added meanwhile
    return all;
  };
  const after = (positions: ReadonlySet<number>, { name, kind }: Entry): ReadonlySet<number> => {
    const next = new Set<number>();
    for (const position of positions)
      if (segments[position] === '**') {
        if (kind === 'folder' && !name.startsWith('.')) next.add(position);
      } else if (tests[position]?.(name) === true) next.add(position + 1);
    return open(next);
  };
  return { segments, open, after };
}

/** Number of directory entries read at once. */
const BATCH = 1024;

/** Yields the entries of a folder below the root that a pattern may match. If no segment is a pattern, these are the names themselves. */
async function* entriesOf({ path, positions }: Visit, { segments }: CompiledPattern, realRoot: string): AsyncGenerator<Entry> {
  const parts = new Set([...positions].flatMap((position) => segments[position] ?? []));
  if (![...parts].some(isPattern)) {
    for (const name of parts) yield { name, kind: 'unknown' };
    return;
  }
  const opened = await openFolderBelow(path, realRoot);
  if (opened === null) return;
  try {
    const folder = await opendir(opened.descriptorPath, { bufferSize: BATCH }).catch(() => null);
    for await (const entry of folder ?? [])
      yield { name: entry.name, kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'unknown' };
  } finally {
    await opened.close();
  }
}
