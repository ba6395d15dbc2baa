import { anyAborted } from '@svc/concurrency';
import type { EngineKind, EngineLease, WithLease } from '@svc/query-engine';
import { EngineFailure, evaluateConstants, isTextFormat } from '@svc/query-engine';
import type { Plan, Type } from '@svc/query-language';

import type { Caller } from './caller.ts';
import type { CheckedPackage, CheckedText, NamedText } from './check-stored.ts';
import type { CompiledQuery } from './compile.ts';
import { fetchesRows, isSmall } from './compile.ts';
import type { CompileCacheOptions } from './compile-cache.ts';
import { CompileCache, type Asking } from './compile-cache.ts';
import { holdSources } from './hold-sources.ts';
import { openSources } from './open-sources.ts';
import type { OpenedTables, OpenTables } from './opened-tables.ts';
import { withParameters } from './parameter-values.ts';
import type { PrintResult } from './print-result.ts';
import { createPrintResult, refuseUnprintable } from './print-result.ts';
import { toPublicFailure } from './public-failure.ts';
import type { QueryRequest } from './query-request.ts';
import type { StreamedResult } from './stream-query.ts';
import { streamQuery } from './stream-query.ts';
import { TimeLimit } from './time-limit.ts';

/** Milliseconds that each step took. */
export interface QueryTimings {
  /** Admission. */
  readonly wait: number;
  /** Parsing, checking, and reading what the query names; short if cached. */
  readonly check: number;
  /** Lowering. */
  readonly plan: number;
  /** Fetching and opening the sources. */
  readonly read: number;
  /** From the start of the statement to now. */
  readonly execute: () => number;
}

/** A query that runs. */
export interface RunningQuery extends StreamedResult {
  readonly type: Type;
  readonly timings: QueryTimings;
  /** Further work for the query, such as compressing its result, runs within it. */
  readonly limit: Pick<TimeLimit, 'during'>;
}

/** Dependencies of a runtime, besides those of its checks. */
export interface QueryRuntimeOptions extends CompileCacheOptions {
  /** Opens the rows of user tables; without it no query that names a table runs. */
  readonly openTables?: OpenTables;
  /** The folder, existing, in which results that are files are written. */
  readonly spoolDirectory: string;
  readonly now?: () => Date;
}

/** Checks and runs queries, for the executor and other services. */
export class QueryRuntime {
  readonly #options: QueryRuntimeOptions;
  readonly #compiled: CompileCache;
  readonly #print: PrintResult = createPrintResult();

  constructor(options: QueryRuntimeOptions) {
    this.#options = options;
    this.#compiled = new CompileCache(options);
  }

  /** Aborts current compilations; later ones are possible. */
  async close(): Promise<void> {
    await this.#compiled.close();
  }

  /** The type of a query. Throws a QueryFailure with all that is wrong with it. */
  async validate(caller: Caller, text: string, signal: AbortSignal): Promise<Type> {
    const { type } = await this.#compiled.compileQuery({ caller, text, arguments: null, signal });
    return type;
  }

  /** Checks a view of the caller's namespace, stored or about to be stored. Throws a QueryFailure with all errors. */
  async checkView(caller: Caller, view: NamedText, signal: AbortSignal): Promise<CheckedText> {
    return this.#compiled.checkView({ caller, signal }, view);
  }

  /** Checks a whole package of the caller's namespace and describes its public functions. */
  async checkPackage(caller: Caller, code: NamedText, signal: AbortSignal): Promise<CheckedPackage> {
    return this.#compiled.checkPackage({ caller, signal }, code);
  }

  /** Compiles a query, waits for a slot and an engine, and starts it. Throws if it cannot start. */
  async run(request: QueryRequest): Promise<RunningQuery> {
    const { admission, engine, timeoutMillis, spoolDirectory } = this.#options;
    const began = performance.now();
    const leave = await admission.enter(request.caller.subject, request.signal);
    const admitted = performance.now();
    const limit = new TimeLimit(timeoutMillis);
    const signal = anyAborted(request.signal, limit.signal);
    let lease: EngineLease | null = null;
    const takeLease = async (kind?: EngineKind): Promise<EngineLease> => {
      // A damaged file may have broken the engine that inspected it.
      if (lease?.isBroken === true) {
        await lease?.release();
        lease = null;
      }
      return (lease ??= await engine.lease(signal, kind));
    };
    const withLease: WithLease = async (step) => {
      if (lease !== null) return step(await takeLease());
      const own = await engine.lease(signal, 'narrow');
      try {
        return await step(own);
      } finally {
        await own.release();
      }
    };
    const reading = this.#options.sources.beginReading(request.caller.subject);
    let release: () => void = () => undefined;
    let close: () => Promise<void> = async () => undefined;
    const leaveAll = async (): Promise<void> => {
      release();
      reading.close();
      leave();
      await close();
    };
    try {
      const { compiled, lowerMillis, checkedAt } = await limit.during(async () => {
        const found = await this.#compileFor(request, { signal, reading, lease: () => takeLease() });
        refuseUnprintable(found.compiled, request.format);
        release = await holdSources(found.compiled, { caller: request.caller.subject, signal });
        return found;
      });
      limit.restart();
      const now = this.#options.now?.() ?? new Date();
      const { query, ...opened } = await this.#openRows(compiled, { caller: request.caller, now, withLease, signal, limit });
      close = opened.close;
      const openedAt = performance.now();
      const printed = this.#print(query, request);
      const printMillis = performance.now() - openedAt;
      const engineLease = await takeLease(engineFor(query, request));
      const takeAnother = (): Promise<EngineLease> => engine.lease(signal, 'narrow');
      const ready = { query, printed, request, now, spoolDirectory, signal, limit, timeoutMillis, lease: engineLease, takeAnother };
      const result = streamQuery({ ...ready, leave: leaveAll });
      const readyAt = performance.now();
      return {
        ...result,
        type: query.type,
        limit,
        timings: {
          wait: admitted - began,
          check: checkedAt - admitted - lowerMillis,
          plan: lowerMillis + printMillis,
          read: openedAt - checkedAt,
          execute: () => performance.now() - readyAt,
        },
      };
    } catch (thrown) {
      await (lease as EngineLease | null)?.release();
      await leaveAll();
      throw toPublicFailure(thrown, { client: request.signal, limit: limit.signal, timeoutMillis });
    }
  }

  /** The compiled query, when it was ready, and how much of the time went into its statement. */
  async #compileFor(request: QueryRequest, at: Required<Pick<Asking, 'signal' | 'lease' | 'reading'>>) {
    let lowerMillis = 0;
    const onPlanned = (millis: number): void => void (lowerMillis = millis);
    const compiled = await this.#compiled.compileQuery({ ...request, ...at, onPlanned });
    return { compiled, lowerMillis, checkedAt: performance.now() };
  }

  /** Opens the query over the current rows of its tables, and of sources that are fetched for each run. Fetching counts as execution. */
  async #openRows(query: CompiledQuery, { caller, now, withLease, signal, limit }: Opening): Promise<OpenedQuery> {
    const { runnable } = query;
    if (!fetchesRows(query) || runnable === null) return { query, close: async () => undefined };
    try {
      return await limit.during(async () => {
        const at = { caller, now, arguments: query.arguments };
        const bound = runnable.lowered.parameters.length === 0 ? runnable.plan : withParameters(runnable.plan, at);
        const plan = await evaluateConstants(bound, withLease, signal);
        const sources = await openSources(query, plan, signal);
        try {
          const tables = await this.#openTables(query, plan, signal);
          const opened = await runnable.over({ scans: tables.scans, readers: sources.readers });
          const close = async (): Promise<void> => {
            sources.close();
            await tables.close();
          };
          return { query: { ...query, runnable: opened, bytes: query.bytes + sources.bytes + tables.bytes }, close };
        } catch (thrown) {
          sources.close();
          throw thrown;
        }
      });
    } catch (thrown) {
      throw signal.aborted ? new EngineFailure('interrupted', 'the query was cancelled', { cause: thrown }) : thrown;
    }
  }

  async #openTables({ tables }: CompiledQuery, plan: Plan, signal: AbortSignal): Promise<OpenedTables> {
    if (tables.size === 0) return { scans: new Map(), bytes: 0, close: async () => undefined };
    const { openTables } = this.#options;
    if (openTables === undefined) throw new Error('nobody said how tables are read');
    return openTables({ plan, tables, signal });
  }
}

interface Opening {
  readonly caller: Caller;
  /** The value of NOW. */
  readonly now: Date;
  readonly withLease: WithLease;
  readonly signal: AbortSignal;
  readonly limit: TimeLimit;
}

/** A query whose rows are available to its engine until they are closed. */
interface OpenedQuery {
  readonly query: CompiledQuery;
  readonly close: () => Promise<void>;
}

/** Selects the engine: what is small, and files whose rows are produced one by one, take one thread. */
function engineFor(query: CompiledQuery, { format }: QueryRequest): EngineKind {
  const isWrittenInTurn = !isTextFormat(format) && query.runnable?.lowered.isRowByRow === true;
  return isSmall(query) || isWrittenInTurn ? 'narrow' : 'wide';
}
