import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { MOST_LINE_BYTES, prototypeText, type CsvReadPlan, type JsonReadPlan } from '@svc/query-engine';
import type { CollectionType } from '@svc/query-language';
import { readCsvHeader } from '@svc/text-formats';

import { tableColumns } from '../types/table-columns.ts';
import { RefusedRows } from './refused-rows.ts';
import type { RowFormat, SpooledRows } from './spool-rows.ts';

/** Location of the rows in messages of the engine. */
const ROWS = 'rows';

const BASE = { fileColumns: [], onError: 'fail', compression: null, isTrusted: false, isForStorage: true } as const;

/** Returns the plan by which the engine reads the rows of an upload, with the type of their table. Throws RefusedRows for an invalid header. */
export async function uploadPlan(
  rows: SpooledRows,
  { type, format, signal }: { readonly type: CollectionType; readonly format: RowFormat; readonly signal: AbortSignal },
): Promise<CsvReadPlan | JsonReadPlan> {
  const files = [{ path: rows.path, location: ROWS }];
  if (format === 'csv') return csvPlan({ files }, type, signal);
  const plan: JsonReadPlan = {
    ...BASE,
    kind: 'json',
    files,
    layouts: ['newline_delimited'],
    rowType: type.element,
    isCollection: true,
    areIntegersWhole: true,
    countedAs: 'line',
    maxObjectBytes: MOST_LINE_BYTES,
    isClosed: true,
  };
  const prototype = prototypeText(plan, 'newline_delimited');
  if (prototype === null) return plan;
  const path = join(rows.directory, 'prototype');
  await writeFile(path, prototype, { flag: 'wx', mode: 0o600 });
  return { ...plan, prototypes: { newline_delimited: path } };
}

async function csvPlan({ files }: Pick<CsvReadPlan, 'files'>, type: CollectionType, signal: AbortSignal): Promise<CsvReadPlan> {
  const path = files[0]?.path ?? '';
  const dialect = {
    delimiter: ',',
    quote: '"',
    escape: '"',
    hasHeader: true,
    skip: await blankLines(path, signal),
    nulls: [''],
    encoding: null,
  };
  const header = await readCsvHeader(path, dialect, { signal });
  if (header === null) throw new RefusedRows('line 1: there is no header: the first line names the fields');
  const line = dialect.skip + 1;
  const fields = tableColumns(type).columns.map(({ field }) => field);
  const columns = header.map((name, i) => {
    const field = fields.find((one) => one.name === name);
    if (field === undefined)
      throw new RefusedRows(
        `line ${line}, field ${name}: the table has no such field (known: ${fields.map((one) => one.name).join(', ')})`,
      );
    if (header.indexOf(name) !== i) throw new RefusedRows(`line ${line}, field ${name}: the header names it twice`);
    return field;
  });
  return {
    ...BASE,
    kind: 'csv',
    files,
    dialect,
    columns,
    fields: fields.map((field) => {
      const at = columns.indexOf(field);
      return { field, column: at < 0 ? null : at };
    }),
    areIntegersWhole: false,
  };
}

/** Counts the empty lines at the beginning of a file: the engine would take the first for the header. */
async function blankLines(path: string, signal: AbortSignal): Promise<number> {
  let lines = 0;
  for await (const piece of createReadStream(path, { signal, encoding: 'latin1' }) as AsyncIterable<string>) {
    const blank = /^[\r\n]*/.exec(piece)?.[0] ?? '';
    lines += blank.split('\n').length - 1;
    if (blank.length < piece.length) break;
  }
  return lines;
}
