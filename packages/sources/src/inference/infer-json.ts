import { DEFAULT_SAMPLE_SIZE } from '@svc/query-engine';
import type { FileColumn, Inferred, JsonFileLayout, JsonReadPlan, OnError, ReadFile } from '@svc/query-engine';
import type { Type } from '@svc/query-language';
import { printType } from '@svc/query-language';
import {
  emptyShape,
  isReadFailure,
  jsonDocuments,
  linesOf,
  malformedAt,
  MalformedJson,
  MAX_DOCUMENT_BYTES,
  readBytes,
  ReadFailure,
  scanDocument,
  shapeType,
  type Compression,
  type JsonDocument,
  type JsonShape,
} from '@svc/text-formats';

/** Options of JSON files; missing ones are inferred. */
export interface JsonOptions {
  /** True for files of a pattern: their arrays are concatenated, other documents are elements. */
  readonly isPattern?: boolean;
  readonly compression?: Compression;
  readonly onError?: OnError;
  /** Maximum number of documents, or elements, that inference reads; -1 for all. */
  readonly sampleSize?: number;
  /** Declared type of the whole: only the layout of documents is inferred then. */
  readonly type?: Type;
  readonly fileColumns?: readonly FileColumn[];
  /** Scans large documents elsewhere than in this thread, and answers the shape with what it has added. Throws MalformedJson. */
  readonly scanLarge?: (bytes: Uint8Array, shape: JsonShape) => Promise<JsonShape>;
  readonly signal: AbortSignal;
}

/** The engine's default; its buffers are twice as large, per thread. */
const LEAST_OBJECT_BYTES = 16 * 2 ** 20;
const LINES = /\.(jsonl|ndjson)(\.(gz|gzip|zst|zstd))?$/i;

/**
 * Infers the layout of JSON files, and their type, by scanning documents. Does not use the engine, which takes date strings
 * for dates and does not distinguish NULLs. Fails with a ReadFailure `json` that names the byte, or `missing-file`.
 */
export async function inferJson(files: readonly ReadFile[], options: JsonOptions): Promise<Inferred<JsonReadPlan>> {
  const sample: Sample = { shape: emptyShape(), left: sampleLimit(options), largest: 0, isSampled: false, hasGaps: false };
  const looks: FileLook[] = [];
  for (const file of files) looks.push(await lookAt(file, sample, options));
  const [first] = looks;
  if (first === undefined) throw new ReadFailure('missing-file', 'there is no file to read');
  const told = options.type;
  const isCollection =
    told !== undefined ? told.kind === 'CollectionType' : options.isPattern === true || looks.length > 1 || first.isCollection;
  if (told?.kind === 'RecordType' && first.layout === 'array')
    throw new ReadFailure('json', `expected ${printType(told)} but the file holds an array`);
  if (!isCollection && first.documents === 0) throw new ReadFailure('json', 'the file is empty');
  const isSampled = told === undefined && sample.isSampled;
  const rowType =
    told === undefined
      ? without(shapeType(sample.shape, { isSampled }), options.fileColumns ?? [])
      : told.kind === 'CollectionType'
        ? told.element
        : told;
  const plan: JsonReadPlan = {
    kind: 'json',
    files,
    layouts: looks.map((look): JsonFileLayout => (isCollection ? look.layout : 'unstructured')),
    rowType,
    isCollection,
    isTrusted: told === undefined && !isSampled && !sample.hasGaps,
    areIntegersWhole: told === undefined,
    fileColumns: options.fileColumns ?? [],
    onError: options.onError ?? 'fail',
    compression: options.compression ?? null,
    countedAs: 'line',
    isClosed: isSampled,
    maxObjectBytes: Math.max(LEAST_OBJECT_BYTES, Math.min(2 * sample.largest, 2 * MAX_DOCUMENT_BYTES)),
  };
  return { type: told ?? wholeType(plan), plan, isSampled, ...(isSampled ? { sampledRows: sampleLimit(options) - sample.left } : {}) };
}

/** Removes fields given by file names, which are not read from the content. */
function without(type: Type, fileColumns: readonly FileColumn[]): Type {
  if (type.kind !== 'RecordType' || fileColumns.length === 0) return type;
  const names = new Set(fileColumns.map(({ field }) => field.name));
  return { ...type, fields: type.fields.filter((field) => !names.has(field.name)) };
}

function wholeType({ rowType, isCollection, fileColumns }: JsonReadPlan): Type {
  const row: Type =
    rowType.kind === 'RecordType' && !rowType.isNullable && fileColumns.length > 0
      ? { ...rowType, fields: [...rowType.fields, ...fileColumns.map((column) => column.field)] }
      : rowType;
  return isCollection ? { kind: 'CollectionType', element: row, isNullable: false } : row;
}

interface Sample {
  readonly shape: JsonShape;
  left: number;
  largest: number;
  isSampled: boolean;
  /** Something was no JSON, and passed over. */
  hasGaps: boolean;
}

interface FileLook {
  readonly layout: JsonFileLayout;
  readonly isCollection: boolean;
  readonly documents: number;
}

/** With a declared type, two documents suffice to determine the layout. */
function sampleLimit({ sampleSize = DEFAULT_SAMPLE_SIZE, type }: JsonOptions): number {
  if (type !== undefined) return 2;
  return sampleSize < 0 ? Infinity : Math.max(1, sampleSize);
}

async function lookAt(file: ReadFile, sample: Sample, options: JsonOptions): Promise<FileLook> {
  const isLines = LINES.test(file.location);
  if (isLines && isForgiving(options)) return lookAtLines(file, sample, options);
  if (isLines) return lookAtDocuments(file, sample, { options, splitsArray: false, isLines });
  // An array followed by another document is itself a document: it is scanned again as such, and what it added to the shape
  // is discarded.
  const attempt = { ...sample, shape: structuredClone(sample.shape) };
  const look = await lookAtDocuments(file, attempt, { options, splitsArray: true, isLines }).catch((thrown: unknown) => {
    if (isForgiving(options) && isReadFailure(thrown) && thrown.failureClass === 'json') return null;
    throw thrown;
  });
  if (look === null) return lookAtLines(file, sample, options);
  if (look === 'array-and-more') return lookAtDocuments(file, sample, { options, splitsArray: false, isLines });
  Object.assign(sample, attempt);
  return look;
}

interface Manner<Splits extends boolean> {
  readonly options: JsonOptions;
  readonly splitsArray: Splits;
  readonly isLines: boolean;
}

type LookResult<Splits extends boolean> = Splits extends true ? FileLook | 'array-and-more' : FileLook;

async function lookAtDocuments<Splits extends boolean>(
  file: ReadFile,
  sample: Sample,
  manner: Manner<Splits>,
): Promise<LookResult<Splits>> {
  const { options, splitsArray, isLines } = manner;
  let isArray = false;
  let documents = 0;
  let areOnLines = true;
  for await (const event of jsonDocuments({
    path: file.path,
    compression: options.compression ?? null,
    splitsArray,
    isBeginning: file.isBeginning ?? false,
    signal: options.signal,
  })) {
    if (event.kind === 'ArrayBegin') {
      isArray = true;
      continue;
    }
    if (isArray && !event.isElement) return 'array-and-more' as LookResult<Splits>; // Only where arrays are split can one begin.
    documents++;
    areOnLines &&= isArray || (event.isOnNewLine && !event.bytes.includes(0x0a));
    if (sample.left <= 0) {
      sample.isSampled = true;
      if (documents >= 2) break;
      continue;
    }
    sample.left--;
    await addToSample(event, sample, { file, options });
  }
  if (file.isBeginning === true) {
    // A single document may be the whole file, or the first of many.
    if (documents < (isArray || isLines ? 1 : 2)) throw new ReadFailure('json', 'the beginning of the file does not tell what it holds');
    sample.isSampled = true;
  }
  const layout = isArray ? 'array' : areOnLines && (isLines || documents > 1) ? 'newline_delimited' : 'unstructured';
  return {
    layout,
    isCollection: isArray || isLines || documents > 1,
    documents: isArray ? Math.max(1, documents) : documents,
  } as LookResult<Splits>;
}

async function addToSample(
  document: JsonDocument,
  sample: Sample,
  { file, options }: { readonly file: ReadFile; readonly options: JsonOptions },
): Promise<void> {
  sample.largest = Math.max(sample.largest, document.bytes.length);
  if (options.type !== undefined) return;
  try {
    await scan(document.bytes, sample.shape, options);
  } catch (thrown) {
    if (!(thrown instanceof MalformedJson)) throw thrown;
    throw await malformedAt(document.byte + thrown.byte, {
      path: file.path,
      thrown,
      compression: options.compression ?? null,
      signal: options.signal,
    });
  }
}

/** Larger documents would block the event loop for too long. */
const LARGE_BYTES = 2 ** 20;

async function scan(bytes: Uint8Array, shape: JsonShape, { scanLarge }: JsonOptions): Promise<void> {
  if (scanLarge === undefined || bytes.length <= LARGE_BYTES) scanDocument(bytes, shape);
  else Object.assign(shape, await scanLarge(bytes, shape));
}

/** Returns whether invalid JSON is skipped, line by line. */
function isForgiving({ onError = 'fail' }: JsonOptions): boolean {
  return onError !== 'fail';
}

/** Scans lines, each of which is a document, or is skipped. */
async function lookAtLines(file: ReadFile, sample: Sample, options: JsonOptions): Promise<FileLook> {
  let documents = 0;
  const { compression = null, signal } = options;
  for await (const line of linesOf(readBytes(file.path, compression, signal))) {
    if (line.toString('latin1').trim() === '') continue;
    documents += 1;
    if (sample.left <= 0) {
      sample.isSampled = true;
      break;
    }
    sample.left -= 1;
    sample.largest = Math.max(sample.largest, line.length);
    if (options.type !== undefined) continue;
    try {
      // Twice, so that an invalid line leaves no trace: copying the shape would take far longer than scanning a line.
      await scan(line, emptyShape(), options);
      await scan(line, sample.shape, options);
    } catch (thrown) {
      if (!(thrown instanceof MalformedJson)) throw thrown;
      sample.hasGaps = true;
    }
  }
  sample.isSampled ||= file.isBeginning === true;
  return { layout: 'newline_delimited', isCollection: true, documents };
}
