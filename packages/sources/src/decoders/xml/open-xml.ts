import type { Type } from '@svc/query-language';
import { printType } from '@svc/query-language';
import { DEFAULT_SAMPLE_SIZE, isEngineFailure } from '@svc/query-engine';

import { namesSeveral } from '../../locations/location.ts';
import type { OpenedRead, ReadRequest } from '../../reading/read-request.ts';
import { rowOptions, textOption } from '../../reading/read-request.ts';
import type { SeenFile } from '../../reading/prepare-files.ts';
import { encodingOf, fetched, samplesOf } from '../../reading/prepare-files.ts';
import type { Copy } from '../../spool/spool.ts';
import { decodeText } from '../decode-text.ts';
import { ofFile } from '../of-file.ts';
import { readJsonCopies } from '../json-copy.ts';
import { JsonLines, MAX_LINE_BYTES, linesOf } from '../json-lines.ts';
import { xmlWriter } from './xml-json.ts';
import type { XmlNode } from './xml-node.ts';
import type { XmlRows } from './xml-nodes.ts';
import { MAX_NODE_CHARACTERS, xmlNodes } from './xml-nodes.ts';
import { XmlShape } from './xml-shape.ts';

/** Finds out the type of XML files; they are read as copies in JSON. */
export async function openXml(request: ReadRequest): Promise<OpenedRead> {
  const { need, seen, told, spool, signal } = request;
  const { fileColumns, onError, sampleSize = DEFAULT_SAMPLE_SIZE } = rowOptions(request);
  const tag = textOption(need.options, 'row_tag');
  const encoding = textOption(need.options, 'encoding') ?? null;
  const isCollection = told.own === null ? tag !== undefined || namesSeveral(need.location) : told.own.kind === 'CollectionType';
  const rows: XmlRows = rowsOf({ tag, isToldCollection: told.own?.kind === 'CollectionType', isPattern: namesSeveral(need.location) });
  const nodesOf = (file: SeenFile, until: AbortSignal): AsyncIterable<readonly XmlNode[]> =>
    ofFile(file.found.path, xmlNodes(textOf(file, encoding, until), rows));
  const found =
    told.own === null
      ? await infer(
          samplesOf(seen).map((file) => ({ nodes: nodesOf(file, signal), isBeginning: file.found.isBeginning === true })),
          sampleSize,
        )
      : null;
  const rowType = found?.type ?? (told.own?.kind === 'CollectionType' ? told.own.element : told.own);
  if (rowType === null) throw new Error('a type is told or found');
  const isClosed = found?.isSampled ?? false;
  const maxLineBytes = rows.kind === 'root' ? Math.max(MAX_LINE_BYTES, ...seen.map(mostJsonBytes)) : MAX_LINE_BYTES;
  const copies = seen.map((file): Copy => ({
    key: `xml ${encoding ?? ''} ${onError ?? ''} ${isClosed ? 'closed ' : ''} ${JSON.stringify(rows)} ${printType(rowType)} ${file.found.identity}`,
    pieces: (until) =>
      ofFile(file.found.path, jsonLines(nodesOf(file, until), { rowType, isClosed, isSkipping: onError === 'skip', maxLineBytes })),
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
  return Math.min(2 * MAX_NODE_CHARACTERS, look.compression === null ? 3 * found.size : Infinity);
}

interface RowChoice {
  readonly tag: string | undefined;
  readonly isToldCollection: boolean;
  readonly isPattern: boolean;
}

/** A told collection without row_tag is what the root holds. */
function rowsOf({ tag, isToldCollection, isPattern: isOfPattern }: RowChoice): XmlRows {
  if (tag !== undefined) return { kind: 'named', tag };
  return isToldCollection && !isOfPattern ? { kind: 'children-of-root' } : { kind: 'root' };
}

function textOf({ found, look }: SeenFile, told: string | null, signal: AbortSignal): AsyncIterable<string> {
  const encoding = encodingOf(told ?? (look.mark === null ? look.declared : null), look);
  return decodeText({ path: found.path, compression: look.compression, encoding }, signal);
}

async function infer(
  files: readonly { readonly nodes: AsyncIterable<readonly XmlNode[]>; readonly isBeginning: boolean }[],
  sampleSize: number,
): Promise<{ readonly type: Type; readonly isSampled: boolean }> {
  const shape = new XmlShape();
  let left = sampleSize < 0 ? Infinity : sampleSize;
  let isSampled = false;
  for (const { nodes: batches, isBeginning } of files) {
    isSampled ||= isBeginning;
    for await (const nodes of isBeginning ? upToCut(batches) : batches) {
      for (const node of nodes) {
        if (left === 0) return { type: sampledRow(shape), isSampled: true };
        left -= 1;
        shape.add(node);
      }
    }
  }
  return { type: isSampled ? sampledRow(shape) : shape.type({ isSampled: false }), isSampled };
}

/** The elements of a document that is cut off somewhere; fails where not one is whole. */
async function* upToCut(batches: AsyncIterable<readonly XmlNode[]>): AsyncGenerator<readonly XmlNode[]> {
  let isEmpty = true;
  try {
    for await (const nodes of batches) {
      isEmpty &&= nodes.length === 0;
      yield nodes;
    }
  } catch (thrown) {
    if (isEmpty || !isEngineFailure(thrown) || thrown.failureClass !== 'unreadable') throw thrown;
  }
}

/**
 * As of JSON, a row beyond the sample that is nothing at all is a record of NULLs: records that may be NULL themselves
 * are read with all their fields, whichever are used.
 */
function sampledRow(shape: XmlShape): Type {
  const type = shape.type({ isSampled: true });
  return type.kind === 'RecordType' ? { ...type, isNullable: shape.type({ isSampled: false }).isNullable } : type;
}

interface Rows {
  readonly rowType: Type;
  /** The type comes from a sample: what it lacks is a failure. */
  readonly isClosed: boolean;
  readonly isSkipping: boolean;
  readonly maxLineBytes: number;
}

function jsonLines(
  nodes: AsyncIterable<readonly XmlNode[]>,
  { rowType, isClosed, isSkipping, maxLineBytes }: Rows,
): AsyncGenerator<Uint8Array> {
  const lines = new JsonLines(maxLineBytes);
  const write = xmlWriter(rowType, { isClosed });
  return linesOf(nodes, lines, (node) => {
    try {
      write(node, lines);
      lines.endLine();
    } catch (thrown) {
      if (!isSkipping || !isEngineFailure(thrown)) throw thrown;
      lines.dropLine();
    }
  });
}
