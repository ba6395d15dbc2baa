import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { isQueryFailure } from '@svc/errors';
import { quoteText, runStatement } from '@svc/query-engine';
import { printType } from '@svc/query-language';

import type { CompiledQuery } from '../compile.ts';
import { holdSources } from '../hold-sources.ts';
import { readingPlanOf, type ReadingPlan } from './reading-plan.ts';
import { READER as caller, openTestRuntime, type Asked, type Reach } from './test-runtime.ts';

/** A runtime over its own folder: `afterAll(runtime.close)`. */
export interface ReadingRuntime {
  readonly root: string;
  /** The folder of the spool. */
  readonly spool: string;
  /** Writes a file below the root and creates its folders. */
  readonly write: (name: string, content: string | Uint8Array) => Promise<void>;
  /** Writes the rows of the engine's SQL as a file with row groups of the given number of rows. */
  readonly makeParquet: (name: string, sql: string, rowGroupSize?: number) => Promise<void>;
  /** Returns the lines of hjson, or `! ` with each message and the text at its position. */
  readonly run: (text: string, args?: Readonly<Record<string, string>>, asked?: Partial<Asked>) => Promise<readonly string[]>;
  /** The printed type, or the messages in the same form. */
  readonly typeOf: (text: string) => Promise<string>;
  /** Returns the engine's scans, and how it stops, from its plan. */
  readonly plan: (text: string) => Promise<ReadingPlan>;
  readonly close: () => Promise<void>;
}

/** Options of a runtime under test. */
interface ReadingRuntimeOptions {
  readonly spoolMegabytes?: number;
  readonly reach?: Reach;
}

/** Opens one with a small spool. */
export async function openReadingRuntime({ spoolMegabytes = 20, reach = {} }: ReadingRuntimeOptions = {}): Promise<ReadingRuntime> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'svc-reading-')));
  let last: { readonly query: CompiledQuery; readonly sql: string } | null = null;
  const { runtime, engine, spool, run, close } = await openTestRuntime({
    root,
    spoolMegabytes,
    reach,
    onCompiled: (compiled) => {
      last = compiled;
    },
  });
  const signal = new AbortController().signal;
  return {
    root,
    spool,
    write: async (name, content) => {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), content);
    },
    typeOf: async (text) => {
      try {
        return printType(await runtime.validate(caller, text, signal));
      } catch (thrown) {
        return messagesOf(thrown, text).join('\n');
      }
    },
    run: async (text, args, asked) => {
      try {
        return (await run(text, args, asked)).split('\n').slice(0, -1);
      } catch (thrown) {
        return messagesOf(thrown, text);
      }
    },
    makeParquet: async (name, sql, rowGroupSize = 122_880) => {
      const lease = await engine.lease(signal);
      const path = join(spool, 'made.parquet');
      try {
        await runStatement(lease, { sql: `COPY (${sql}) TO ${quoteText(path)} (FORMAT parquet, ROW_GROUP_SIZE ${rowGroupSize})`, signal });
      } finally {
        await lease.release();
      }
      await mkdir(dirname(join(root, name)), { recursive: true });
      await rename(path, join(root, name));
    },
    plan: async (text) => {
      await runtime.validate(caller, text, signal);
      if (last === null) throw new Error('the query was compiled');
      const release = await holdSources(last.query, { caller: caller.subject, signal });
      const lease = await engine.lease(signal);
      try {
        return await readingPlanOf(lease, last.sql);
      } finally {
        await lease.release();
        release();
      }
    },
    close: async () => {
      await close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

function messagesOf(thrown: unknown, text: string): readonly string[] {
  if (!isQueryFailure(thrown)) throw thrown;
  const errors = thrown.runtimeError === null ? thrown.validationErrors : [thrown.runtimeError];
  const lines = text.split('\n');
  return errors.map(({ message, positions: [place] }) => {
    if (place === undefined) return `! ${message}`;
    const { begin, end } = place;
    const line = lines[begin.line - 1] ?? '';
    return `! ${message} at ${line.slice(begin.column - 1, begin.line === end.line ? end.column - 1 : undefined)}`;
  });
}
