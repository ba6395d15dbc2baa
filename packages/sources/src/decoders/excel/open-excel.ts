import type { Type } from '@svc/query-language';
import { printType } from '@svc/query-language';
import { DEFAULT_SAMPLE_SIZE } from '@svc/query-engine';
import { ReadFailure } from '@svc/text-formats';

import type { OpenedRead, ReadRequest } from '../../reading/read-request.ts';
import { rowOptions, textOption } from '../../reading/read-request.ts';
import { fetched } from '../../reading/prepare-files.ts';
import type { Copy } from '../../spool/spool.ts';
import { readJsonCopies } from '../json-copy.ts';
import type { SheetLook } from './decode-excel.ts';
import type { SheetPlace } from './sheet-rows.ts';

/** Finds out the columns of a sheet of Excel workbooks by the first one; they are read as copies in JSON. */
export async function openExcel(request: ReadRequest): Promise<OpenedRead> {
  const { need, seen, told, spool, threads } = request;
  const { fileColumns, onError, sampleSize = DEFAULT_SAMPLE_SIZE } = rowOptions(request);
  const places = seen.map(({ found }): SheetPlace => ({
    path: found.path,
    sheet: textOption(need.options, 'sheet') ?? null,
    skip: typeof need.options['skip'] === 'number' ? need.options['skip'] : 0,
  }));
  const header = need.options['has_header'];
  const look = await threads.find('excel-look', { places, header: typeof header === 'boolean' ? header : null, sampleSize }, request);
  const rowType = told.own === null ? look.type : toldRow(told.own);
  const names = told.own === null ? look.names : namesFor(rowType, look);
  const copies = places.map((place, i): Copy => ({
    key: `excel ${JSON.stringify([place.sheet, place.skip, look.hasHeader, names])} ${seen[i]?.found.identity ?? ''}`,
    pieces: (signal, caller) =>
      threads.decode('excel-lines', { place, names, hasHeader: look.hasHeader, width: look.names.length }, { caller, signal }),
  }));
  return readJsonCopies({
    format: 'excel',
    files: seen.map(({ found }, i) => ({ path: spool.pathOf(copies[i] as Copy), location: found.location })), // One for each file.
    copies: [...fetched(seen), ...copies],
    rowType,
    isCollection: true,
    isSampled: told.own === null && look.isSampled,
    isTrusted: told.own === null && !look.isSampled,
    onError,
    fileColumns,
    maxObjectBytes: 0,
  });
}

function toldRow(told: Type): Type {
  if (told.kind === 'CollectionType' && told.element.kind === 'RecordType') return told.element;
  throw new ReadFailure('unreadable', `expected ${printType(told)} but a sheet is a collection of records`);
}

/** Returns the name of each column in a declared type: by its header, exact case first, or by position. */
function namesFor(rowType: Type, look: SheetLook): readonly string[] {
  const fields = rowType.kind === 'RecordType' ? rowType.fields : [];
  const named = look.names.map((name, i) => {
    const exact = fields.find((field) => field.name === name);
    if (exact !== undefined) return exact.name;
    if (!look.hasHeader) return fields[i]?.name ?? name;
    return fields.find((field) => field.name.toLowerCase() === name.toLowerCase() && !look.names.includes(field.name))?.name ?? name;
  });
  const missing = fields.find((field) => !field.type.isNullable && !named.includes(field.name));
  if (missing !== undefined) throw new ReadFailure('unreadable', `the sheet has no column ${missing.name}`);
  return named;
}
