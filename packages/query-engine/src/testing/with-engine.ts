import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createEnginePool, type EnginePool } from '../instances/engine-pool.ts';
import type { EngineLease } from '../instances/engine-lease.ts';
import type { EngineOptions } from '../instances/engine-options.ts';

/** A real pool with its own spool and root, for a test file: `afterAll(engine.close)`. */
export interface TestEngine {
  readonly pool: EnginePool;
  /** Folder in which statements may write. */
  readonly spool: string;
  /** Folder that statements may read. */
  readonly root: string;
  readonly withLease: <T>(work: (lease: EngineLease) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

/** Opens a small engine pool over temporary folders. */
export async function openTestEngine(options: Partial<EngineOptions> = {}): Promise<TestEngine> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-engine-'));
  const spool = await mkdtemp(join(folder, 'spool-'));
  const root = await mkdtemp(join(folder, 'root-'));
  const pool = createEnginePool({
    memoryMegabytes: 512,
    threads: 2,
    concurrency: 2,
    spoolDirectory: spool,
    spoolMegabytes: 200,
    readRoots: [root],
    ...options,
  });
  return {
    pool,
    spool,
    root,
    withLease: async (work) => {
      const lease = await pool.lease(never);
      try {
        return await work(lease);
      } finally {
        await lease.release();
      }
    },
    close: async () => {
      await pool.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A signal that never aborts. */
export const never: AbortSignal = new AbortController().signal;
