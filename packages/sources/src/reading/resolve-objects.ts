import { Readable } from 'node:stream';
import { gzipSync, zstdCompressSync } from 'node:zlib';

import { prototypeText, readerSql } from '@svc/query-engine';
import type { Reader } from '@svc/query-engine';
import { ownValue, type ReadNeed, type Type } from '@svc/query-language';
import { type Compression, isReadFailure, ReadFailure } from '@svc/text-formats';

import { formatOfName, type FileFormat } from '../file-format.ts';
import { ZIP_ARCHIVE } from '../foreign-format.ts';
import { describeRead } from '../listing/listing.ts';
import type { ResolvedRead } from '../resolved-read.ts';
import type { Copy, Spool } from '../spool/spool.ts';
import { SourceFailure } from '../transports/source-failure.ts';
import type { FoundObject } from '../transports/transport.ts';
import { explainFailure } from './explain-failure.ts';
import { holdCopies } from './hold-copies.ts';
import { checkEnds } from './long-lines.ts';
import { FORMATS, lookAtFiles, openRead } from './open-read.ts';
import { parquetColumns } from './parquet-columns.ts';
import { Misuse } from './misuse.ts';
import { isFailure, locationOf } from './problem-of.ts';
import type { PreparedPlan, SeenFile } from './prepare-files.ts';
import type { QueryReading } from './query-reading.ts';
import type { OpenedRead, ReadTools } from './read-request.ts';
import type { SourceFile } from './source-file.ts';
import { readBeginning } from './read-beginning.ts';
import { asFiles, SAMPLE_BYTES, takeFooter, takeSamples } from './take-samples.ts';

/** The objects' identity, and the tools for opening them. */
export interface Resolving {
  readonly tools: ReadTools;
  readonly reading: QueryReading;
  readonly identity: string;
  readonly isPersonal: boolean;
}

/** Resolves how to read objects. Fails with a ReadFailure, a Misuse, or an internal fault. */
export async function resolveObjects(need: ReadNeed, objects: readonly FoundObject[], resolving: Resolving): Promise<ResolvedRead> {
  const { tools, identity, isPersonal } = resolving;
  const opened = await openObjects(need, objects, resolving);
  const { plan, copies } = withPrototypes({ plan: opened.inferred.plan, copies: opened.copies }, tools.spool);
  const of = { identity, isPersonal };
  if (need.function === 'DESCRIBE') return { ...describeRead(opened), ...of, bytes: 0, hold: holdNothing, explain: async () => null };
  const type = typeOfRead(need, opened.inferred.type);
  const files = await asFiles(objects, tools.spool);
  const fetches = files.filter((file) => file.copy !== undefined).length;
  const isPlain = opened.copies.length === fetches && plan.compression === null;
  const checkOnce = once(checkEnds);
  const { sampledRows } = opened.inferred;
  const read: ResolvedRead = {
    ...of,
    type,
    ...(sampledRows === undefined ? {} : { sampledRows }),
    reader: inOrderOf(type, readerSql(plan, null)),
    bytes: isPlain ? files.reduce((sum, file) => sum + file.size, 0) : Infinity,
    hold: async (commission) => {
      try {
        const release = await holdCopies(copies, { files, spool: tools.spool, ...commission });
        await checkOnce(plan, commission.signal).catch((thrown: unknown) => {
          release();
          throw thrown;
        });
        return release;
      } catch (thrown) {
        throw isReadFailure(thrown) ? located(thrown, files) : thrown;
      }
    },
    explain: (failure, lease, commission) => explainFailure(failure, plan, { threads: tools.threads, lease, ...commission }),
  };
  const columns = opened.files === null ? null : await parquetColumns(plan, { type, objects, files: opened.files, tools });
  if (columns !== null)
    return {
      ...read,
      bytes: 0,
      hold: holdNothing,
      openRows: async (needs, signal) => {
        const { plan: ofRun, ...rows } = await columns.open(needs, signal);
        return { ...rows, reader: inOrderOf(type, readerSql(ofRun, null)) };
      },
      explain: async (failure, lease, commission) => {
        const ofRun = columns.planOf(failure);
        if (ofRun !== null) return explainFailure(failure, ofRun, { threads: tools.threads, lease, ...commission });
        // A failure that names no file is looked for in all of them, which a run fetches only in parts.
        const release = await read.hold(commission);
        try {
          return await read.explain(failure, lease, commission);
        } finally {
          release();
        }
      },
    };
  const { beginning } = opened;
  return beginning === undefined ? read : { ...read, beginning: readBeginning(beginningOf(read, beginning, tools)) };
}

function beginningOf(whole: ResolvedRead, opened: PreparedPlan, { spool, threads }: ReadTools) {
  const { plan, copies } = withPrototypes(opened, spool);
  const read: ResolvedRead = {
    ...whole,
    reader: inOrderOf(whole.type, readerSql(plan, null)),
    bytes: SAMPLE_BYTES,
    hold: (commission) => holdCopies(copies, { files: [], spool, ...commission }),
    explain: (failure, lease, commission) => explainFailure(failure, plan, { threads, lease, ...commission }),
  };
  return { read, plan };
}

/** Runs a check once: other files are another read. */
function once(check: typeof checkEnds): typeof checkEnds {
  let isChecked = false;
  return async (plan, signal) => {
    if (isChecked) return;
    await check(plan, signal);
    isChecked = true;
  };
}

/** The plan with the prototypes that its files need, and all copies that it is read with. */
function withPrototypes({ plan, copies }: PreparedPlan, spool: Spool): PreparedPlan {
  if (plan.kind !== 'json' || !plan.isClosed) return { plan, copies };
  const made = [...new Set(plan.layouts)].flatMap((layout) => {
    const text = prototypeText(plan, layout);
    return text === null ? [] : [{ layout, copy: prototypeCopy(text, plan.compression) }];
  });
  const prototypes = Object.fromEntries(made.map(({ layout, copy }) => [layout, spool.pathOf(copy)]));
  return { plan: { ...plan, prototypes }, copies: [...copies, ...made.map(({ copy }) => copy)] };
}

/** Returns the copy of a prototype, compressed like the files: the engine takes one compression for all. */
function prototypeCopy(text: string, compression: Compression | null): Copy {
  const bytes = compression === null ? text : compression === 'gzip' ? gzipSync(text) : zstdCompressSync(text);
  return { key: `prototype ${compression ?? ''} ${text}`, pieces: () => Readable.from([bytes]) };
}

/** The `hold` of a read without copies. */
export async function holdNothing(): Promise<() => void> {
  return () => undefined;
}

/** The resolved form of a read, with the Parquet files to be fetched in parts; null for other formats and local files. */
interface OpenedObjects extends OpenedRead {
  readonly files: readonly SourceFile[] | null;
}

/** Opens objects, and examines all of the data if a sample does not suffice. */
async function openObjects(need: ReadNeed, objects: readonly FoundObject[], { tools, reading }: Resolving): Promise<OpenedObjects> {
  refuseSeveral(need, objects.length);
  const { spool, signal } = tools;
  const told = ownValue(FORMATS, need.function);
  const formatOf = (name: string) => told ?? formatOfName(name);
  const sampling = { spool, reading, signal };
  const sampled = await takeSamples(objects, { ...sampling, options: need.options, formatOf });
  try {
    const looked = await lookAtFiles(sampled, signal);
    refusePages(need, objects, looked);
    refuseForeign(told, looked);
    const isParquet = (told ?? looked[0]?.look.format) === 'parquet';
    if (!isParquet || objects[0]?.bytes.kind === 'local') return { ...(await openRead(need, looked, tools)), files: null };
    const files = await Promise.all(objects.map((object, i) => takeFooter(object, sampled[i] as SourceFile, sampling)));
    const seenFiles = looked.map((file, i) => ({ ...file, found: files[i] ?? file.found }));
    return { ...(await openRead(need, seenFiles, tools)), files };
  } catch (thrown) {
    if (
      !isFailure(thrown) ||
      thrown instanceof SourceFailure ||
      !OF_DATA.has(thrown.failureClass) ||
      sampled.every(({ sample }) => sample === undefined)
    )
      throw thrown;
    const files = await asFiles(objects, spool);
    for (const { copy } of files) if (copy !== undefined) reading.keep(await spool.hold(copy, signal));
    return { ...(await openRead(need, await lookAtFiles(files, signal), tools)), files: null };
  }
}

/** Before any of them is opened. */
function refuseSeveral({ function: read }: ReadNeed, files: number): void {
  if (files > 1 && (read === 'READ_TEXT' || read === 'READ_BINARY'))
    throw new Misuse(`${read} reads one file, and the pattern names ${files}`);
}

/** Rejects HTML pages: some servers return a sign-in page with status 200. */
function refusePages({ function: read }: ReadNeed, objects: readonly FoundObject[], looked: readonly SeenFile[]): void {
  if (read === 'READ_TEXT' || read === 'READ_LINES' || read === 'READ_BINARY' || read === 'READ_XML') return;
  const page = looked.find(
    ({ look }, i) => look.isPage && objects[i]?.bytes.kind !== 'local' && !/\.x?html?$/i.test(objects[i]?.name ?? ''),
  );
  if (page === undefined) return;
  const advice = 'is this the right address, and are you signed in there?';
  throw new SourceFailure('broken', `${page.found.location}: the answer is an HTML page and no data: ${advice}`);
}

/** Rejects files of formats that are not read: CSV would take compressed bytes for a header. */
function refuseForeign(told: FileFormat | undefined, looked: readonly SeenFile[]): void {
  for (const { found, look } of looked) {
    const format = told ?? look.format;
    const isRead = format === 'binary' || (format === 'excel' && look.foreign === ZIP_ARCHIVE);
    if (look.foreign !== null && !isRead) throw new SourceFailure('broken', `${found.location}: the file is ${look.foreign}`);
  }
}

const OF_DATA: ReadonlySet<string> = new Set(['csv', 'json', 'parquet', 'unreadable']);

function located(failure: ReadFailure, found: readonly SourceFile[]): ReadFailure {
  const location = locationOf(failure, found);
  return location === null ? failure : new ReadFailure(failure.failureClass, `${location}: ${failure.message}`, { cause: failure });
}

/** Returns the fields in the order of a declared type, wherever their values come from. */
function inOrderOf(type: Type, reader: Reader): Reader {
  const row = type.kind === 'CollectionType' ? type.element : type;
  const { layout } = reader;
  if (layout.kind !== 'columns' || row.kind !== 'RecordType') return reader;
  const columns = row.fields.flatMap((field) => layout.columns.find((column) => column.field.name === field.name) ?? []);
  return { ...reader, layout: { kind: 'columns', columns } };
}

/** Returns the declared type, with the file name if requested. */
function typeOfRead({ asType, options }: ReadNeed, found: Type): Type {
  if (asType === null || options['file_name'] !== true) return asType ?? found;
  const row = asType.kind === 'CollectionType' ? asType.element : asType;
  const foundRow = found.kind === 'CollectionType' ? found.element : found;
  if (row.kind !== 'RecordType' || foundRow.kind !== 'RecordType') return found;
  const added = foundRow.fields.filter((field) => !row.fields.some((told) => told.name === field.name));
  const all: Type = { ...row, fields: [...row.fields, ...added] };
  return asType.kind === 'CollectionType' ? { ...asType, element: all } : all;
}
