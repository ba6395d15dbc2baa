import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createEnginePool, printRows, readerSql, streamResult, type EngineLease, type ReadFile, type ReadPlan } from '@svc/query-engine';
import { parseType, type Type } from '@svc/query-language';

/** A signal that never aborts. */
export const never: AbortSignal = new AbortController().signal;

/** A real engine that may read a folder, for a test file: `afterAll(engine.close)`. */
export interface TestEngine {
  readonly root: string;
  /** Writes new files below the root, one per content. */
  readonly write: (contents: FileContents, extension: string) => Promise<readonly ReadFile[]>;
  /** Returns the rows that a plan reads, as lines of hjson. */
  readonly readBack: (plan: ReadPlan, neededFields?: readonly string[]) => Promise<readonly string[]>;
  readonly withLease: <T>(work: (lease: EngineLease) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

/** The content of a file, or of several. */
export type FileContents = string | Uint8Array | readonly string[];

/** Opens a small engine pool over temporary folders. */
export async function openTestEngine(): Promise<TestEngine> {
  const [root, spoolDirectory] = [await mkdtemp(join(tmpdir(), 'svc-root-')), await mkdtemp(join(tmpdir(), 'svc-spool-'))];
  const pool = createEnginePool({
    memoryMegabytes: 512,
    threads: 2,
    concurrency: 1,
    spoolDirectory,
    spoolMegabytes: 200,
    readRoots: [root],
  });
  const withLease: TestEngine['withLease'] = async (work) => {
    const lease = await pool.lease(never);
    try {
      return await work(lease);
    } finally {
      await lease.release();
    }
  };
  let count = 0;
  return {
    root,
    write: async (contents, extension) =>
      Promise.all(
        (typeof contents === 'string' || contents instanceof Uint8Array ? [contents] : contents).map(async (content) => {
          const path = `${root}/${++count}${extension}`;
          await writeFile(path, content);
          return { path, location: `file:${path}` };
        }),
      ),
    withLease,
    readBack: async (plan, neededFields) =>
      withLease(async (lease) => {
        const pieces: Uint8Array[] = [];
        const printed = printRows(readerSql(plan, neededFields ?? null), { format: 'hjson' });
        for await (const piece of streamResult(lease, { printed, signal: never })) pieces.push(piece);
        return Buffer.concat(pieces).toString().split('\n').slice(0, -1);
      }),
    close: async () => {
      await pool.close();
      await Promise.all([root, spoolDirectory].map(async (path) => rm(path, { recursive: true, force: true })));
    },
  };
}

/** Parses a type. */
export function parsedType(text: string): Type {
  const parsed = parseType(text);
  if ('diagnostics' in parsed) throw new Error(`${text} is no type`);
  return parsed.type;
}
