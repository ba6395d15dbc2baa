import { Readable } from 'node:stream';

import { mapAtOnce } from '@svc/concurrency';
import { inferParquet, isEngineFailure, type TextReadPlan } from '@svc/query-engine';
import type { OptionValue, ReadNeed, Type } from '@svc/query-language';
import { assertNever, FIXED_READ_TYPES, ownValue, printType, READ_OPTIONS, string } from '@svc/query-language';
import { type Compression, ReadFailure } from '@svc/text-formats';

import { openAvro } from '../decoders/avro/open-avro.ts';
import { openExcel } from '../decoders/excel/open-excel.ts';
import { readJsonCopies } from '../decoders/json-copy.ts';
import { shapeFound } from '../decoders/json-jobs.ts';
import { openXml } from '../decoders/xml/open-xml.ts';
import { inferCsv, type CsvOptions } from '../inference/infer-csv.ts';
import { inferJson } from '../inference/infer-json.ts';
import type { FileFormat } from '../file-format.ts';
import { lookAtFile } from '../file-format.ts';
import { namesSeveral } from '../locations/location.ts';
import type { Copy, Spool } from '../spool/spool.ts';
import type { SourceFile } from './source-file.ts';
import { fittingFiles, splitTold } from './file-columns.ts';
import { Misuse } from './misuse.ts';
import { checkFirstLines } from './first-lines.ts';
import { findLongLine } from './long-lines.ts';
import type { PreparedFiles, SeenFile } from './prepare-files.ts';
import { onBeginning, onFiles, prepareBytes, prepareText, samplesOf } from './prepare-files.ts';
import type { OpenedRead, ReadRequest, ReadTools } from './read-request.ts';
import { rowOptions, textOption, whileHeld } from './read-request.ts';
import { withPlaceOfBytes } from './place-of-bytes.ts';

/** Formats of the read functions that name one. */
export const FORMATS: Readonly<Record<string, FileFormat>> = {
  READ_CSV: 'csv',
  READ_JSON: 'json',
  READ_XML: 'xml',
  READ_PARQUET: 'parquet',
  READ_AVRO: 'avro',
  READ_EXCEL: 'excel',
  READ_TEXT: 'text',
  READ_LINES: 'lines',
  READ_BINARY: 'binary',
};

const OPENERS: Readonly<Record<FileFormat, (request: ReadRequest) => Promise<OpenedRead>>> = {
  csv: openCsv,
  json: openJson,
  parquet: openParquet,
  xml: openXml,
  avro: openAvro,
  excel: openExcel,
  text: async (request) => openText(request, 'text'),
  lines: openLines,
  binary: async (request) => openText(request, 'binary'),
};

/** Determines how to read a READ's files. Fails with a ReadFailure, a Misuse, or an internal fault. */
export async function openRead(need: ReadNeed, seen: readonly SeenFile[], tools: ReadTools): Promise<OpenedRead> {
  const found = seen.map((file) => file.found);
  const format = ownValue(FORMATS, need.function) ?? seen[0]?.look.format ?? null;
  if (format === null)
    throw new ReadFailure('unreadable', 'the format is not one that is known: READ_BINARY, READ_TEXT and the like say what to make of it');
  refuseOptions(need, format);
  const wantsFileName = need.options['file_name'] === true;
  const onError = need.options['on_error'];
  const wanted = onError === 'skip' ? fittingFiles(need.asType, found) : found;
  if (wanted.length === 0 && found.length > 0) return noRows(need, format, { found, spool: tools.spool });
  const told = splitTold(need.asType, wanted, { wantsFileName, isLenient: onError === 'null' });
  const isWanted = new Set(wanted);
  const opened = await OPENERS[format]({ ...tools, need, seen: seen.filter((file) => isWanted.has(file.found)), told });
  if (wantsFileName && !isOfRecords(opened.inferred.type))
    throw new Misuse(`file_name adds a field, but the rows are ${printType(opened.inferred.type)}`);
  return opened;
}

/** Returns a read that yields no rows. */
function noRows(
  need: ReadNeed,
  format: FileFormat,
  { found, spool }: { readonly found: readonly SourceFile[]; readonly spool: Spool },
): OpenedRead {
  const row = need.asType?.kind === 'CollectionType' ? need.asType.element : null;
  if (row?.kind !== 'RecordType') throw new Error('only rows that are records have columns of names');
  const hasFileName = need.options['file_name'] === true && !row.fields.some(({ name }) => name === 'file_name');
  const nothing: Copy = { key: 'no rows', pieces: () => Readable.from([]) };
  return readJsonCopies({
    format,
    files: [{ path: spool.pathOf(nothing), location: found[0]?.location ?? '' }],
    copies: [nothing],
    rowType: hasFileName ? { ...row, fields: [...row.fields, { name: 'file_name', type: string }] } : row,
    isCollection: true,
    isSampled: false,
    isTrusted: true,
    onError: 'skip',
    fileColumns: [],
    maxObjectBytes: 0,
  });
}

const LOOKS_AT_ONCE = 64;

/** Inspects files, or their samples. */
export async function lookAtFiles(found: readonly SourceFile[], signal: AbortSignal): Promise<readonly SeenFile[]> {
  return mapAtOnce(found, LOOKS_AT_ONCE, async (file) => ({
    found: file,
    look: await lookAtFile({ ...file, path: file.sample?.rawPath ?? file.path }, signal),
  }));
}

/** READ and DESCRIBE accept the options of all formats, since the format is not yet known. */
function refuseOptions(need: ReadNeed, format: FileFormat): void {
  for (const name of Object.keys(need.options)) {
    const formats = formatsWith(name);
    if (!formats.includes(format)) throw new Misuse(`option ${name} has no meaning for ${format}: it is one of ${formats.join(', ')}`);
  }
}

function formatsWith(option: string): readonly FileFormat[] {
  return Object.entries(FORMATS).flatMap(([name, format]) => (Object.hasOwn(ownValue(READ_OPTIONS, name) ?? {}, option) ? [format] : []));
}

function isOfRecords(type: Type): boolean {
  return (type.kind === 'CollectionType' ? type.element : type).kind === 'RecordType';
}

function compressionOf({ compression }: PreparedFiles): { readonly compression?: Compression } {
  return compression === null ? {} : { compression };
}

async function openCsv(request: ReadRequest): Promise<OpenedRead> {
  const { need, seen, told } = request;
  const encoding = textOption(need.options, 'encoding') ?? null;
  const needs = { encoding, takesMark: true, takesCompression: true };
  const prepared = prepareText(samplesOf(seen), needs, request.spool);
  const rowType = rowTypeOf(told.own, 'CSV');
  const options = {
    ...rowOptions(request),
    ...csvOptions(need.options),
    ...compressionOf(prepared),
    ...(rowType === null ? {} : { rowType }),
  };
  const inferred = await whileHeld(prepared.copies, request, async () => {
    try {
      return await inferCsv(request.lease, prepared.files, options);
    } catch (thrown) {
      if (!isEngineFailure(thrown)) throw thrown;
      const long = await findLongLine(thrown, { kind: 'csv', files: prepared.files, compression: prepared.compression }, request.signal);
      if (long !== null) throw long;
      const { sourcePath } = thrown;
      const message = await withPlaceOfBytes(thrown, prepared.compression, request.signal);
      throw message === thrown.message ? thrown : new ReadFailure('csv', message, { sourcePath, cause: thrown });
    }
  });
  const whole = prepareText(seen, needs, request.spool);
  const beginning = onBeginning(inferred.plan, seen, { needs, spool: request.spool });
  return { format: 'csv', inferred: onFiles(inferred, whole), copies: whole.copies, beginning };
}

function rowTypeOf(own: Type | null, format: string): Type | null {
  if (own === null) return null;
  if (own.kind === 'CollectionType' && own.element.kind === 'RecordType') return own.element;
  throw new ReadFailure('unreadable', `expected ${printType(own)} but ${format} is a collection of records`);
}

function csvOptions(options: Readonly<Record<string, OptionValue>>): Omit<CsvOptions, 'signal'> {
  const [delimiter, quote, escape] = ['delimiter', 'quote', 'escape'].map((name) => textOption(options, name));
  const { has_header: hasHeader, skip, nulls } = options;
  return {
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(quote === undefined ? {} : { quote }),
    ...(escape === undefined ? {} : { escape }),
    ...(typeof hasHeader === 'boolean' ? { hasHeader } : {}),
    ...(typeof skip === 'number' ? { skip } : {}),
    ...(Array.isArray(nulls) ? { nulls: nulls.filter((value) => typeof value === 'string') } : {}),
  };
}

async function openJson(request: ReadRequest): Promise<OpenedRead> {
  const { need, seen, told } = request;
  const encoding = textOption(need.options, 'encoding') ?? null;
  const needs = { encoding, takesMark: false, takesCompression: true };
  const prepared = prepareText(samplesOf(seen), needs, request.spool);
  const inferred = await whileHeld(prepared.copies, request, () =>
    inferJson(prepared.files, {
      ...rowOptions(request),
      ...compressionOf(prepared),
      ...(told.own === null ? {} : { type: told.own }),
      isPattern: namesSeveral(need.location),
      scanLarge: async (bytes, shape) => shapeFound(await request.threads.find('json-shape', { bytes, shape }, request)),
    }),
  );
  const whole = prepareText(seen, needs, request.spool);
  const beginning = onBeginning(inferred.plan, seen, { needs, spool: request.spool });
  return { format: 'json', inferred: onFiles(inferred, whole), copies: whole.copies, beginning };
}

async function openParquet(request: ReadRequest): Promise<OpenedRead> {
  const prepared = prepareBytes(samplesOf(request.seen), request.spool);
  const rowType = rowTypeOf(request.told.own, 'Parquet');
  const inferred = await whileHeld(prepared.copies, request, async () =>
    inferParquet(await request.lease(), prepared.files, { ...rowOptions(request), ...(rowType === null ? {} : { rowType }) }),
  );
  const whole = prepareBytes(request.seen, request.spool);
  return { format: 'parquet', inferred: onFiles(inferred, whole), copies: whole.copies };
}

async function openLines(request: ReadRequest): Promise<OpenedRead> {
  await checkFirstLines(samplesOf(request.seen), request.signal);
  return openText(request, 'lines');
}

const TEXT_FUNCTIONS = { text: 'READ_TEXT', lines: 'READ_LINES', binary: 'READ_BINARY' } as const;

function openText({ need, seen, spool }: ReadRequest, unit: TextReadPlan['unit']): OpenedRead {
  const encoding = textOption(need.options, 'encoding') ?? null;
  const needs = { encoding, takesMark: false, takesCompression: unit === 'lines' };
  const prepared = unit === 'binary' ? prepareBytes(seen, spool) : prepareText(seen, needs, spool);
  const plan: TextReadPlan = {
    kind: 'text',
    unit,
    files: prepared.files,
    compression: prepared.compression,
    encoding: null,
    fileColumns: [],
    onError: 'fail',
    isTrusted: true,
  };
  const type = ownValue(FIXED_READ_TYPES, TEXT_FUNCTIONS[unit]);
  return type === undefined
    ? assertNever(unit as never)
    : {
        format: unit,
        copies: prepared.copies,
        inferred: { type, plan, isSampled: false },
        beginning: unit === 'lines' ? onBeginning(plan, seen, { needs, spool }) : undefined,
      };
}
