import type { Type } from '@svc/query-language';
import { printType } from '@svc/query-language';
import { ReadFailure } from '@svc/text-formats';

import type { OpenedRead, ReadRequest } from '../../reading/read-request.ts';
import { rowOptions } from '../../reading/read-request.ts';
import { fetched, samplesOf, type SeenFile } from '../../reading/prepare-files.ts';
import type { Copy } from '../../spool/spool.ts';
import { readJsonCopies } from '../json-copy.ts';
import type { AvroLinesJob } from './decode-avro.ts';

/** Reads the schemas of Avro files; their values are read as copies in JSON. */
export async function openAvro(request: ReadRequest): Promise<OpenedRead> {
  const { seen, told, spool, threads } = request;
  const { fileColumns, onError } = rowOptions(request);
  const found = told.own === null ? await threads.find('avro-type', { files: samplesOf(seen).map(avroFile) }, request) : null;
  const rowType = found?.type ?? elementOf(told.own);
  const copies = seen.map((file): Copy => ({
    key: `avro ${file.found.identity}`,
    pieces: (signal, caller) => threads.decode('avro-lines', avroFile(file), { caller, signal }),
  }));
  return readJsonCopies({
    format: 'avro',
    files: seen.map((file, i) => ({ path: spool.pathOf(copies[i] as Copy), location: file.found.location })), // One for each file.
    copies: [...fetched(seen), ...copies],
    rowType,
    isCollection: true,
    isSampled: false,
    isTrusted: found !== null,
    onError,
    fileColumns,
    maxObjectBytes: 0,
  });
}

function elementOf(told: Type | null): Type {
  if (told?.kind === 'CollectionType') return told.element;
  throw new ReadFailure('unreadable', `expected ${told === null ? 'a type' : printType(told)} but Avro is a collection`);
}

function avroFile({ found, look }: SeenFile): AvroLinesJob {
  return { path: found.path, compression: look.compression, location: found.location };
}
