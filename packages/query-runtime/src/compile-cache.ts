import type { CatalogReader } from '@svc/catalog';
import { firstAborted, type EngineLease, type EnginePool } from '@svc/query-engine';
import type { Plan } from '@svc/query-language';
import type { Sources } from '@svc/sources';
import { LRUCache } from 'lru-cache';

import type { Admission } from './admission.ts';
import type { Caller } from './caller.ts';
import type { CheckedPackage, CheckedText, NamedText } from './check-stored.ts';
import { checkPackageText, checkViewText } from './check-stored.ts';
import type { CompileRequest, CompiledQuery } from './compile.ts';
import { compile } from './compile.ts';
import type { CheckWorld } from './complete-check.ts';
import { toPublicFailure } from './public-failure.ts';

/** What checks stand on. */
export interface CompileCacheOptions {
  readonly engine: EnginePool;
  readonly sources: Sources;
  /** What is stored by name; without it nothing is. */
  readonly catalog?: CatalogReader;
  readonly admission: Admission;
  /** Limit of a check, and of a query's execution. */
  readonly timeoutMillis: number;
  /** Told of each query that was compiled and can be run: for the log. */
  readonly onCompiled?: (compiled: { readonly plan: Plan; readonly sql: string }) => void;
  /** How many compiled queries are remembered. */
  readonly cacheSize?: number;
}

/** Who asks for a check, until when, and with which engine if there is one. */
export interface Asking {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly lease?: () => Promise<EngineLease>;
}

const MOST_QUERIES = 2000;
const MOST_SIZE = 64_000_000;
const MOST_PACKAGES = 200;

/** Compiles queries and checks what is stored. What was found is used again only while its sources and its namespace are what they were. */
export class CompileCache {
  readonly #options: CompileCacheOptions;
  /** By namespace, text and arguments. */
  readonly #compiled: LRUCache<string, CompiledQuery>;
  /** By namespace, name and text. */
  readonly #packages = new LRUCache<string, CheckedPackage>({ max: MOST_PACKAGES });

  constructor(options: CompileCacheOptions) {
    this.#options = options;
    this.#compiled = new LRUCache({
      max: options.cacheSize ?? MOST_QUERIES,
      maxSize: MOST_SIZE,
      sizeCalculation: (query, key) => key.length + query.source.text.length * 20 + 1000,
    });
  }

  /** Throws a QueryFailure with all that is wrong with the query. */
  async compileQuery(request: Asking & Pick<CompileRequest, 'text' | 'arguments' | 'onPlanned'>): Promise<CompiledQuery> {
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

  /** Throws a QueryFailure with all that is wrong with the view. */
  async checkView(asking: Asking, view: NamedText): Promise<CheckedText> {
    return this.#inWorld(asking, (world) => checkViewText(view, world));
  }

  /** Throws a QueryFailure with all that is wrong with the package. */
  async checkPackage(asking: Asking, code: NamedText): Promise<CheckedPackage> {
    const key = JSON.stringify([asking.caller.namespace, code.name, code.text]);
    const known = this.#packages.get(key);
    if (known !== undefined && (await this.#isCurrent(known, asking.caller))) return known;
    const checked = await this.#inWorld(asking, (world) => checkPackageText(code, world));
    this.#packages.set(key, checked);
    return checked;
  }

  /** Runs a check for a caller; an engine that it leases, where it was given none, has its place among the queries, and is given back. */
  async #inWorld<Found>(request: Asking, check: (world: CheckWorld) => Promise<Found>): Promise<Found> {
    const { signal, caller } = request;
    const { sources, catalog = null, timeoutMillis } = this.#options;
    const world = { sources, catalog, namespace: caller.namespace };
    if (request.lease !== undefined) return check({ ...world, lease: request.lease, signal });
    const limit = new AbortController();
    const limited = firstAborted(signal, limit.signal);
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
}
