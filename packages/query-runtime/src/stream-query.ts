import { anyAborted } from '@svc/concurrency';
import type { EngineFailure, EngineLease, PrintedRows } from '@svc/query-engine';
import { isEngineFailure, isTextFormat, runStatement, streamFile, streamResult } from '@svc/query-engine';

import { fetchesRows, isLong, type CompiledQuery } from './compile.ts';
import { parameterValues } from './parameter-values.ts';
import { toPublicFailure } from './public-failure.ts';
import type { QueryRequest } from './query-request.ts';
import { explainFailure } from './run-time-error.ts';
import type { QueryProgress } from './running-queries.ts';
import type { TimeLimit } from './time-limit.ts';

/** A result as a stream of bytes. */
export interface StreamedResult {
  /** Runs the statement when read. Reaching the end or stopping early releases the engine. Throws a QueryFailure or a ServiceError. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Known once the body has ended. */
  readonly isTruncated: () => boolean;
  /** Returns the size of the whole body in bytes. If the result is a file, it is known with the first bytes. */
  readonly size: () => number | undefined;
  readonly progress: () => QueryProgress;
}

/** A query that is ready to run. */
export interface ReadyQuery {
  readonly query: CompiledQuery;
  readonly printed: PrintedRows;
  readonly lease: EngineLease;
  /** Leases another engine that replaces a broken one. */
  readonly takeAnother: () => Promise<EngineLease>;
  readonly request: QueryRequest;
  readonly now: Date;
  /** Folder of result files. */
  readonly spoolDirectory: string;
  /** Aborted by the client and by the limit. */
  readonly signal: AbortSignal;
  readonly limit: TimeLimit;
  readonly timeoutMillis: number;
  /** Called when the engine has been given back. */
  readonly leave: () => Promise<void>;
}

/** Streams the query's result. Only the engine's work counts as time, not the wait for a slow reader. */
export function streamQuery(ready: ReadyQuery): StreamedResult {
  const opened = openStream(ready);
  const { progress } = opened.stream;
  return { body: bodyOf(ready, opened), isTruncated: () => progress().isTruncated, size: opened.size, progress };
}

/** A module function: a generator created per query would be retained, with its closure, until a full garbage collection. */
async function* bodyOf({ query, limit, lease, leave }: ReadyQuery, opened: ReturnType<typeof openStream>): AsyncGenerator<Uint8Array> {
  const iterator = opened.stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await limit.during(() => iterator.next());
      if (next.done === true) return;
      yield next.value;
    }
  } catch (thrown) {
    throw await limit.during(() => opened.explain(thrown));
  } finally {
    opened.stop();
    await iterator.return?.().catch(() => undefined); // what failed is thrown already, or nobody reads any more
    // Statements prepared over rows of this run are invalid with them.
    if (fetchesRows(query)) lease.dropSession();
    await lease.release();
    await leave();
  }
}

/** Looks into a failure with the engine that met it; with another one if the failure has broken it. */
async function lookInto<Found>(
  { lease, takeAnother }: Pick<ReadyQuery, 'lease' | 'takeAnother'>,
  look: (lease: EngineLease) => Promise<Found>,
): Promise<Found> {
  if (!lease.isBroken) return look(lease);
  await lease.release();
  const another = await takeAnother();
  try {
    return await look(another);
  } finally {
    await another.release();
  }
}

function openStream({ query, printed, lease, request, limit, ...ready }: ReadyQuery) {
  const { runnable } = query;
  if (runnable === null) throw new Error('a query that is run has a plan');
  const watch = runnable.lowered.isUncounted ? lease.watchMemory() : null;
  const signal = watch === null ? ready.signal : anyAborted(ready.signal, watch.signal);
  const { sql: relationSql, layout, parameters: names } = runnable.lowered;
  const parameters = parameterValues(names, { caller: request.caller, arguments: query.arguments, now: ready.now });
  const runAgain = (again: PrintedRows): Promise<EngineFailure> => failureOf(lease, again, { parameters, signal });
  const statement = { parameters, signal, maxBytes: request.maxBytes, explain: () => runAgain(printed) };
  const file = isTextFormat(request.format)
    ? null
    : streamFile(lease, { ...statement, format: request.format, relationSql, layout, spoolDirectory: ready.spoolDirectory });
  const explain = async (failed: unknown): Promise<unknown> => {
    const thrown: unknown = watch?.signal.aborted === true && !ready.signal.aborted ? watch.signal.reason : failed;
    const explained = isEngineFailure(thrown)
      ? await explainFailure(thrown, {
          runnable,
          printed,
          source: query.source,
          runAgain,
          explainRead: (key) => {
            const read = query.reads.get(key);
            const commission = { caller: request.caller.subject, signal };
            const engines = { lease, takeAnother: ready.takeAnother };
            return read === undefined ? null : lookInto(engines, (by) => read.explain(thrown, by, commission));
          },
        }).catch((second: unknown) => (isEngineFailure(second) && second.failureClass === 'internal' ? thrown : second)) // it, too, may run out of time
      : thrown;
    return toPublicFailure(explained, { client: request.signal, limit: limit.signal, timeoutMillis: ready.timeoutMillis });
  };
  return {
    stream: file ?? streamResult(lease, { ...statement, printed, version: query.version, isLong: isLong(query) }),
    size: () => file?.size(),
    explain,
    stop: () => watch?.stop(),
  };
}

/** Returns the failure of a failed statement with its position: runs it again over all rows, discarding them. */
async function failureOf(
  lease: EngineLease,
  printed: PrintedRows,
  run: { readonly parameters: readonly (string | null)[]; readonly signal: AbortSignal },
): Promise<EngineFailure> {
  try {
    await runStatement(lease, { sql: `SELECT max(strlen(line)) FROM (${printed.sql}) AS again`, ...run });
  } catch (thrown) {
    if (isEngineFailure(thrown)) return thrown;
    throw thrown;
  }
  throw new Error('the statement failed once, and not again');
}
