import { opendir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

import { isPattern, matchSegment, plainSegments } from '../locations/path-pattern.ts';

/** A path that a pattern matches, not looked at yet. */
export interface Candidate {
  readonly path: string;
  /** The path with links resolved, below the root; null where the path may be a link. */
  readonly real: string | null;
}

/** What a walk keeps to. */
export interface WalkLimits {
  /** The root with links resolved: nothing outside it is listed. */
  readonly realRoot: string;
  readonly signal: AbortSignal | undefined;
}

/** How many files one pattern may name. */
const MAX_FILES = 100_000;

/** A pattern names more files than may be read as one. */
export class TooManyFiles extends Error {
  constructor() {
    super(`the pattern names more than ${MAX_FILES} files`);
    this.name = 'TooManyFiles';
  }
}

/** A folder to visit, and the parts of the pattern that its entries may match. */
interface Visit {
  readonly path: string;
  readonly real: string;
  readonly positions: ReadonlySet<number>;
}

/**
 * Returns the paths below a folder that match a pattern, each once; a part `**` stands for no folder or any. Each folder is visited at most
 * once, with all the parts of the pattern that can match there, so that the work grows with the folders and not with the ways to match.
 */
export async function walkPattern(base: string, written: readonly string[], limits: WalkLimits): Promise<readonly Candidate[]> {
  const segments = plainSegments(written);
  const pattern = compilePattern(segments);
  const found: Candidate[] = [];
  const pending: Visit[] = [{ path: base, real: limits.realRoot, positions: pattern.open([0]) }];
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    limits.signal?.throwIfAborted();
    for await (const entry of entriesOf(visit, pattern)) {
      const positions = pattern.after(visit.positions, entry);
      const path = join(visit.path, entry.name);
      const real = entry.kind === 'file' || entry.kind === 'folder' ? join(visit.real, entry.name) : null;
      if (positions.has(segments.length)) {
        found.push({ path, real });
        if (found.length > MAX_FILES) throw new TooManyFiles();
      }
      if (entry.kind === 'file' || ![...positions].some((position) => position < segments.length)) continue;
      const realFolder = real ?? (await realBelow(path, limits.realRoot));
      if (realFolder !== null) pending.push({ path, real: realFolder, positions });
    }
  }
  return found;
}

/** Returns where a path leads once links are followed; null where that is nowhere below the root. */
export async function realBelow(path: string, realRoot: string): Promise<string | null> {
  const real = await realpath(path).catch(() => null);
  return real?.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep) === true ? real : null;
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
  /** The positions for what lies in an entry; `segments.length` where the entry itself matches. */
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

/** How many entries of a folder are read at once. */
const BATCH = 1024;

/** The entries of a folder that a pattern may match: the names themselves where none of its parts is a pattern. */
async function* entriesOf({ path, positions }: Visit, { segments }: CompiledPattern): AsyncGenerator<Entry> {
  const parts = new Set([...positions].flatMap((position) => segments[position] ?? []));
  if (![...parts].some(isPattern)) {
    for (const name of parts) yield { name, kind: 'unknown' };
    return;
  }
  const folder = await opendir(path, { bufferSize: BATCH }).catch(() => null);
  if (folder === null) return;
  for await (const entry of folder) yield { name: entry.name, kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'unknown' };
}
