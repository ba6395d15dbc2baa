import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createEnginePool } from '@svc/query-engine';
import type { QueryRuntimeOptions } from '@svc/query-runtime';
import { Admission, QueryRuntime } from '@svc/query-runtime';
import { Sources, type SourcesOptions } from '@svc/sources';

import { DATA } from './benchmark-data.ts';

/** Queries over the made data within this process, one at a time. */
export interface BenchRuntime {
  readonly runtime: QueryRuntime;
  readonly close: () => Promise<void>;
}

interface BenchRuntimeOptions extends Pick<QueryRuntimeOptions, 'onCompiled'> {
  readonly threads: number;
  /** What is read beyond files, and how. */
  readonly reach?: Pick<SourcesOptions, 'credentials' | 'endpoints' | 'networkGuard'>;
}

/** A runtime with an engine of so many threads, and a spool of its own. */
export async function createBenchRuntime({ threads, reach = {}, ...told }: BenchRuntimeOptions): Promise<BenchRuntime> {
  const spool = { spoolDirectory: await mkdtemp(join(tmpdir(), 'svc-bench-')), spoolMegabytes: 4000 };
  const engine = createEnginePool({ memoryMegabytes: 4000, threads, concurrency: 1, readRoots: [DATA], ...spool });
  const runtime = new QueryRuntime({
    engine,
    admission: new Admission({ concurrency: 1, concurrencyPerSubject: 1, maxWaiting: 1, waitMillis: 1000 }),
    sources: new Sources({ fileRoots: [DATA], ...spool, ...reach }),
    timeoutMillis: 60_000,
    spoolDirectory: spool.spoolDirectory,
    ...told,
  });
  return {
    runtime,
    close: async () => {
      await engine.close();
      await rm(spool.spoolDirectory, { recursive: true, force: true });
    },
  };
}
