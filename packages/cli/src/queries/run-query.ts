import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { toApiError } from '@svc/api-client';

import type { Cli } from '../cli.ts';
import { PLAIN_TEXT } from '../commands/plain-text.ts';
import { CommandError, InterruptedError } from '../failures/cli-errors.ts';
import type { SourceText } from '../failures/draw-problem.ts';
import { reportSource } from '../failures/report-source.ts';
import { openOutput } from '../output/open-output.ts';
import { showProgress, type Progress } from '../output/show-progress.ts';
import { cancelQuery } from './cancel-query.ts';
import type { ResultFormat } from './result-formats.ts';

/** A query to run. */
export interface QueryRequest {
  readonly source: SourceText;
  readonly format: ResultFormat;
  readonly arguments: readonly (readonly [name: string, value: string])[];
  /** The file for the result; standard output without it. */
  readonly output: string | undefined;
}

/** Runs a query and writes its result. An interrupt cancels it in the executor. */
export async function runQuery(cli: Cli, request: QueryRequest): Promise<void> {
  const { terminal } = cli;
  const given = new AbortController();
  let queryId: string | undefined;
  let cancelled: Promise<void> | undefined;
  const interrupt = (): void => {
    cancelled = cancelQuery(cli, { id: queryId, text: request.source.text }).finally(() => given.abort());
  };
  terminal.signal.addEventListener('abort', interrupt);
  const progress = showProgress(terminal);
  try {
    const body = await reportSource(request.source, requestResult(cli, request, { signal: given.signal, onId: (id) => (queryId = id) }));
    await writeResult(cli, { body, output: request.output, progress });
  } catch (error) {
    await cancelled;
    throw terminal.signal.aborted ? new InterruptedError() : error;
  } finally {
    progress.stop();
    terminal.signal.removeEventListener('abort', interrupt);
  }
}

interface RequestOptions {
  readonly signal: AbortSignal;
  readonly onId: (id: string) => void;
}

async function requestResult(
  cli: Cli,
  { source, format, arguments: args }: QueryRequest,
  { signal, onId }: RequestOptions,
): Promise<Readable> {
  // The executor limits how long a query runs.
  const { executor } = await cli.services({ signal, timeoutMs: undefined });
  const { data, error, response } = await executor.POST('/query', {
    ...PLAIN_TEXT,
    params: { header: { 'X-SVC-output-format': format } },
    body: source.text,
    querySerializer: () => new URLSearchParams([...args].map(([name, value]): [string, string] => [name, value])).toString(),
    parseAs: 'stream',
  });
  const id = response.headers.get('X-SVC-Query-Id');
  if (id !== null) onId(id);
  if (!response.ok) throw toApiError(response, error);
  return data ? Readable.fromWeb(data) : Readable.from([]);
}

interface ResultWriting {
  readonly body: Readable;
  readonly output: string | undefined;
  readonly progress: Progress;
}

async function writeResult({ terminal }: Cli, { body, output, progress }: ResultWriting): Promise<void> {
  const sink = await openOutput(output, terminal.stdout);
  const counter = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      // A line of progress and the rows would stand on the same screen.
      if (sink.isTerminal) progress.stop();
      else progress.add(chunk.length);
      done(null, chunk);
    },
  });
  try {
    await pipeline(body, counter, sink.stream, { end: sink.isOwn });
    await sink.complete();
  } catch (error) {
    await sink.discard();
    throw isWriteFault(error)
      ? new CommandError(`${output ?? 'Standard output'} cannot be written: ${error.code}.`, { cause: error })
      : error;
  }
}

/** Returns whether the system refused to write; what the network reports is the cause of another error. */
function isWriteFault(error: unknown): error is NodeJS.ErrnoException & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
