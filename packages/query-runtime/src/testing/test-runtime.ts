import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { EnginePool } from '@svc/query-engine';
import { createEnginePool } from '@svc/query-engine';
import { Sources, type SourcesOptions } from '@svc/sources';

import type { Caller, QueryRuntimeOptions } from '../index.ts';
import { Admission, QueryRuntime } from '../index.ts';

/** The caller in tests. */
export const READER: Caller = { subject: 'reader', namespace: 'reader', scopes: [] };

/** Sources other than files. */
export type Reach = Pick<SourcesOptions, 'credentials' | 'networkGuard' | 'endpoints' | 'httpLimits' | 's3Limits'>;

/** Caller and limit of a query. */
export interface Asked {
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** A small runtime over files: `afterAll(runtime.close)`. */
export interface TestRuntime {
  readonly runtime: QueryRuntime;
  readonly engine: EnginePool;
  readonly spool: string;
  /** The result as hjson. */
  readonly run: (text: string, args?: Readonly<Record<string, string>>, asking?: Partial<Asked>) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Opens a runtime that reads below a folder, with its own spool; `spoolMegabytes` is for copies of sources. */
export async function openTestRuntime(
  options: { readonly root: string; readonly spoolMegabytes?: number; readonly reach?: Reach } & Pick<QueryRuntimeOptions, 'onCompiled'> &
    Partial<Pick<QueryRuntimeOptions, 'timeoutMillis'>>,
): Promise<TestRuntime> {
  const { root, spoolMegabytes = 100, reach = {}, ...told } = options;
  const roots = [await realpath(root)];
  const spool = await realpath(await mkdtemp(join(tmpdir(), 'svc-runtime-')));
  const engine = createEnginePool({
    memoryMegabytes: 512,
    threads: 2,
    concurrency: 2,
    spoolDirectory: spool,
    spoolMegabytes: 200,
    readRoots: roots,
  });
  const sources = new Sources({ fileRoots: roots, spoolDirectory: spool, spoolMegabytes, ...reach });
  const runtime = new QueryRuntime({
    engine,
    sources,
    admission: new Admission({ concurrency: 2, concurrencyPerSubject: 2, waitMillis: 10_000, maxWaiting: 10 }),
    timeoutMillis: 60_000,
    spoolDirectory: spool,
    ...told,
  });
  return {
    runtime,
    engine,
    spool,
    run: async (text, args = {}, { caller = READER, signal = new AbortController().signal } = {}) => {
      const running = await runtime.run({
        caller,
        text,
        arguments: new Map(Object.entries(args)),
        format: 'hjson',
        lineEnding: 'unix',
        maxBytes: undefined,
        signal,
      });
      const pieces: Uint8Array[] = [];
      for await (const piece of running.body) pieces.push(piece);
      return Buffer.concat(pieces).toString();
    },
    close: async () => {
      await runtime.close();
      await sources.close();
      await engine.close();
      await rm(spool, { recursive: true, force: true });
    },
  };
}
