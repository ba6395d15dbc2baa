import type { CatalogReader } from '@svc/catalog';
import type { EngineLease, EnginePool, LineEnding, PrintedRows, ResultFormatName, UnsupportedPart } from '@svc/query-engine';
import {
  EngineFailure,
  RESULT_FORMATS,
  ResultTooLarge,
  isEngineFailure,
  isTextFormat,
  printRows,
  runStatement,
  streamFile,
  streamResult,
  unsupportedPart,
} from '@svc/query-engine';
import { ServiceError, failedQuery, invalidQuery, serviceUnavailable } from '@svc/errors';
import type { Plan, Type } from '@svc/query-language';
import { printType } from '@svc/query-language';
import type { Sources } from '@svc/sources';
import { LRUCache } from 'lru-cache';

import type { Admission } from './admission.ts';
import type { Caller } from './caller.ts';
import type { CheckedPackage, CheckedText, NamedText } from './check-stored.ts';
import { checkPackageText, checkViewText } from './check-stored.ts';
import type { CompileRequest, CompiledQuery } from './compile.ts';
import { compile, SMALL_BYTES } from './compile.ts';
import type { CheckWorld } from './complete-check.ts';
import { holdSources } from './hold-sources.ts';
import type { OpenTables } from './opened-tables.ts';
import { parameterValues } from './parameter-values.ts';
import { explainFailure } from './run-time-error.ts';
import type { QueryProgress } from './running-queries.ts';

export interface QueryRequest {
  readonly caller: Caller;
  readonly text: string;
  /** For a query that ends in a function. */
  readonly arguments: ReadonlyMap<string, string>;
  readonly format: ResultFormatName;
  readonly lineEnding: LineEnding;
  readonly maxBytes: number | undefined;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/** Milliseconds that each step took. */
export interface QueryTimings {
  /** For a place. */
  readonly wait: number;
  /** Parsing, checking, and looking at what the query names; little where that was done before. */
  readonly check: number;
  /** Making the statement. */
  readonly plan: number;
  /** Fetching and opening what the statement reads. */
  readonly read: number;
  /** From the start of the statement to now. */
  readonly execute: () => number;
}

/** A query that runs: its bytes come as they are read. */
export interface RunningQuery {
  readonly type: Type;
  /** Reading it runs the statement; its end, or leaving it early, gives the engine back. Fails with a QueryFailure or a ServiceError. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Known once the body has ended. */
  readonly isTruncated: () => boolean;
  /** Bytes of the whole body, known with the first of them where it is a file. */
  readonly size: () => number | undefined;
  readonly progress: () => QueryProgress;
  readonly timings: QueryTimings;
}

export interface QueryRuntimeOptions {
  readonly engine: EnginePool;
  readonly sources: Sources;
  /** What is stored by name; without it nothing is. */
  readonly catalog?: CatalogReader;
  /** How the rows of user tables are read; without it no query that names a table runs. */
  readonly openTables?: OpenTables;
  readonly admission: Admission;
  /** Limit of a query's execution. */
  readonly timeoutMillis: number;
  /** The folder, existing, in which results that are files are written. */
  readonly spoolDirectory: string;
  readonly now?: () => Date;
  /** Told of each query that was compiled and can be run: for the log. */
  readonly onCompiled?: (compiled: { readonly plan: Plan; readonly sql: string }) => void;
  /** How many compiled queries are remembered. */
  readonly cacheSize?: number;
}

/** Checks and runs queries: what the executor and whoever else runs the language share. */
export class QueryRuntime {
  readonly #options: QueryRuntimeOptions;
  /** By caller, text and arguments. A query is used again only while its sources are what they were. */
  readonly #compiled: LRUCache<string, CompiledQuery>;
  /** Checked packages, by namespace, name and text. */
  readonly #packages = new LRUCache<string, CheckedPackage>({ max: 200 });
  readonly #printed = new WeakMap<CompiledQuery, Map<string, PrintedRows>>();

  constructor(options: QueryRuntimeOptions) {
    this.#options = options;
    this.#compiled = new LRUCache({
      max: options.cacheSize ?? 2000,
      maxSize: 64_000_000,
      sizeCalculation: (query, key) => key.length + query.source.text.length * 20 + 1000,
    });
  }

  /** The type of a query. Throws a QueryFailure with all that is wrong with it. */
  async validate(caller: Caller, text: string, signal: AbortSignal): Promise<Type> {
    const { type } = await this.#compile({ caller, text, arguments: null, signal });
    return type;
  }

  /** Checks a view of the caller's namespace, as it is or will be stored. Throws a QueryFailure with all that is wrong. */
  async checkView(caller: Caller, view: NamedText, signal: AbortSignal): Promise<CheckedText> {
    return this.#inWorld({ caller, signal }, (world) => checkViewText(view, world));
  }

  /** Checks all of a package of the caller's namespace, and describes its public functions. */
  async checkPackage(caller: Caller, code: NamedText, signal: AbortSignal): Promise<CheckedPackage> {
    const key = JSON.stringify([caller.namespace, code.name, code.text]);
    const known = this.#packages.get(key);
    if (known !== undefined && (await this.#isCurrent(known, caller))) return known;
    const checked = await this.#inWorld({ caller, signal }, (world) => checkPackageText(code, world));
    this.#packages.set(key, checked);
    return checked;
  }

  /** Compiles a query, waits for a place and an engine, and starts it. Throws what keeps it from starting. */
  async run(request: QueryRequest): Promise<RunningQuery> {
    const began = performance.now();
    const leave = await this.#options.admission.enter(request.caller.subject, request.signal);
    const admitted = performance.now();
    const limit = new AbortController();
    const signal = AbortSignal.any([request.signal, limit.signal]);
    let lease: EngineLease | null = null;
    let release: () => void = () => undefined;
    let close: () => Promise<void> = async () => undefined;
    const preparing = setTimeout(() => limit.abort(), this.#options.timeoutMillis);
    try {
      const takeLease = async (isSmall?: boolean): Promise<EngineLease> => (lease ??= await this.#options.engine.lease(signal, isSmall));
      let planMillis = 0;
      const onPlanned = (millis: number): void => void (planMillis = millis);
      const compiled = await this.#compile({ ...request, lease: () => takeLease(), signal, onPlanned });
      const checked = performance.now();
      const lowerMillis = planMillis;
      refuseUnprintable(compiled, request.format);
      release = await holdSources(compiled, signal);
      clearTimeout(preparing);
      const started = performance.now();
      const { query, ...opened } = await this.#openTables(compiled, { signal, limit });
      close = opened.close;
      const leftMillis = this.#options.timeoutMillis - (performance.now() - started);
      const opening = performance.now();
      const printed = this.#print(query, request);
      planMillis += performance.now() - opening;
      const statement = {
        query,
        printed,
        lease: await takeLease(query.isSmall),
        signal,
        limit,
        leftMillis,
        request,
        leave: async (): Promise<void> => {
          release();
          leave();
          await close();
        },
      };
      const body = this.#stream(statement);
      const ready = performance.now();
      return {
        type: query.type,
        ...body,
        timings: {
          wait: admitted - began,
          check: checked - admitted - lowerMillis,
          plan: planMillis,
          read: opening - checked,
          execute: () => performance.now() - ready,
        },
      };
    } catch (thrown) {
      await (lease as EngineLease | null)?.release();
      release();
      leave();
      await close();
      throw this.#toPublic(thrown, request.signal, limit.signal);
    } finally {
      clearTimeout(preparing);
    }
  }

  #stream(at: Statement): Pick<RunningQuery, 'body' | 'isTruncated' | 'size' | 'progress'> {
    const { query, printed, lease, signal, limit, request } = at;
    if (query.runnable === null) throw new Error('a query that is run has a plan');
    const { lowered } = query.runnable;
    const parameters = parameterValues(lowered.parameters, {
      caller: request.caller,
      arguments: query.arguments,
      now: this.#options.now?.() ?? new Date(),
    });
    const statement = {
      parameters,
      signal,
      maxBytes: request.maxBytes,
      explain: () => explainBreak(lease, printed, parameters, signal),
    };
    const { sql: relationSql, layout } = lowered;
    const { spoolDirectory } = this.#options;
    const file = isTextFormat(request.format)
      ? null
      : streamFile(lease, { ...statement, format: request.format, relationSql, layout, spoolDirectory });
    const stream = file ?? streamResult(lease, { ...statement, printed, version: query.version });
    const runAgain = (again: PrintedRows): Promise<EngineFailure> => explainBreak(lease, again, parameters, signal);
    const toPublic = async (thrown: unknown): Promise<unknown> => {
      if (!isEngineFailure(thrown) || query.runnable === null) return this.#toPublic(thrown, request.signal, limit.signal);
      const explained = await explainFailure(thrown, {
        runnable: query.runnable,
        printed,
        source: query.source,
        runAgain,
        explainRead: (key) => query.reads.get(key)?.explain(thrown, lease, signal) ?? null,
      }).catch((second: unknown) => second); // it, too, may run out of time
      return this.#toPublic(explained, request.signal, limit.signal);
    };
    async function* body(): AsyncGenerator<Uint8Array> {
      // The limit counts execution, not a slow reader: it stands still while the reader has not come back for more.
      let left = at.leftMillis;
      const iterator = stream[Symbol.asyncIterator]();
      try {
        for (;;) {
          const since = performance.now();
          const timer = setTimeout(() => limit.abort(), Math.max(left, 0));
          const next = await iterator.next().finally(() => clearTimeout(timer));
          left -= performance.now() - since;
          if (next.done === true) return;
          yield next.value;
        }
      } catch (thrown) {
        const timer = setTimeout(() => limit.abort(), Math.max(left, 0));
        throw await toPublic(thrown).finally(() => clearTimeout(timer));
      } finally {
        await iterator.return?.().catch(() => undefined); // what failed is thrown already, or nobody reads any more
        // What a statement over the rows of tables was prepared for is gone with them.
        if (query.tables.size > 0) lease.dropSession();
        await lease.release();
        await at.leave();
      }
    }
    return { body: body(), isTruncated: () => stream.progress().isTruncated, size: () => file?.size(), progress: stream.progress };
  }

  /** The query over the rows of its tables as they are now. Reading them out counts as execution. */
  async #openTables(
    query: CompiledQuery,
    { signal, limit }: Pick<Statement, 'signal' | 'limit'>,
  ): Promise<{ readonly query: CompiledQuery; readonly close: () => Promise<void> }> {
    const { tables, runnable } = query;
    if (tables.size === 0 || runnable === null) return { query, close: async () => undefined };
    const { openTables, timeoutMillis } = this.#options;
    if (openTables === undefined) throw new Error('nobody said how tables are read');
    const timer = setTimeout(() => limit.abort(), timeoutMillis);
    try {
      const { scans, bytes, close } = await openTables({ plan: runnable.plan, tables, signal });
      return { query: { ...query, runnable: runnable.over(scans), isSmall: query.isSmall && bytes <= SMALL_BYTES }, close };
    } catch (thrown) {
      throw signal.aborted ? new EngineFailure('interrupted', 'the query was cancelled', { cause: thrown }) : thrown;
    } finally {
      clearTimeout(timer);
    }
  }

  #print(query: CompiledQuery, request: QueryRequest): PrintedRows {
    if (query.runnable === null) throw new Error('a query that is run has a plan');
    const key = `${request.format} ${request.lineEnding}`;
    const known = this.#printed.get(query) ?? new Map<string, PrintedRows>();
    this.#printed.set(query, known);
    const { lowered } = query.runnable;
    const printed =
      known.get(key) ??
      printRows({
        relationSql: lowered.sql,
        layout: lowered.layout,
        isCollection: lowered.isCollection,
        mostRows: lowered.mostRows,
        format: isTextFormat(request.format) ? request.format : FAILURE_FORMAT,
        lineEnding: request.lineEnding,
      });
    known.set(key, printed);
    return printed;
  }

  async #compile(request: Asking & Pick<CompileRequest, 'text' | 'arguments' | 'onPlanned'>): Promise<CompiledQuery> {
    const { caller, text } = request;
    const key = JSON.stringify([
      caller.namespace,
      request.arguments === null ? null : [...request.arguments].toSorted(([a], [b]) => (a < b ? -1 : 1)),
      text,
    ]);
    const known = this.#compiled.get(key);
    if (known !== undefined && (await this.#isCurrent(known, caller))) return known;
    return this.#inWorld(request, async (world) => {
      const compiled = await compile({ ...world, text, arguments: request.arguments, onPlanned: request.onPlanned });
      this.#compiled.set(key, compiled);
      if (compiled.runnable !== null) this.#options.onCompiled?.({ plan: compiled.runnable.plan, sql: compiled.runnable.lowered.sql });
      return compiled;
    });
  }

  /** Runs a check for a caller; an engine that it leases, where it was given none, has its place among the queries, and is given back. */
  async #inWorld<Found>(request: Asking, check: (world: CheckWorld) => Promise<Found>): Promise<Found> {
    const { signal, caller } = request;
    const { sources, catalog = null } = this.#options;
    if (request.lease !== undefined) return check({ sources, catalog, namespace: caller.namespace, lease: request.lease, signal });
    const limit = new AbortController();
    const limited = AbortSignal.any([signal, limit.signal]);
    const timer = setTimeout(() => limit.abort(), this.#options.timeoutMillis);
    const place = this.#place(caller, limited);
    try {
      return await check({ sources, catalog, namespace: caller.namespace, lease: place.lease, signal: limited });
    } catch (thrown) {
      throw this.#toPublic(thrown, signal, limit.signal);
    } finally {
      clearTimeout(timer);
      await place.release();
    }
  }

  /** A place and an engine for who may not need them. */
  #place({ subject }: Caller, signal: AbortSignal): { readonly lease: () => Promise<EngineLease>; readonly release: () => Promise<void> } {
    let leave: () => void = () => undefined;
    let lease: EngineLease | null = null;
    return {
      lease: async () => {
        if (lease !== null) return lease;
        leave = await this.#options.admission.enter(subject, signal);
        return (lease = await this.#options.engine.lease(signal));
      },
      release: async () => {
        await lease?.release();
        leave();
      },
    };
  }

  /** Whether what was found of sources and of the namespace is still so. A query that names nothing asks nobody. */
  async #isCurrent(found: Pick<CompiledQuery, 'sources' | 'catalogVersion'>, { namespace }: Caller): Promise<boolean> {
    const { sources, catalog } = this.#options;
    const [version, ...identities] = await Promise.all([
      found.catalogVersion === null ? null : catalog?.version(namespace),
      ...found.sources.map((used) => sources.identify(used)),
    ]);
    return version === found.catalogVersion && found.sources.every((used, i) => used.identity === identities[i]);
  }

  #toPublic(thrown: unknown, client: AbortSignal, limit: AbortSignal): unknown {
    if (thrown instanceof ResultTooLarge)
      return new ServiceError('result_too_large', `The result does not fit in ${thrown.maxBytes} bytes.`);
    if (!isEngineFailure(thrown) || thrown.failureClass === 'internal') return thrown;
    if (thrown.failureClass !== 'interrupted') return failedQuery({ message: thrown.message, positions: [] }, { cause: thrown });
    if (limit.aborted) return new ServiceError('query_timeout', `${this.#options.timeoutMillis} ms`);
    return client.aborted ? thrown : serviceUnavailable('The service is stopping.');
  }
}

/** Who asks for a check, until when, and with which engine if there is one. */
interface Asking {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly lease?: () => Promise<EngineLease>;
}

/** Throws what keeps the format from holding the result. */
function refuseUnprintable({ type, runnable, source }: CompiledQuery, format: ResultFormatName): void {
  const unsupported = unsupportedPart(format, type);
  if (unsupported === null || runnable === null) return;
  throw invalidQuery([{ message: unsupportedMessage(format, unsupported), positions: [source.positionOf(runnable.plan.span)] }]);
}

interface Statement {
  readonly query: CompiledQuery;
  readonly printed: PrintedRows;
  readonly lease: EngineLease;
  readonly signal: AbortSignal;
  readonly limit: AbortController;
  /** What is left of the time that a query may run. */
  readonly leftMillis: number;
  readonly request: QueryRequest;
  readonly leave: () => Promise<void>;
}

/** Why a stream broke off: the same statement again, with all its rows looked at and none kept. */
async function explainBreak(
  lease: EngineLease,
  printed: PrintedRows,
  parameters: readonly (string | null)[],
  signal: AbortSignal,
): Promise<EngineFailure> {
  try {
    await runStatement(lease, { sql: `SELECT max(strlen(line)) FROM (\n${printed.sql}\n) AS again`, parameters, signal });
  } catch (thrown) {
    if (isEngineFailure(thrown)) return thrown;
    throw thrown;
  }
  throw new Error('the statement failed once, and not again');
}

/** The rows of a file are printed so, to look for the reason of a failure. */
const FAILURE_FORMAT = 'hjson';

function unsupportedMessage(format: ResultFormatName, { field, type, mostFields }: UnsupportedPart): string {
  const { name } = RESULT_FORMATS[format];
  if (mostFields !== undefined) return `${name} cannot hold more than ${mostFields} fields: use another format, or select fewer`;
  const what = field === null ? printType(type) : `the field ${field} of type ${printType(type)}`;
  return `${name} cannot hold ${what}: use hjson or json, or select fields of simple types`;
}
