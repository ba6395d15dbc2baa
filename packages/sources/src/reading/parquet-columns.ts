import { duckType, parquetChunks } from '@svc/query-engine';
import type { EngineFailure, ParquetChunk, ParquetColumn, ParquetReadPlan, ReadFile, ReadPlan } from '@svc/query-engine';
import type { Type } from '@svc/query-language';

import type { RowNeeds } from '../resolved-read.ts';
import type { Copy } from '../spool/spool.ts';
import { readsExactly } from '../transports/read-exactly.ts';
import type { FoundObject } from '../transports/transport.ts';
import { holdAll } from './hold-all.ts';
import type { ReadTools } from './read-request.ts';
import type { SourceFile } from './source-file.ts';
import { footerOf, type RemoteObject } from './take-samples.ts';

/** Parquet objects elsewhere of which the columns that a run needs are fetched, and no others. */
export interface ParquetColumns {
  /** Fetches what the run needs. What was fetched stays in the spool as long as there is room, for runs that need the same. */
  readonly open: (needs: RowNeeds, signal: AbortSignal) => Promise<OpenedColumns>;
  /** The plan of the run that a failure is of; null where it is of none. */
  readonly planOf: (failure: EngineFailure) => ParquetReadPlan | null;
}

/** Columns on the disk, until they are closed. */
interface OpenedColumns {
  readonly plan: ParquetReadPlan;
  /** That are read of the objects. */
  readonly bytes: number;
  readonly close: () => void;
}

interface ParquetObjects {
  /** Of what is read: the needs of a run count its row's fields. */
  readonly type: Type;
  readonly objects: readonly FoundObject[];
  readonly files: readonly SourceFile[];
  readonly tools: ReadTools;
}

/** A file of the plan, and what is known of it. */
interface KnownFile {
  readonly object: RemoteObject;
  /** Of all of it. */
  readonly copy: Copy;
  /** Null where all of it is fetched, as what is small is anyway. */
  readonly chunks: readonly ParquetChunk[] | null;
}

/** The columns of Parquet objects by their footers, which are there; null where they cannot be fetched apart. */
export async function parquetColumns(plan: ReadPlan, { type, objects, files, tools }: ParquetObjects): Promise<ParquetColumns | null> {
  // Whether a row is left out, all of its columns tell.
  if (plan.kind !== 'parquet' || plan.onError !== 'fail' || files.every(({ sample }) => sample?.kind !== 'footer')) return null;
  const known = new Map<string, KnownFile>();
  for (const [i, { path, copy, sample, location }] of files.entries()) {
    const object = objects[i];
    if (object?.bytes.kind !== 'remote' || copy === undefined) return null;
    const footer = sample?.kind === 'footer' ? { path: sample.path, location } : null;
    const chunks = footer === null ? null : await parquetChunks(await tools.lease(), footer, tools.signal);
    known.set(path, { object: { ...object, bytes: object.bytes }, copy, chunks });
  }
  if (!plan.files.every(({ path }) => known.has(path))) return null; // such as one that is decompressed
  const plans = new Set<ParquetReadPlan>();
  return {
    open: async (needs, signal) => {
      const opened = await openColumns(plan, known, { wanted: namesOf(needs, type), tools, signal });
      plans.add(opened.plan);
      return {
        ...opened,
        close: () => {
          plans.delete(opened.plan);
          opened.close();
        },
      };
    },
    planOf: ({ sourcePath }) => [...plans].find((one) => one.files.some(({ path }) => path === sourcePath)) ?? null,
  };
}

interface OpeningColumns {
  /** Names of fields; null for all. */
  readonly wanted: ReadonlySet<string> | null;
  readonly tools: ReadTools;
  readonly signal: AbortSignal;
}

async function openColumns(
  plan: ParquetReadPlan,
  known: ReadonlyMap<string, KnownFile>,
  { wanted, tools, signal }: OpeningColumns,
): Promise<OpenedColumns> {
  const isWanted = ({ field }: ParquetColumn): boolean => wanted === null || wanted.has(field.name);
  const places = new Map<string, string>();
  const copies: Copy[] = [];
  let bytes = 0;
  const parts = plan.parts.map(({ files, columns }) => {
    const read = new Set(columns.filter(isWanted).flatMap(({ column }) => column ?? []));
    for (const { path } of files) {
      const file = known.get(path);
      if (file === undefined) throw new Error('the plan reads a file that nobody found');
      const ranges = file.chunks === null ? null : rangesOf(file.chunks, read, file.object);
      const copy = ranges === null ? file.copy : chunksCopy(file.object, ranges);
      bytes += ranges === null ? (file.object.size ?? 0) : ranges.reduce((sum, { start, end }) => sum + end - start, 0);
      copies.push(copy);
      places.set(path, tools.spool.pathOf(copy));
    }
    // What was not fetched is never read: it would be taken for what it is not.
    const value = (column: ParquetColumn): ParquetColumn =>
      isWanted(column) ? column : { ...column, column: null, value: `CAST(NULL AS ${duckType(column.field.type)})` };
    return { files: files.map((file) => moved(file, places)), columns: columns.map(value) };
  });
  const close = await holdAll(copies, async (copy) => tools.spool.hold(copy, signal));
  return { plan: { ...plan, files: plan.files.map((file) => moved(file, places)), parts }, bytes, close };
}

function namesOf({ fields }: RowNeeds, type: Type): ReadonlySet<string> | null {
  const row = type.kind === 'CollectionType' ? type.element : type;
  if (fields === null || row.kind !== 'RecordType') return null;
  return new Set(fields.flatMap((index) => row.fields[index]?.name ?? []));
}

function moved(file: ReadFile, places: ReadonlyMap<string, string>): ReadFile {
  return { ...file, path: places.get(file.path) ?? file.path };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A gap so small is fetched with what is around it. */
const SMALL_GAP = 1024;

/** The bytes of some columns, those that lie side by side as one. */
function rangesOf(chunks: readonly ParquetChunk[], columns: ReadonlySet<number>, { size }: RemoteObject): readonly Range[] {
  const wanted = chunks.filter(({ column }) => columns.has(column)).toSorted((a, b) => a.start - b.start);
  const ranges: { start: number; end: number }[] = [];
  for (const { start, end: told } of wanted) {
    const end = Math.min(told, size ?? told);
    const last = ranges.at(-1);
    if (last !== undefined && start <= last.end + SMALL_GAP) last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  }
  return ranges;
}

/** Footer and ranges of an object, at their places. */
function chunksCopy(object: RemoteObject, ranges: readonly Range[]): Copy {
  const { identity, location, bytes } = object;
  return {
    key: `columns ${JSON.stringify(ranges.map(({ start, end }) => [start, end]))} ${identity}`,
    parts: async function* (signal) {
      yield* footerOf(object).parts(signal);
      yield* inOrder(piecesOf(ranges), async (range) => {
        const pieces: Uint8Array[] = [];
        for await (const piece of readsExactly(bytes.open(range, signal), { bytes: range.end - range.start, location })) pieces.push(piece);
        return { at: range.start, bytes: Buffer.concat(pieces) };
      });
    },
  };
}

const PIECE_BYTES = 8 * 2 ** 20;

function piecesOf(ranges: readonly Range[]): readonly Range[] {
  return ranges.flatMap(({ start, end }) =>
    Array.from({ length: Math.ceil((end - start) / PIECE_BYTES) }, (_, i) => ({
      start: start + i * PIECE_BYTES,
      end: Math.min(start + (i + 1) * PIECE_BYTES, end),
    })),
  );
}

const FETCHED_AT_ONCE = 4;

/** Yields what is fetched in the order of what is asked for; some are fetched ahead. */
async function* inOrder<Asked, Fetched>(asked: readonly Asked[], fetch: (one: Asked) => Promise<Fetched>): AsyncGenerator<Fetched> {
  const ahead: Promise<Fetched>[] = [];
  let next = 0;
  const begin = (): void => {
    const one = asked[next++];
    if (one === undefined) return;
    const fetching = fetch(one);
    fetching.catch(() => undefined); // it is told when its turn comes
    ahead.push(fetching);
  };
  for (let i = 0; i < FETCHED_AT_ONCE; i += 1) begin();
  for (let first = ahead.shift(); first !== undefined; first = ahead.shift()) {
    const fetched = await first;
    begin();
    yield fetched;
  }
}
