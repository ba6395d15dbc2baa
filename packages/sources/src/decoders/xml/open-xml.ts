import { printType } from '@svc/query-language';
import { DEFAULT_SAMPLE_SIZE } from '@svc/query-engine';
import type { Compression } from '@svc/text-formats';

import { namesSeveral } from '../../locations/location.ts';
import type { OpenedRead, ReadRequest } from '../../reading/read-request.ts';
import { rowOptions, textOption } from '../../reading/read-request.ts';
import type { SeenFile } from '../../reading/prepare-files.ts';
import { encodingOf, fetched, samplesOf } from '../../reading/prepare-files.ts';
import type { Copy } from '../../spool/spool.ts';
import { readJsonCopies } from '../json-copy.ts';
import { MAX_LINE_BYTES } from '../json-lines.ts';
import type { XmlFile } from './decode-xml.ts';
import type { XmlRows } from './xml-nodes.ts';
import { MAX_NODE_CHARACTERS } from './xml-nodes.ts';

/** Finds out the type of XML files; they are read as copies in JSON. */
export async function openXml(request: ReadRequest): Promise<OpenedRead> {
  const { need, seen, told, spool, threads } = request;
  const { fileColumns, onError, sampleSize = DEFAULT_SAMPLE_SIZE } = rowOptions(request);
  const tag = textOption(need.options, 'row_tag');
  const encoding = textOption(need.options, 'encoding') ?? null;
  const isCollection = told.own === null ? tag !== undefined || namesSeveral(need.location) : told.own.kind === 'CollectionType';
  const rows: XmlRows = rowsOf({ tag, isToldCollection: told.own?.kind === 'CollectionType', isPattern: namesSeveral(need.location) });
  const samples = (): readonly XmlFile[] => samplesOf(seen).map((file) => xmlFile(file, encoding));
  const found = told.own === null ? await threads.find('xml-type', { files: samples(), rows, sampleSize }, request) : null;
  const rowType = found?.type ?? (told.own?.kind === 'CollectionType' ? told.own.element : told.own);
  if (rowType === null) throw new Error('a type is told or found');
  const isClosed = found?.isSampled ?? false;
  const maxLineBytes = rows.kind === 'root' ? Math.max(MAX_LINE_BYTES, ...seen.map(mostJsonBytes)) : MAX_LINE_BYTES;
  const shared = { rows, rowType, isClosed, isSkipping: onError === 'skip', maxLineBytes };
  const copies = seen.map((file): Copy => ({
    key: `xml ${encoding ?? ''} ${onError ?? ''} ${isClosed ? 'closed ' : ''} ${JSON.stringify(rows)} ${printType(rowType)} ${file.found.identity}`,
    pieces: (signal, caller) => threads.decode('xml-lines', { file: xmlFile(file, encoding), ...shared }, { caller, signal }),
  }));
  return readJsonCopies({
    format: 'xml',
    files: seen.map((file, i) => ({ path: spool.pathOf(copies[i] ?? (copies[0] as Copy)), location: file.found.location })),
    copies: [...fetched(seen), ...copies],
    rowType,
    isCollection,
    isSampled: found?.isSampled ?? false,
    isTrusted: found !== null && !found.isSampled,
    onError,
    fileColumns,
    maxObjectBytes: maxLineBytes,
  });
}

/** JSON of a root is larger than its XML, since names are quoted, but not three times. */
function mostJsonBytes({ found, look }: SeenFile): number {
  const mostBytes = found.size * (look.compression === null ? 1 : MOST_RATIO[look.compression]);
  return Math.min(2 * MAX_NODE_CHARACTERS, 3 * mostBytes);
}

/** Maximum ratio of decompressed to compressed bytes: two bits for 258 bytes in gzip, four bytes for a block of 128 KiB in zstd. */
const MOST_RATIO: Readonly<Record<Compression, number>> = { gzip: 1032, zstd: 2 ** 15 };

interface RowChoice {
  readonly tag: string | undefined;
  readonly isToldCollection: boolean;
  readonly isPattern: boolean;
}

/** Chooses the rows: a declared collection without row_tag consists of the root's children. */
function rowsOf({ tag, isToldCollection, isPattern: isOfPattern }: RowChoice): XmlRows {
  if (tag !== undefined) return { kind: 'named', tag };
  return isToldCollection && !isOfPattern ? { kind: 'children-of-root' } : { kind: 'root' };
}

function xmlFile({ found, look }: SeenFile, told: string | null): XmlFile {
  const encoding = encodingOf(told ?? (look.mark === null ? look.declared : null), look);
  return { path: found.path, compression: look.compression, encoding, isBeginning: found.isBeginning === true };
}
