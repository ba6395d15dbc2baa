import { anyAborted } from '@svc/concurrency';
import type { CatalogReader } from '@svc/catalog';
import type { EngineLease, EnginePool } from '@svc/query-engine';
import type { Plan } from '@svc/query-language';
import type { QueryReading, ResolvedRead, Sources } from '@svc/sources';
import { LRUCache } from 'lru-cache';

import type { Admission } from './admission.ts';
import type { Caller } from './caller.ts';
import type { CheckedPackage, CheckedText, NamedText } from './check-stored.ts';
import { checkPackageText, checkViewText } from './check-stored.ts';
import type { Relower } from './compile-job.ts';
import { unpackQuery, unpackStatement } from './compile-job.ts';
import { CompileThread } from './compile-thread.ts';
import type { CompileRequest, CompiledQuery } from './compile.ts';
import { compile } from './compile.ts';
import { weightOfPackage, weightOfQuery } from './compiled-weight.ts';
import type { CheckWorld } from './complete-check.ts';
import { toPublicFailure } from './public-failure.ts';
import { limitTexts, TextsTooLong, type OnText } from './text-limit.ts';

/** Dependencies of checks. */
export interface CompileCacheOptions {
  readonly engine: EnginePool;
  readonly sources: Sources;
  /** Reads stored names; without it there are none. */
  readonly catalog?: CatalogReader;
  readonly admission: Admission;
  /** Limit of a check, and of a query's execution. */
  readonly timeoutMillis: number;
  /** Called for each compiled query that can be run: for the log. */
  readonly onCompiled?: (compiled: { readonly query: CompiledQuery; readonly plan: Plan; readonly sql: string }) => void;
  /** Maximum number of cached queries. */
  readonly cacheSize?: number;
}

/** Caller of a check, its limit, and its engine if there is one. */
export interface Asking {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly lease?: () => Promise<EngineLease>;
  /** Sources of the query, if it continues after the check. */
  readonly reading?: QueryReading;
}

type AskingToRead = Asking & { readonly reading: QueryReading };

/** Entries that are valid only while their sources and namespace are unchanged. */
type Remembered = Pick<CompiledQuery, 'sources' | 'catalogVersion'>;

type QueryText = Pick<CompileRequest, 'text' | 'arguments' | 'onPlanned'>;

/** Some 250 lines, compiled in 20 to 30 ms. Starting a thread takes longer. */
const MOST_CHARACTERS_HERE = 10_000;
const MOST_QUERIES = 2000;
const MOST_SIZE = 64_000_000;
const MOST_PACKAGES = 200;

/** Compiles queries and checks stored texts. Results are cached, and reused only while their sources and namespace are unchanged. */
export class CompileCache {
  readonly #options: CompileCacheOptions;
  /** By namespace, text and arguments; results that used a credential also by subject. */
  readonly #compiled: LRUCache<string, CompiledQuery>;
  /** By namespace, name and text, and by subject like queries. */
  readonly #packages = new LRUCache<string, CheckedPackage>({
    max: MOST_PACKAGES,
    maxSize: MOST_SIZE,
    sizeCalculation: weightOfPackage,
  });

  readonly #thread = new CompileThread();

  constructor(options: CompileCacheOptions) {
    this.#options = options;
    this.#compiled = new LRUCache<string, CompiledQuery>({
      max: options.cacheSize ?? MOST_QUERIES,
      maxSize: MOST_SIZE,
      sizeCalculation: weightOfQuery,
    });
  }

  /** Ends the thread for large programs. */
  async close(): Promise<void> {
    await this.#thread.close();
  }

  /** Throws a QueryFailure with all that is wrong with the query. */
  async compileQuery(request: Asking & QueryText): Promise<CompiledQuery> {
    const { text } = request;
    const given = request.arguments === null ? null : [...request.arguments].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return this.#inReading(request, async (asking) => {
      const { found: known, keep } = await this.#current(this.#compiled, [given, text], asking);
      if (known !== null) return known;
      const compiled = await this.#inWorld(asking, (world) => this.#compile({ ...request, ...asking }, world));
      keep(compiled);
      const { runnable } = compiled;
      if (runnable !== null)
        this.#options.onCompiled?.({
          query: compiled,
          // Deserialized lazily for a large program.
          get plan() {
            return runnable.plan;
          },
          sql: runnable.lowered.sql,
        });
      return compiled;
    });
  }

  /** Throws a QueryFailure with all that is wrong with the view. */
  async checkView(asking: Asking, view: NamedText): Promise<CheckedText> {
    return this.#inReading(asking, (reading) =>
      this.#inWorld(reading, (world) =>
        this.#here(
          (onText) => checkViewText(view, { ...world, onText }),
          () => this.#thread.run({ kind: 'view', name: view.name, text: view.text }, { world, subject: asking.caller.subject }),
        ),
      ),
    );
  }

  /** Throws a QueryFailure with all that is wrong with the package. */
  async checkPackage(asking: Asking, code: NamedText): Promise<CheckedPackage> {
    return this.#inReading(asking, async (reading) => {
      const { found: known, keep } = await this.#current(this.#packages, [code.name, code.text], reading);
      if (known !== null) return known;
      const checked = await this.#inWorld(reading, (world) =>
        this.#here(
          (onText) => checkPackageText(code, { ...world, onText }),
          () => this.#thread.run({ kind: 'package', name: code.name, text: code.text }, { world, subject: asking.caller.subject }),
        ),
      );
      keep(checked);
      return checked;
    });
  }

  async #compile({ caller, text, ...request }: AskingToRead & QueryText, world: CheckWorld): Promise<CompiledQuery> {
    const query = { text, arguments: request.arguments };
    return this.#here(
      (onText) => compile({ ...world, ...query, onText, onPlanned: request.onPlanned }),
      async () => {
        const reads = new Map<string, ResolvedRead>();
        const onRead = (key: string, read: ResolvedRead): void => void reads.set(key, read);
        const packed = await this.#thread.run({ kind: 'query', ...query }, { world, subject: caller.subject, onRead });
        request.onPlanned?.(packed.lowerMillis);
        return unpackQuery(packed, { text, reads, relower: (plan) => this.#relower({ caller, text, plan, reads }) });
      },
    );
  }

  /** A program that is long with all that it names would block the event loop, and is compiled in a thread. */
  async #here<Result>(here: (onText: OnText) => Promise<Result>, there: () => Promise<Result>): Promise<Result> {
    try {
      return await here(limitTexts(MOST_CHARACTERS_HERE));
    } catch (thrown) {
      if (thrown instanceof TextsTooLong) return there();
      throw thrown;
    }
  }

  /** Lowers a query again where it was compiled. */
  #relower(of: { caller: Caller; text: string; plan: Uint8Array; reads: ReadonlyMap<string, ResolvedRead> }): Relower {
    const { caller, text, plan, reads } = of;
    const readers = new Map([...reads].map(([key, { reader }]) => [key, reader]));
    return async ({ scans, readers: ofRun, hasErrorPositions }) => {
      const signal = AbortSignal.timeout(this.#options.timeoutMillis);
      const reading = this.#options.sources.beginReading(caller.subject); // and nothing is read in it
      const world = { ...this.#worldOf(caller), reading, lease: noLease, signal };
      const job = { kind: 'statement', text, plan, readers: new Map([...readers, ...ofRun]), scans, hasErrorPositions } as const;
      return unpackStatement(await this.#thread.run(job, { world, subject: caller.subject }));
    };
  }

  #worldOf({ namespace }: Caller): Pick<CheckWorld, 'sources' | 'catalog' | 'namespace'> {
    const { sources, catalog = null } = this.#options;
    return { sources, catalog, namespace };
  }

  /** Runs a check for a caller. If no engine is given, the check queues as a query for one and releases it afterwards. */
  async #inWorld<Found>(request: AskingToRead, check: (world: CheckWorld) => Promise<Found>): Promise<Found> {
    const { signal, caller, reading } = request;
    const { timeoutMillis } = this.#options;
    const world = { ...this.#worldOf(caller), reading };
    if (request.lease !== undefined) return check({ ...world, lease: request.lease, signal });
    const limit = new AbortController();
    const limited = anyAborted(signal, limit.signal);
    const timer = setTimeout(() => limit.abort(), timeoutMillis);
    const place = this.#place(caller, limited);
    try {
      return await check({ ...world, lease: place.lease, signal: limited });
    } catch (thrown) {
      throw toPublicFailure(thrown, { client: signal, limit: limit.signal, timeoutMillis });
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
        if (lease?.isBroken === false) return lease;
        if (lease === null) leave = await this.#options.admission.enter(subject, signal);
        else await lease.release(); // a damaged file has broken it
        return (lease = await this.#options.engine.lease(signal));
      },
      release: async () => {
        await lease?.release();
        leave();
      },
    };
  }

  /** Releases what was fetched for a check after it, unless a query continues with it. */
  async #inReading<Found>(asking: Asking, check: (asking: AskingToRead) => Promise<Found>): Promise<Found> {
    if (asking.reading !== undefined) return check({ ...asking, reading: asking.reading });
    const reading = this.#options.sources.beginReading(asking.caller.subject);
    try {
      return await check({ ...asking, reading });
    } finally {
      reading.close();
    }
  }

  /** Returns a valid cache entry of a text; else the function that adds one. */
  async #current<Found extends Remembered>(
    cache: LRUCache<string, Found>,
    key: readonly unknown[],
    asking: AskingToRead,
  ): Promise<{ readonly found: Found | null; readonly keep: (found: Found) => void }> {
    const { namespace, subject } = asking.caller;
    const common = JSON.stringify([namespace, ...key]);
    const personal = JSON.stringify([namespace, ...key, { subject }]);
    for (const known of [cache.get(personal), cache.get(common)])
      if (known !== undefined && (await this.#isCurrent(known, asking))) return { found: known, keep: () => undefined };
    return { found: null, keep: (found) => void cache.set(found.sources.some(({ isPersonal }) => isPersonal) ? personal : common, found) };
  }

  /** Returns whether an entry's sources and namespace are unchanged. A query without names needs no lookup. */
  async #isCurrent(found: Remembered, { caller: { namespace }, reading, signal }: AskingToRead): Promise<boolean> {
    const { sources, catalog } = this.#options;
    const [version, ...identities] = await Promise.all([
      found.catalogVersion === null ? null : catalog?.version(namespace),
      ...found.sources.map((used) => sources.identify(used, { reading, signal })),
    ]);
    return version === found.catalogVersion && found.sources.every((used, i) => used.identity === identities[i]);
  }
}

/** A resolved source is not resolved again. */
async function noLease(): Promise<never> {
  throw new Error('a plan that is lowered again lacks nothing');
}
