import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { isQueryFailure } from '@svc/errors';
import { quoteText, runStatement } from '@svc/query-engine';
import { printType } from '@svc/query-language';

import { READER as caller, openTestRuntime } from './test-runtime.ts';

/** A runtime over a folder of its own: `afterAll(runtime.close)`. */
export interface ReadingRuntime {
  readonly root: string;
  /** Writes a file below the root, its folders too. */
  readonly write: (name: string, content: string | Uint8Array) => Promise<void>;
  /** Writes the rows of the engine's SQL as a file. */
  readonly makeParquet: (name: string, sql: string) => Promise<void>;
  /** The lines of hjson; or `! ` with each message, and the text at whose place it is reported. */
  readonly run: (text: string, args?: Readonly<Record<string, string>>) => Promise<readonly string[]>;
  /** The printed type, or the messages in the same form. */
  readonly typeOf: (text: string) => Promise<string>;
  /** What the engine reads of each source, and how it stops, as it plans the query. */
  readonly plan: (text: string) => Promise<ReadingPlan>;
  readonly close: () => Promise<void>;
}

export interface ReadingPlan {
  readonly scans: readonly { readonly reader: string; readonly columns: readonly string[]; readonly filters: readonly string[] }[];
  /** It stops reading once it has the rows that it needs. */
  readonly isStreamingLimit: boolean;
}

/** Opens one with a small spool. */
export async function openReadingRuntime({ spoolMegabytes = 20 }: { readonly spoolMegabytes?: number } = {}): Promise<ReadingRuntime> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'svc-reading-')));
  let lowered = '';
  const { runtime, engine, spool, run, close } = await openTestRuntime({
    root,
    spoolMegabytes,
    onCompiled: ({ sql }) => {
      lowered = sql;
    },
  });
  const signal = new AbortController().signal;
  return {
    root,
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
    run: async (text, args = {}) => {
      try {
        return (await run(text, args)).split('\n').slice(0, -1);
      } catch (thrown) {
        return messagesOf(thrown, text);
      }
    },
    makeParquet: async (name, sql) => {
      const lease = await engine.lease(signal);
      const path = join(spool, 'made.parquet');
      try {
        await runStatement(lease, { sql: `COPY (${sql}) TO ${quoteText(path)} (FORMAT parquet)`, signal });
      } finally {
        await lease.release();
      }
      await rename(path, join(root, name));
    },
    plan: async (text) => {
      await runtime.validate(caller, text, signal);
      const lease = await engine.lease(signal);
      try {
        const [row] = await runStatement(lease, { sql: `EXPLAIN (FORMAT json) ${lowered}`, signal });
        const explained = row?.['explain_value'];
        return readingPlan(JSON.parse(typeof explained === 'string' ? explained : '[]') as readonly PlanNode[]);
      } finally {
        await lease.release();
      }
    },
    close: async () => {
      await close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

interface PlanNode {
  readonly name: string;
  readonly children: readonly PlanNode[];
  readonly extra_info: Readonly<Record<string, string | readonly string[]>>;
}

function readingPlan(nodes: readonly PlanNode[]): ReadingPlan {
  const all: PlanNode[] = [];
  const visit = (node: PlanNode): void => {
    all.push(node);
    node.children.forEach(visit);
  };
  nodes.forEach(visit);
  return {
    isStreamingLimit: all.some((node) => node.name === 'STREAMING_LIMIT'),
    scans: all
      .filter((node) => node.name.startsWith('READ_'))
      .map(({ name, extra_info: info }) => ({ reader: name, columns: listOf(info['Projections']), filters: listOf(info['Filters']) })),
  };
}

function listOf(info: string | readonly string[] | undefined): readonly string[] {
  return info === undefined || info === '' ? [] : typeof info === 'string' ? [info] : info;
}

function messagesOf(thrown: unknown, text: string): readonly string[] {
  if (!isQueryFailure(thrown)) throw thrown;
  const errors = thrown.runtimeError === null ? thrown.validationErrors : [thrown.runtimeError];
  const lines = text.split('\n');
  return errors.map(({ message, positions }) => {
    const [place] = positions;
    const at =
      place === undefined
        ? ''
        : ` at ${(lines[place.begin.line - 1] ?? '').slice(place.begin.column - 1, place.begin.line === place.end.line ? place.end.column - 1 : undefined)}`;
    return `! ${message}${at}`;
  });
}
