import { createHash } from 'node:crypto';

import { mapInTurns } from '@svc/concurrency';
import type { EngineLease } from '@svc/query-engine';
import type { ReadNeed } from '@svc/query-language';
import { LRUCache } from 'lru-cache';
import type { NetworkGuard } from '@svc/network-guard';

import { NO_CREDENTIALS, type CredentialLookup } from './credentials/credential-lookup.ts';
import { DecodeThreads } from './decoders/threads/decode-threads.ts';
import { listInRuns, readInRuns } from './listing/list-in-runs.ts';
import { listFiles } from './listing/listing.ts';
import { parseLocation, type Location } from './locations/location.ts';
import { Misuse } from './reading/misuse.ts';
import { isFailure, problemOf } from './reading/problem-of.ts';
import { QueryReading } from './reading/query-reading.ts';
import { holdNothing, resolveObjects } from './reading/resolve-objects.ts';
import { asFiles } from './reading/take-samples.ts';
import type { ResolvedRead, UnreadableSource } from './resolved-read.ts';
import { Spool } from './spool/spool.ts';
import { SpoolLedger } from './spool/spool-ledger.ts';
import type { HttpLimits } from './transports/http/http-client.ts';
import type { S3Limits } from './transports/s3/s3-clients.ts';
import { publishStep, schemeOf } from './source-steps.ts';
import { createTransports, type Endpoints, type Transports } from './transports/create-transports.ts';
import { TooManyFiles } from './transports/walk-pattern.ts';
import { SourceFailure } from './transports/source-failure.ts';
import type { Asking, FoundEntry, FoundObject, ObjectTransport, RowTransport } from './transports/transport.ts';

/** Options of sources; the spool has its own limit or shares a ledger. */
export type SourcesOptions = BaseOptions & ({ readonly spoolMegabytes: number } | { readonly ledger: SpoolLedger });

interface BaseOptions {
  /** Folders that `file:` may read. */
  readonly fileRoots: readonly string[];
  /** An existing folder that the engine may read: for copies of sources that it cannot read itself. */
  readonly spoolDirectory: string;
  /** Credentials of callers; without it there are none. */
  readonly credentials?: CredentialLookup;
  /** The way to other systems; without it only files are read. */
  readonly networkGuard?: NetworkGuard;
  readonly endpoints?: Endpoints;
  /** Other than the usual ones. */
  readonly httpLimits?: Partial<HttpLimits>;
  readonly s3Limits?: Partial<S3Limits>;
  /** Limit of each statement on a database server, which ends it if this process cannot. */
  readonly statementTimeoutMs?: number;
  /** Maximum of the heaps of all threads that decode files. Default 2048. */
  readonly decodeMegabytes?: number;
  /** Maximum number of cached types. */
  readonly cacheSize?: number;
}

/** Caller of a resolution, its engine, and its limit. */
export interface SourceAsking {
  readonly reading: QueryReading;
  /** Leases an engine; called only on a cache miss. */
  readonly lease: () => Promise<EngineLease>;
  readonly signal: AbortSignal;
}

/** A read as its identity depends on it. */
export type IdentifiedNeed = Pick<ReadNeed, 'function' | 'location' | 'options'>;

/** A location with its transport. */
interface Way {
  readonly location: Location;
  readonly transport: ObjectTransport<Location> | RowTransport<Location>;
}

/** Opens locations: finds out format and type, and how the engine reads them. */
export class Sources {
  readonly #spool: Spool;
  readonly #threads: DecodeThreads;
  readonly #transports: Transports & { readonly close: () => Promise<void> };
  /** By need and the identity of all objects, which includes the permitted callers: a changed object is inspected again. */
  readonly #known: LRUCache<string, ResolvedRead | UnreadableSource>;

  constructor(options: SourcesOptions) {
    this.#spool = new Spool({
      directory: options.spoolDirectory,
      ledger: 'ledger' in options ? options.ledger : new SpoolLedger({ megabytes: options.spoolMegabytes }),
    });
    this.#threads = new DecodeThreads(options.decodeMegabytes ?? DECODE_MEGABYTES);
    this.#transports = createTransports({
      fileRoots: options.fileRoots,
      spool: this.#spool,
      credentials: options.credentials ?? NO_CREDENTIALS,
      networkGuard: options.networkGuard ?? null,
      endpoints: options.endpoints ?? {},
      httpLimits: options.httpLimits,
      s3Limits: options.s3Limits,
      statementTimeoutMs: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
    });
    this.#known = new LRUCache({
      max: options.cacheSize ?? 1000,
      maxSize: MOST_SIZE,
    });
  }

  /** Creates the reading of one query of a caller; closed when the query is over. */
  beginReading(subject: string): QueryReading {
    return new QueryReading(subject);
  }

  /** Closes idle connections, and aborts decoding. */
  async close(): Promise<void> {
    await Promise.all([this.#transports.close(), this.#threads.close()]);
  }

  /** Resolves the source of a READ. */
  async resolve(need: ReadNeed, asking: SourceAsking): Promise<ResolvedRead | UnreadableSource> {
    return publishStep({ step: 'resolve', scheme: schemeOf(need.location) }, () => this.#resolve(need, asking));
  }

  async #resolve(need: ReadNeed, { reading, lease, signal }: SourceAsking): Promise<ResolvedRead | UnreadableSource> {
    try {
      const { location, transport } = this.#wayTo(need);
      const asking: Asking = { reading, options: need.options, signal };
      if (isListing(need)) return await this.#list(need, { location, transport }, asking);
      if (transport.kind === 'rows') return await transport.resolve(need, location, { ...asking, spool: this.#spool, lease });
      const found = await find(need, () => transport.find(location, asking), reading);
      if (found.length === 0) return { problem: await whyNothing(need.location, { location, transport }, asking), identity: null };
      return await this.#resolveObjects(need, found, { reading, lease, signal });
    } catch (thrown) {
      return problemOf(thrown, { need, identity: null, isPersonal: false, found: [] });
    }
  }

  /** Returns the current identity of a location; null if it cannot be read. */
  async identify(need: IdentifiedNeed, asking: Omit<SourceAsking, 'lease'>): Promise<string | null> {
    return publishStep({ step: 'identify', scheme: schemeOf(need.location) }, () => this.#identify(need, asking));
  }

  async #identify(need: IdentifiedNeed, { reading, signal }: Omit<SourceAsking, 'lease'>): Promise<string | null> {
    try {
      const { location, transport } = this.#wayTo(need);
      const asking: Asking = { reading, options: need.options, signal };
      if (isListing(need)) {
        const { list } = transport;
        return typeof list === 'function' ? await identityOf((await list(location, asking)) ?? []) : await list.identify(location, asking);
      }
      if (transport.kind === 'rows') return await transport.identify(need, location, asking);
      const found = await find(need, () => transport.find(location, asking), reading);
      const identity = await identityOf(found);
      return found.length === 0 ? null : identity;
    } catch (thrown) {
      if (thrown instanceof Misuse || thrown instanceof TooManyFiles || thrown instanceof SourceFailure) return null;
      throw thrown;
    }
  }

  async #resolveObjects(need: ReadNeed, found: readonly FoundObject[], asking: SourceAsking): Promise<ResolvedRead | UnreadableSource> {
    const { reading, lease, signal } = asking;
    const identity = await identityOf(found);
    const key = `${need.key}\n${identity}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const size = key.length * 4 + found.length * FILE_SIZE;
    const isPersonal = found.some((object) => object.isPersonal);
    const tools = { spool: this.#spool, threads: this.#threads, lease, caller: reading.subject, signal };
    const resolving = { tools, reading, identity, isPersonal };
    try {
      const resolved = await resolveObjects(need, found, resolving);
      this.#known.set(key, resolved, { size });
      return resolved;
    } catch (thrown) {
      const files = isFailure(thrown) && thrown.sourcePath !== undefined ? await asFiles(found, this.#spool) : [];
      const problem = problemOf(thrown, { need, identity, isPersonal, found: files });
      // A temporary failure to fetch is not cached.
      if (!(thrown instanceof SourceFailure)) this.#known.set(key, problem, { size });
      return problem;
    }
  }

  #wayTo({ location: text, options }: IdentifiedNeed): Way {
    const location = parseLocation(text);
    if (location.kind === 'none') throw new Misuse(location.problem);
    const ofHttp = location.kind === 'http' ? undefined : Object.keys(options).find(isOfHttp);
    if (ofHttp !== undefined)
      throw new Misuse(`option ${ofHttp} has no meaning for ${location.kind}: locations, only for http: and https:`);
    const transport = this.#transports[location.kind];
    if (transport === undefined) throw new Misuse(`not supported yet: locations of ${location.kind}:`);
    return { location, transport: transport as Way['transport'] }; // a table by the kind of the location
  }

  async #list(
    need: ReadNeed & { readonly function: 'LS' | 'LL' },
    { location, transport }: Way,
    asking: Asking,
  ): Promise<ResolvedRead | UnreadableSource> {
    if (typeof transport.list !== 'function') return listInRuns(need, { list: transport.list, location, asking, spool: this.#spool });
    const entries = await transport.list(location, asking);
    if (entries === null) return { problem: `path not found: ${need.location}`, identity: null };
    const of = { identity: await identityOf(entries), isPersonal: location.kind !== 'file' };
    if (entries.length > MOST_IN_STATEMENT)
      return readInRuns(need, {
        ...of,
        spool: this.#spool,
        entries: (signal) => listAgain({ location, transport }, { ...asking, signal }),
      });
    return {
      ...listFiles(need.function, entries),
      ...of,
      bytes: entries.length * 100,
      hold: holdNothing,
      explain: async () => null,
    };
  }
}

/** Maximum of list entries that are written into the statement itself. */
const MOST_IN_STATEMENT = 1000;
const STATEMENT_TIMEOUT_MS = 300_000;
const DECODE_MEGABYTES = 2048;
/** Approximate size limit of the cache in bytes. */
const MOST_SIZE = 64_000_000;
/** Approximate size of what is kept of a file: its path, its location, and its part of the statement. */
const FILE_SIZE = 1000;
/** Maximum number of objects whose identity names each. */
const MOST_NAMED = 1000;

function isListing<Need extends { readonly function: string }>(need: Need): need is Need & { readonly function: 'LS' | 'LL' } {
  return need.function === 'LS' || need.function === 'LL';
}

/** Finds objects once per query, however often they are read. */
async function find(
  need: IdentifiedNeed,
  now: () => Promise<readonly FoundObject[]>,
  reading: QueryReading,
): Promise<readonly FoundObject[]> {
  const asked = Object.entries(need.options).filter(([name]) => isOfHttp(name));
  return reading.once(JSON.stringify([need.location, asked]), now);
}

/** Returns whether an option concerns the request rather than the reading. */
function isOfHttp(name: string): boolean {
  return name.startsWith('http_') || name === 'cache';
}

/** Describes a location at which there is no file: a local folder is often meant with the files in it. */
async function whyNothing(text: string, { location, transport }: Way, asking: Asking): Promise<string> {
  const entries = location.kind === 'file' && typeof transport.list === 'function' ? await transport.list(location, asking) : null;
  if (entries === null) return `path not found: ${text}`;
  return `${text} names a folder: ${/[:/]$/.test(text) ? text : `${text}/`}**/* names the files in it`;
}

async function* listAgain({ location, transport }: Way, asking: Asking): AsyncGenerator<FoundEntry> {
  if (typeof transport.list === 'function') yield* (await transport.list(location, asking)) ?? [];
}

/** Returns the identity of objects or of a list; that of many is hashed in turns. */
async function identityOf(found: readonly { readonly identity: string }[]): Promise<string> {
  if (found.length <= MOST_NAMED) return found.map(({ identity }) => identity).join('\n');
  const hash = createHash('sha256');
  await mapInTurns(found, ({ identity }) => void hash.update(`${identity}\n`));
  return hash.digest('hex');
}
