import type { Type } from '@svc/query-language';
import { printType, unify } from '@svc/query-language';
import { EngineFailure } from '@svc/query-engine';

import type { OpenedRead, ReadRequest } from '../../reading/read-request.ts';
import { rowOptions } from '../../reading/read-request.ts';
import { fetched, samplesOf, type SeenFile } from '../../reading/prepare-files.ts';
import type { Copy } from '../../spool/spool.ts';
import { ofFile } from '../of-file.ts';
import { readJsonCopies } from '../json-copy.ts';
import { openAvroFile } from './avro-file.ts';

/** Reads the schemas of Avro files; their values are read as copies in JSON. */
export async function openAvro(request: ReadRequest): Promise<OpenedRead> {
  const { seen, told, spool, signal } = request;
  const { fileColumns, onError } = rowOptions(request);
  const found = told.own === null ? await typeOfAll(samplesOf(seen), signal) : null;
  const rowType = found ?? elementOf(told.own);
  const copies = seen.map((file): Copy => ({
    key: `avro ${file.found.identity}`,
    pieces: (until) => ofFile(file.found.path, linesOf(file, until)),
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
  throw new EngineFailure('unreadable', `expected ${told === null ? 'a type' : printType(told)} but Avro is a collection`);
}

async function* linesOf({ found, look }: SeenFile, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { lines } = await openAvroFile({ path: found.path, compression: look.compression }, signal);
  yield* lines;
}

async function typeOfAll(seen: readonly SeenFile[], signal: AbortSignal): Promise<Type> {
  let all: Type | null = null;
  for (const { found, look } of seen) {
    const { shape, close } = await openAvroFile({ path: found.path, compression: look.compression }, signal);
    await close();
    const both: Type | null = all === null ? shape.type : unify(all, shape.type);
    if (both === null) throw new EngineFailure('unreadable', `${found.location} is ${printType(shape.type)}, and others are not`);
    all = both;
  }
  if (all === null) throw new Error('there is a file');
  return all;
}
