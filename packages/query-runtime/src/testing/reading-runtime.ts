import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { isQueryFailure } from '@svc/errors';
import { createEnginePool } from '@svc/query-engine';
import { printType } from '@svc/query-language';
import { Sources } from '@svc/sources';

import { Admission, QueryRuntime } from '../index.ts';

/** A runtime over a folder of its own: `afterAll(runtime.close)`. */
export interface ReadingRuntime {
  readonly root: string;
  /** Writes a file below the root, its folders too. */
  readonly write: (name: string, content: string | Uint8Array) => Promise<void>;
  /** The lines of hjson; or `! ` with each message, and the text at whose place it is reported. */
  readonly run: (text: string, args?: Readonly<Record<string, string>>) => Promise<readonly string[]>;
  /** The printed type, or the messages in the same form. */
  readonly typeOf: (text: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Opens one with a small spool. */
export async function openReadingRuntime({ spoolMegabytes = 20 }: { readonly spoolMegabytes?: number } = {}): Promise<ReadingRuntime> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-reading-')));
  const [root, spool] = [join(folder, 'root'), join(folder, 'spool')];
  await mkdir(root);
  await mkdir(spool);
  const engine = createEnginePool({
    memoryMegabytes: 512,
    threads: 2,
    concurrency: 2,
    spoolDirectory: spool,
    spoolMegabytes: 200,
    readRoots: [root],
  });
  const runtime = new QueryRuntime({
    engine,
    sources: new Sources({ fileRoots: [root], spoolDirectory: spool, spoolMegabytes }),
    admission: new Admission({ concurrency: 2, concurrencyPerSubject: 2, waitMillis: 10_000, maxWaiting: 10 }),
    timeoutMillis: 60_000,
    spoolDirectory: spool,
  });
  const caller = { subject: 'reader', namespace: 'reader', scopes: [] };
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
        return Buffer.concat(pieces).toString().split('\n').slice(0, -1);
      } catch (thrown) {
        return messagesOf(thrown, text);
      }
    },
    close: async () => {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
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
