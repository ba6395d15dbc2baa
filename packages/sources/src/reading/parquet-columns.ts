import { holdAll } from '@svc/concurrency';
import { duckType, parquetChunks } from '@svc/query-engine';
import type { EngineFailure, ParquetChunk, ParquetColumn, ParquetReadPlan, ReadFile, ReadPlan } from '@svc/query-engine';
import type { Type } from '@svc/query-language';

import type { RowNeeds } from '../resolved-read.ts';
import type { Copy } from '../spool/spool.ts';
import type { FoundObject, RemoteObject } from '../transports/transport.ts';
import { chunksCopy } from './parquet/chunks-copy.ts';
import { readFooter } from './parquet/footer.ts';
import { mayHold } from './parquet/may-hold.ts';
import { readRowGroups, type RowGroup } from './parquet/row-groups.ts';
import type { ReadTools } from './read-request.ts';
import type { SourceFile } from './source-file.ts';

/** Remote Parquet objects. A run fetches only the columns and row groups that it needs. */
export interface ParquetColumns {
  /** Fetches the columns and row groups that a run needs. They stay in the spool while there is room, for runs with the same needs. */
  readonly open: (needs: RowNeeds, signal: AbortSignal) => Promise<OpenedColumns>;
  /** Returns the plan of the run that failed. Null if the failure belongs to no such run. */
  readonly planOf: (failure: EngineFailure) => ParquetReadPlan | null;
}

/** Columns on the disk, until they are closed. */
interface OpenedColumns {
  readonly plan: ParquetReadPlan;
  /** Size of the data read of the objects. */
  readonly bytes: number;
  readonly close: () => void;
}

interface ParquetObjects {
  /** Type of the source: the needs of a run refer to its row's fields. */
  readonly type: Type;
  readonly objects: readonly FoundObject[];
  readonly files: readonly SourceFile[];
  readonly tools: ReadTools;
}

/** A file of the plan, with its structure. */
interface KnownFile {
  readonly object: RemoteObject;
  /** Copy of the whole object. */
  readonly copy: Copy;
  /** Null if the whole object is fetched, as small ones are anyway. */
  readonly chunks: readonly ParquetChunk[] | null;
  /** Null if the footer does not suffice. */
  readonly rowGroups: readonly RowGroup[] | null;
}

/** Reads the columns of Parquet objects from their local footers. Returns null if columns cannot be fetched separately. */
export async function parquetColumns(plan: ReadPlan, { type, objects, files, tools }: ParquetObjects): Promise<ParquetColumns | null> {
  // Rows are skipped depending on all of their columns.
  if (plan.kind !== 'parquet' || plan.onError !== 'fail' || files.every(({ sample }) => sample?.kind !== 'footer')) return null;
  const known = new Map<string, KnownFile>();
  for (const [i, { path, copy, sample, location }] of files.entries()) {
    const object = objects[i];
    if (object?.bytes.kind !== 'remote' || copy === undefined) return null;
    const footer = sample?.kind === 'footer' ? { path: sample.path, location } : null;
    const chunks = footer === null ? null : await parquetChunks(await tools.lease(), footer, tools.signal);
    const bytes = footer === null ? null : await readFooter(footer.path);
    known.set(path, { object: { ...object, bytes: object.bytes }, copy, chunks, rowGroups: bytes && readRowGroups(bytes) });
  }
  if (!plan.files.every(({ path }) => known.has(path))) return null; // such as one that is decompressed
  const plans = new Set<ParquetReadPlan>();
  return {
    open: async (needs, signal) => {
      const opened = await openColumns(plan, known, { needs, fields: fieldsOf(type), tools, signal });
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
  readonly needs: RowNeeds;
  /** Names of the fields that the needs count. */
  readonly fields: readonly string[];
  readonly tools: ReadTools;
  readonly signal: AbortSignal;
}

async function openColumns(
  plan: ParquetReadPlan,
  known: ReadonlyMap<string, KnownFile>,
  { needs, fields, tools, signal }: OpeningColumns,
): Promise<OpenedColumns> {
  const wanted = needs.fields === null ? null : new Set(needs.fields.flatMap((index) => fields[index] ?? []));
  const isWanted = ({ field }: ParquetColumn): boolean => wanted === null || wanted.has(field.name);
  const places = new Map<string, string>();
  const copies: Copy[] = [];
  let bytes = 0;
  const choose = rowGroupChoice(needs, fields);
  const parts = plan.parts.map(({ files, columns }) => {
    const read = columns.filter(isWanted);
    for (const { path } of files) {
      const file = known.get(path);
      if (file === undefined) throw new Error('the plan reads a file that nobody found');
      const positions = new Set(read.flatMap(({ column }) => column ?? []));
      const { chunks, object } = file;
      const chosen =
        chunks === null
          ? { copy: file.copy, bytes: object.size ?? 0 }
          : chunksCopy(object, { chunks, columns: positions, rowGroups: choose(file, read) });
      bytes += chosen.bytes;
      copies.push(chosen.copy);
      places.set(path, tools.spool.pathOf(chosen.copy));
    }
    // Columns that were not fetched must not be read: their bytes are invalid.
    const value = (column: ParquetColumn): ParquetColumn =>
      isWanted(column) ? column : { ...column, column: null, value: `CAST(NULL AS ${duckType(column.field.type)})` };
    return { files: files.map((file) => moved(file, places)), columns: columns.map(value) };
  });
  const close = await holdAll(copies, async (copy) => tools.spool.hold(copy, signal));
  return { plan: { ...plan, files: plan.files.map((file) => moved(file, places)), parts }, bytes, close };
}

/** The row groups of each file, in the order of the files, in which rows may stand that count; null for all. */
function rowGroupChoice({ conditions, limit }: RowNeeds, fields: readonly string[]) {
  // The number of rows that satisfy conditions is unknown.
  let left = limit === null || conditions.length > 0 ? Infinity : limit;
  return ({ rowGroups }: KnownFile, read: readonly ParquetColumn[]): readonly number[] | null => {
    // An invalid value is reported with its row, counted from the beginning of the file.
    if (rowGroups === null || read.some(({ isUnfit }) => isUnfit !== null)) return null;
    const columnOf = (index: number): number | null => read.find(({ field }) => field.name === fields[index])?.column ?? null;
    const kept = rowGroups.flatMap((group, i) => {
      if (left <= 0 || !mayHold(group, conditions, columnOf)) return [];
      left -= group.rows;
      return i;
    });
    return kept.length === rowGroups.length ? null : kept;
  };
}

function fieldsOf(type: Type): readonly string[] {
  const row = type.kind === 'CollectionType' ? type.element : type;
  return row.kind === 'RecordType' ? row.fields.map(({ name }) => name) : [];
}

function moved(file: ReadFile, places: ReadonlyMap<string, string>): ReadFile {
  return { ...file, path: places.get(file.path) ?? file.path };
}
