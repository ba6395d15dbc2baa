import { EngineFailure, isEngineFailure, readerSql, readsUnseenIntegers, seeWholeNumbers, verifyReader } from '@svc/query-engine';
import type { EngineLease, ReadPlan, Reader } from '@svc/query-engine';
import type { ReadNeed, Type } from '@svc/query-language';
import { assertNever } from '@svc/query-language';
import { LRUCache } from 'lru-cache';

import { describeRead, listFiles } from './listing/listing.ts';
import { parseLocation } from './locations/location.ts';
import { explainFailure } from './reading/explain-failure.ts';
import { holdAll } from './reading/hold-all.ts';
import { Misuse } from './reading/misuse.ts';
import { openRead } from './reading/open-read.ts';
import type { ReadTools } from './reading/read-request.ts';
import { whileHeld } from './reading/read-request.ts';
import type { Copy } from './spool/spool.ts';
import { Spool } from './spool/spool.ts';
import { SpoolLedger } from './spool/spool-ledger.ts';
import type { FoundFile } from './transports/find-files.ts';
import { FileFinder } from './transports/find-files.ts';
import { TooManyFiles } from './transports/walk-pattern.ts';

/** A READ that can be run: its type, and the relation that reads it. */
export interface ResolvedRead {
  readonly type: Type;
  readonly reader: Reader;
  /** Changes when what the location names has changed. */
  readonly identity: string;
  /** Size of what is read, Infinity where it is compressed or must be copied. */
  readonly bytes: number;
  /** Makes what the reader reads, where it is not the source itself; it stays until the answer is called. */
  readonly hold: (signal: AbortSignal) => Promise<() => void>;
  /** A failure of the reader in words for the author of the query: with the file, and the place in it. */
  readonly explain: (failure: EngineFailure, lease: EngineLease, signal: AbortSignal) => Promise<EngineFailure | null>;
}

/** Why a READ cannot be run, in words for the author of the query. */
export interface UnreadableSource {
  readonly problem: string;
  /** Changes when what the location names has changed; null where there is nothing. */
  readonly identity: string | null;
  /** The query is at fault, whatever the source holds. */
  readonly isMisuse?: boolean;
}

/** What sources are opened with; the spool's room is its own or a ledger's. */
export type SourcesOptions = BaseOptions & ({ readonly spoolMegabytes: number } | { readonly ledger: SpoolLedger });

interface BaseOptions {
  /** Folders that `file:` may read. */
  readonly fileRoots: readonly string[];
  /** An existing folder that the engine may read: for what it can only read a copy of. */
  readonly spoolDirectory: string;
  /** How many inferred types are remembered. */
  readonly cacheSize?: number;
}

/** Opens locations: finds out format and type, and how the engine reads them. */
export class Sources {
  readonly #finder: FileFinder;
  readonly #spool: Spool;
  /** By need and the identity of all files: a file that has changed is looked at anew. */
  readonly #known: LRUCache<string, ResolvedRead | UnreadableSource>;
  /** By identity, how often files have been read of which more could be known. */
  readonly #readings = new LRUCache<string, number>({ max: 1000 });

  constructor(options: SourcesOptions) {
    this.#finder = new FileFinder(options.fileRoots);
    this.#spool = new Spool({
      directory: options.spoolDirectory,
      ledger: 'ledger' in options ? options.ledger : new SpoolLedger({ megabytes: options.spoolMegabytes }),
    });
    this.#known = new LRUCache({ max: options.cacheSize ?? 1000 });
  }

  /** What a READ reads. `lease` gives an engine to look at the data with; it is asked for only where nothing is known. */
  async resolve(need: ReadNeed, lease: () => Promise<EngineLease>, signal: AbortSignal): Promise<ResolvedRead | UnreadableSource> {
    try {
      if (need.function === 'LS' || need.function === 'LL') return await this.#list(need.function, need.location, signal);
      const found = await this.#finder.files(pathOf(need.location), signal);
      if (found.length === 0) return { problem: `path not found: ${need.location}`, identity: null };
      const identity = this.#identityOf(found);
      const key = `${need.key}\n${identity}`;
      const known = this.#known.get(key);
      if (known !== undefined) return known;
      const tools = { spool: this.#spool, lease, signal };
      const isReadOften = this.#isReadOften(found);
      const onReading = (): void => void this.#readings.set(identity, (this.#readings.get(identity) ?? 0) + 1);
      const resolved = await resolveFiles(need, found, { tools, identity, isReadOften, onReading }).catch((thrown: unknown) =>
        asProblem(thrown, { need, identity, found }),
      );
      this.#known.set(key, resolved);
      return resolved;
    } catch (thrown) {
      return asProblem(thrown, { need, identity: null, found: [] });
    }
  }

  /** The identity of what a location names now; null where it cannot be read. */
  async identify(need: Pick<ReadNeed, 'function' | 'location'>): Promise<string | null> {
    try {
      const path = pathOf(need.location);
      if (need.function === 'LS' || need.function === 'LL') return identityOf((await this.#finder.entries(path)) ?? []);
      const found = await this.#finder.files(path);
      return found.length === 0 ? null : this.#identityOf(found);
    } catch (thrown) {
      if (thrown instanceof Misuse || thrown instanceof TooManyFiles) return null;
      throw thrown;
    }
  }

  /** Files that are read often are looked at anew, once, and thoroughly. */
  #identityOf(found: readonly FoundFile[]): string {
    return identityOf(found) + (this.#isReadOften(found) ? '\nread often' : '');
  }

  #isReadOften(found: readonly FoundFile[]): boolean {
    const size = found.reduce((sum, file) => sum + file.size, 0);
    return size <= MAX_SEEN_BYTES && (this.#readings.get(identityOf(found)) ?? 0) >= READINGS_BEFORE_SEEING;
  }

  async #list(functionName: 'LS' | 'LL', location: string, signal: AbortSignal): Promise<ResolvedRead | UnreadableSource> {
    const entries = await this.#finder.entries(pathOf(location), signal);
    if (entries === null) return { problem: `path not found: ${location}`, identity: null };
    return {
      ...listFiles(functionName, entries),
      identity: identityOf(entries),
      bytes: entries.length * 100,
      hold: holdNothing,
      explain: async () => null,
    };
  }
}

/** Reading all of a file to know it pays where it is read some times more. */
const READINGS_BEFORE_SEEING = 2;
const MAX_SEEN_BYTES = 2 ** 31;

async function holdNothing(): Promise<() => void> {
  return () => undefined;
}

function pathOf(text: string): string {
  const location = parseLocation(text);
  switch (location.kind) {
    case 'unknown':
      throw new Misuse(`'${text}' is not a location: expected one such as file:folder/name.csv`);
    case 'not-built':
      throw new Misuse(`not supported yet: locations of ${location.scheme}:`);
    case 'file':
      return location.path;
    default:
      return assertNever(location);
  }
}

function identityOf(files: readonly Pick<FoundFile, 'identity'>[]): string {
  return files.map((file) => file.identity).join('\n');
}

interface Resolving {
  readonly tools: ReadTools;
  readonly identity: string;
  readonly isReadOften: boolean;
  /** Told of each reading for which it would help to know the files better. */
  readonly onReading: () => void;
}

async function resolveFiles(need: ReadNeed, found: readonly FoundFile[], resolving: Resolving): Promise<ResolvedRead> {
  const { tools, identity, isReadOften, onReading } = resolving;
  const opened = await openRead(need, found, tools);
  const inferred = opened.inferred.plan;
  const plan = isReadOften ? await seen(inferred, opened.copies, tools) : inferred;
  const couldBeFaster = !isReadOften && readsUnseenIntegers(plan);
  if (need.function === 'DESCRIBE') return { ...describeRead(opened), identity, bytes: 0, hold: holdNothing, explain: async () => null };
  const type = typeOfRead(need, opened.inferred.type);
  const isPlain = opened.copies.length === 0 && plan.compression === null;
  const read: ResolvedRead = {
    type,
    reader: inOrderOf(type, readerSql(plan, null)),
    identity,
    bytes: isPlain ? found.reduce((sum, file) => sum + file.size, 0) : Infinity,
    hold: (signal) => {
      if (couldBeFaster) onReading();
      return holdAll(opened.copies, async (copy) => tools.spool.hold(copy, signal)).catch((thrown: unknown) => {
        throw isEngineFailure(thrown) ? located(thrown, found) : thrown;
      });
    },
    explain: (failure, lease, signal) => explainFailure(failure, plan, { lease, signal }),
  };
  // Whether a TRY_READ fails must be known when its type is: all of the data is read once.
  if (need.isTry) await whileHeld(opened.copies, tools, async () => verifyReader(await tools.lease(), read.reader, tools.signal));
  return read;
}

function located(failure: EngineFailure, found: readonly FoundFile[]): EngineFailure {
  const location = locationOf(failure, found);
  return location === null ? failure : new EngineFailure(failure.failureClass, `${location}: ${failure.message}`, { cause: failure });
}

async function seen(plan: ReadPlan, copies: readonly Copy[], tools: ReadTools): Promise<ReadPlan> {
  if (!readsUnseenIntegers(plan)) return plan;
  return whileHeld(copies, tools, async () => seeWholeNumbers(await tools.lease(), plan, tools.signal));
}

/** The fields in the order of a told type, wherever their values come from. */
function inOrderOf(type: Type, reader: Reader): Reader {
  const row = type.kind === 'CollectionType' ? type.element : type;
  const { layout } = reader;
  if (layout.kind !== 'columns' || row.kind !== 'RecordType') return reader;
  const columns = row.fields.flatMap((field) => layout.columns.find((column) => column.field.name === field.name) ?? []);
  return { ...reader, layout: { kind: 'columns', columns } };
}

/** A told type, with the file's name where that was asked for besides. */
function typeOfRead({ asType, options }: ReadNeed, found: Type): Type {
  if (asType === null || options['file_name'] !== true) return asType ?? found;
  const row = asType.kind === 'CollectionType' ? asType.element : asType;
  const foundRow = found.kind === 'CollectionType' ? found.element : found;
  if (row.kind !== 'RecordType' || foundRow.kind !== 'RecordType') return found;
  const added = foundRow.fields.filter((field) => !row.fields.some((told) => told.name === field.name));
  const all: Type = { ...row, fields: [...row.fields, ...added] };
  return asType.kind === 'CollectionType' ? { ...asType, element: all } : all;
}

/** Bad data and what cannot be opened is the caller's to know; what only we can cause goes on. */
function asProblem(thrown: unknown, at: Problem): UnreadableSource {
  const { identity, need, found } = at;
  if (thrown instanceof Misuse) return { problem: thrown.message, identity, isMisuse: true };
  if (thrown instanceof TooManyFiles) return { problem: `${need.location}: ${thrown.message}`, identity };
  if (isEngineFailure(thrown) && !['internal', 'interrupted', 'out-of-memory', 'spool-full'].includes(thrown.failureClass))
    return { problem: `${locationOf(thrown, found) ?? need.location}: ${thrown.message}`, identity };
  throw thrown;
}

interface Problem {
  readonly need: ReadNeed;
  readonly identity: string | null;
  readonly found: readonly FoundFile[];
}

/** The file that a failure is of, as the caller would write it. */
function locationOf({ sourcePath }: EngineFailure, found: readonly FoundFile[]): string | null {
  return found.find((file) => file.path === sourcePath)?.location ?? null;
}
