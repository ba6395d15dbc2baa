import { extname } from 'node:path';

import type { ExecutorPaths } from '@svc/api-client';

import { UsageError } from '../failures/cli-errors.ts';

type QueryHeaders = NonNullable<ExecutorPaths['/query']['post']['parameters']['header']>;

/** The name of a format, as the executor has it. */
export type ResultFormat = NonNullable<QueryHeaders['X-SVC-output-format']>;

/** The formats of a result, and the extensions of files that have them. */
export const RESULT_FORMATS: Readonly<Record<ResultFormat, { readonly isText: boolean; readonly extensions: readonly string[] }>> = {
  hjson: { isText: true, extensions: ['.hjson', '.jsonl', '.ndjson', '.txt'] },
  json: { isText: true, extensions: ['.json'] },
  csv: { isText: true, extensions: ['.csv'] },
  sqlite: { isText: false, extensions: ['.sqlite', '.sqlite3', '.db'] },
  'parquet-raw': { isText: false, extensions: ['.parquet'] },
  'parquet-avro': { isText: false, extensions: [] },
};

/** Their names. */
export const FORMAT_NAMES = Object.keys(RESULT_FORMATS) as ResultFormat[]; // the keys of the table above

/** Returns the format of a file extension; hjson of none. Throws a UsageError of another one: a file would not be what its name says. */
export function formatOf(file: string | undefined): ResultFormat {
  const extension = extname(file ?? '').toLowerCase();
  if (extension === '') return 'hjson';
  const format = FORMAT_NAMES.find((name) => RESULT_FORMATS[name].extensions.includes(extension));
  if (format === undefined)
    throw new UsageError(`No format has the extension ${extension}: --format takes one of ${FORMAT_NAMES.join(', ')}.`);
  return format;
}
