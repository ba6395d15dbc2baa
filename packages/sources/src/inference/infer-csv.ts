import type { CollectionType, FieldType, Type } from '@svc/query-language';
import {
  csvColumnTypes,
  type CsvField,
  type CsvReadPlan,
  type EngineLease,
  type FileColumn,
  type Inferred,
  type OnError,
  type ReadFile,
} from '@svc/query-engine';
import { printType } from '@svc/query-language';
import { ReadFailure, sniffCsv, type SniffOptions } from '@svc/text-formats';

import { checkCsvHeaders } from './csv-headers.ts';

/** Options of CSV files and their rows; missing ones are inferred. */
export interface CsvOptions extends SniffOptions {
  readonly onError?: OnError;
  /** Maximum number of rows that inference reads; -1 for all. */
  readonly sampleSize?: number;
  /** Declared type of a row: only the dialect is inferred then. */
  readonly rowType?: Type;
  readonly fileColumns?: readonly FileColumn[];
}

/** Maximum number of columns: the inference statement would take minutes for more. */
const MAX_COLUMNS = 10_000;

/**
 * Infers the CSV dialect from the first file, and the type of the rows. Fails with a ReadFailure or an EngineFailure, `csv` if a file is not
 * CSV, or lacks a field of a declared type that is not nullable.
 */
export async function inferCsv(
  lease: () => Promise<EngineLease>,
  files: readonly ReadFile[],
  options: CsvOptions,
): Promise<Inferred<CsvReadPlan>> {
  const [first] = files;
  if (first === undefined) throw new ReadFailure('missing-file', 'there is no file to read');
  const { dialect, names, rows } = await sniffCsv(first.path, options);
  if (names.length > MAX_COLUMNS)
    throw new ReadFailure('csv', `the file has ${names.length} columns, more than the ${MAX_COLUMNS} that can be read`);
  if (dialect.hasHeader) await checkCsvHeaders(files, { names, dialect, options });
  const base = {
    kind: 'csv',
    files,
    dialect,
    fileColumns: options.fileColumns ?? [],
    onError: options.onError ?? 'fail',
    compression: options.compression ?? null,
  } as const;
  if (options.rowType !== undefined) {
    const fields = matchFields(options.rowType, names, dialect.hasHeader);
    const columns = names.map((name) => ({ name, type: STRING }));
    return inferred({ ...base, columns, fields, isTrusted: false, areIntegersWhole: false }, false);
  }
  const { columns: found, isSampled } = await csvColumnTypes(await lease(), { ...base, columns: names.length, rows }, options);
  const columns = names.map((name, i): FieldType => ({ name, type: found[i]?.type ?? STRING }));
  const ofFiles = new Set(base.fileColumns.map(({ field }) => field.name));
  const fields = columns
    .map((field, column) => ({ field, column, fitsDouble: found[column]?.fitsDouble === true }))
    .filter(({ field }) => !ofFiles.has(field.name));
  return inferred({ ...base, columns, fields, isTrusted: !isSampled, areIntegersWhole: !isSampled }, isSampled);
}

function inferred(plan: CsvReadPlan, isSampled: boolean): Inferred<CsvReadPlan> {
  const fields = [...plan.fields, ...plan.fileColumns].map(({ field }) => field);
  const type: CollectionType = { kind: 'CollectionType', element: { kind: 'RecordType', fields, isNullable: false }, isNullable: false };
  return { type, plan, isSampled };
}

const STRING: Type = { kind: 'PrimitiveType', name: 'string', isNullable: true };

/**
 * Matches the fields of a declared record to columns by header name, exact case first; without a header, or for a single
 * value, by position.
 */
function matchFields(rowType: Type, names: readonly string[], hasHeader: boolean): readonly CsvField[] {
  if (rowType.kind !== 'RecordType') throw new ReadFailure('csv', 'a row of CSV is a record');
  const columns = new Map<number, string>();
  return rowType.fields.map((field, place) => {
    if (field.type.kind !== 'PrimitiveType' && field.type.kind !== 'AnyType')
      throw new ReadFailure('csv', `column ${field.name}: a cell cannot be ${printType(field.type)}`);
    const exact = names.indexOf(field.name);
    const byName = exact >= 0 ? exact : names.findIndex((name) => name.toLowerCase() === field.name.toLowerCase());
    const column = byName >= 0 || hasHeader ? byName : place;
    if (column >= 0 && column < names.length) {
      const other = columns.get(column);
      if (other !== undefined) throw new ReadFailure('csv', `the fields ${other} and ${field.name} are both the column ${names[column]}`);
      columns.set(column, field.name);
      return { field, column };
    }
    if (field.type.isNullable) return { field, column: null };
    throw new ReadFailure('csv', `the file has no column ${field.name}`);
  });
}
