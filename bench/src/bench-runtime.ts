import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createEnginePool } from '@svc/query-engine';
import type { QueryRuntimeOptions } from '@svc/query-runtime';
import { Admission, QueryRuntime } from '@svc/query-runtime';
import { Sources, type SourcesOptions } from '@svc/sources';

import { DATA } from './benchmark-data.ts';

/** Runs queries over generated data within this process, one at a time. */
export interface BenchRuntime {
  readonly runtime: QueryRuntime;
  /** Starts a query and keeps its files until the returned function is called. */
  readonly hold: (text: string) => Promise<() => Promise<void>>;
  /** Runs a query and passes over its result, which must not be empty. */
  readonly drain: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface BenchRuntimeOptions extends Pick<QueryRuntimeOptions, 'onCompiled'> {
  readonly threads: number;
  /** Sources other than files. */
  readonly reach?: Pick<SourcesOptions, 'credentials' | 'endpoints' | 'networkGuard'>;
}

const QUERY_TIMEOUT_MS = 600_000;

/** Creates a runtime with an engine of the given number of threads, and a spool of its own. */
export async function createBenchRuntime({ threads, reach = {}, ...told }: BenchRuntimeOptions): Promise<BenchRuntime> {
  const spool = { spoolDirectory: await mkdtemp(join(tmpdir(), 'svc-bench-')), spoolMegabytes: 4000 };
  const engine = createEnginePool({ memoryMegabytes: 4000, threads, concurrency: 1, readRoots: [DATA], ...spool });
  const runtime = new QueryRuntime({
    engine,
    admission: new Admission({ concurrency: 1, concurrencyPerSubject: 1, maxWaiting: 1, waitMillis: 1000 }),
    sources: new Sources({ fileRoots: [DATA], ...spool, ...reach }),
    timeoutMillis: QUERY_TIMEOUT_MS,
    spoolDirectory: spool.spoolDirectory,
    ...told,
  });
  const run = (text: string) =>
    runtime.run({
      caller: { subject: 'bench', namespace: 'bench', scopes: [] },
      text,
      arguments: new Map(),
      format: 'hjson',
      lineEnding: 'unix',
      maxBytes: undefined,
      signal: AbortSignal.timeout(QUERY_TIMEOUT_MS),
    });
  return {
    runtime,
    hold: async (text) => {
      const body = (await run(text)).body[Symbol.asyncIterator]();
      await body.next();
      return async () => void (await body.return?.());
    },
    drain: async (text) => {
      const running = await run(text);
      let bytes = 0;
      for await (const piece of running.body) bytes += piece.length;
      if (bytes === 0) throw new Error(`${text}: no result`);
    },
    close: async () => {
      await engine.close();
      await rm(spool.spoolDirectory, { recursive: true, force: true });
    },
  };
}
