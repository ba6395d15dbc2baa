import type { CollectionType, FieldType, PrimitiveName, Type } from '@svc/query-language';
import { printType } from '@svc/query-language';
import {
  CELL_TYPES,
  checkCsvHeaders,
  INT_RANGE,
  ReadFailure,
  sniffCsv,
  type Compression,
  type CsvDialect,
  type SniffOptions,
} from '@svc/text-formats';

import type { EngineLease } from '../instances/engine-lease.ts';
import { quoteIdentifier } from '../representation/sql-text.ts';
import { dialectOptions } from '../readers/csv-reader.ts';
import { fileList } from '../readers/file-columns.ts';
import type { CsvField, CsvReadPlan, FileColumn, OnError, ReadFile } from '../readers/read-plan.ts';
import { runStatement, type StatementRow } from '../statements/run-statement.ts';
import { DEFAULT_SAMPLE_SIZE, type Inferred } from './inferred.ts';

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
export async function inferCsv(lease: EngineLease, files: readonly ReadFile[], options: CsvOptions): Promise<Inferred<CsvReadPlan>> {
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
  const sample = await lookAt(lease, { ...base, columns: names.length, rows }, options);
  const columns = names.map((name, i): FieldType => ({ name, type: columnType(sample, i) }));
  const ofFiles = new Set(base.fileColumns.map(({ field }) => field.name));
  const fields = columns.map((field, column) => ({ field, column })).filter(({ field }) => !ofFiles.has(field.name));
  return inferred({ ...base, columns, fields, isTrusted: !sample.isSampled, areIntegersWhole: !sample.isSampled }, sample.isSampled);
}

function inferred(plan: CsvReadPlan, isSampled: boolean): Inferred<CsvReadPlan> {
  const fields = [...plan.fields, ...plan.fileColumns].map(({ field }) => field);
  const type: CollectionType = { kind: 'CollectionType', element: { kind: 'RecordType', fields, isNullable: false }, isNullable: false };
  return { type, plan, isSampled };
}

const STRING: Type = { kind: 'PrimitiveType', name: 'string', isNullable: true };

function column(index: number): string {
  return `c${index}`;
}

/** A reader of all cells as text, columns `c0`, `c1` … Wide files leave little memory for buffers. */
function allText(looked: Looked, isWide: boolean): string {
  const columns = Array.from({ length: looked.columns }, (_, i) => `'${column(i)}': 'VARCHAR'`).join(', ');
  const buffer = isWide ? ['buffer_size=8388608'] : [];
  return `read_csv(${[fileList(looked.files), ...dialectOptions(looked), ...buffer, `columns={${columns}}`].join(', ')})`;
}

interface Sample {
  readonly row: StatementRow;
  readonly isSampled: boolean;
}

interface Looked {
  readonly files: readonly ReadFile[];
  readonly dialect: CsvDialect;
  readonly compression: Compression | null;
  readonly onError: OnError;
  readonly columns: number;
  /** The first rows, as texts. */
  readonly rows: readonly (readonly string[])[];
}

type CellType = (typeof CELL_TYPES)[number];

/** Maximum number of cells that inference reads of a wide file by default: it is read once per group of columns. */
const MAX_CELLS = 10_000_000;

/** Returns NULLs, possible types and integer range of each column. */
async function lookAt(lease: EngineLease, looked: Looked, { sampleSize: told, signal }: CsvOptions): Promise<Sample> {
  const sampleSize = told ?? Math.min(DEFAULT_SAMPLE_SIZE, Math.ceil(MAX_CELLS / looked.columns));
  const limit = sampleSize < 0 ? '' : ` LIMIT ${sampleSize + 1}`;
  const candidates = candidatesOf(sampleSize < 0 ? looked : { ...looked, rows: looked.rows.slice(0, sampleSize) });
  const groups = groupsOf(candidates);
  const files = allText(looked, groups.length > 1);
  const row: Record<string, StatementRow[string]> = {};
  for (const group of groups) {
    const items = group.flatMap((i) => columnItems(`s.${quoteIdentifier(column(i))}`, i, candidates[i] ?? []));
    const columns = group.map((i) => quoteIdentifier(column(i))).join(', ');
    const sql = `SELECT count(*)::BIGINT AS n, ${items.join(',\n')} FROM (SELECT ${columns} FROM ${files}${limit}) AS s`;
    const [part = {}] = await runStatement(lease, { sql, signal });
    Object.assign(row, part);
  }
  return { row, isSampled: looked.files.some((file) => file.isBeginning) || (sampleSize >= 0 && Number(row['n']) > sampleSize) };
}

const PATTERNS = CELL_TYPES.map((type) => ({ type, pattern: new RegExp(type.pattern) }));

/** Returns the possible types of each column. The first rows exclude most types, so that few of the expensive patterns remain. */
function candidatesOf({ columns, rows, dialect }: Looked): readonly (readonly CellType[])[] {
  const nulls = new Set(['', ...dialect.nulls]);
  return Array.from({ length: columns }, (_, i) => {
    let left = PATTERNS;
    for (const { [i]: cell } of rows) {
      if (cell === undefined || nulls.has(cell) || left.every(({ pattern }) => pattern.test(cell))) continue;
      left = left.filter(({ pattern }) => pattern.test(cell));
    }
    return left.map(({ type }) => type);
  });
}

/** Limits of one statement: its memory grows with the number of columns and of their possible types. */
const MAX_GROUP = { columns: 400, patterns: 1500 } as const;

/** The columns in groups; those of a typical file are one. */
function groupsOf(candidates: readonly (readonly CellType[])[]): readonly (readonly number[])[] {
  const groups: number[][] = [[]];
  let patterns = 0;
  candidates.forEach((types, i) => {
    patterns += types.length;
    if ((groups.at(-1)?.length ?? 0) >= MAX_GROUP.columns || patterns > MAX_GROUP.patterns) {
      groups.push([]);
      patterns = types.length;
    }
    groups.at(-1)?.push(i);
  });
  return groups;
}

function columnItems(x: string, i: number, types: readonly CellType[]): readonly string[] {
  const fits = types.map(
    ({ name, pattern, engineType }) =>
      `coalesce(bool_and(CASE WHEN ${x} IS NOT NULL THEN regexp_matches(${x}, '${pattern}') AND TRY_CAST(${x} AS ${engineType}) IS NOT NULL END), false) AS ${name}${i}`,
  );
  const long = `TRY_CAST(${x} AS BIGINT)`;
  if (!types.some(({ name }) => name === 'long')) return [`count(${x})::BIGINT AS n${i}`, ...fits];
  return [`count(${x})::BIGINT AS n${i}`, ...fits, `min(${long})::VARCHAR AS min${i}`, `max(${long})::VARCHAR AS max${i}`];
}

function columnType({ row, isSampled }: Sample, i: number): Type {
  const isNullable = isSampled || Number(row[`n${i}`]) < Number(row['n']) || Number(row['n']) === 0;
  const fitting: PrimitiveName = CELL_TYPES.find(({ name }) => row[`${name}${i}`] === true)?.name ?? 'string';
  const name = fitting === 'long' && !isSampled && isInt(row[`min${i}`]) && isInt(row[`max${i}`]) ? 'int' : fitting;
  return { kind: 'PrimitiveType', name, isNullable };
}

function isInt(text: StatementRow[string] | undefined): boolean {
  if (typeof text !== 'string') return false;
  const value = BigInt(text);
  return value >= INT_RANGE.min && value <= INT_RANGE.max;
}

/**
 * Matches the fields of a declared record to columns by header name, exact case first; without a header, or for a single
 * value, by position.
 */
function matchFields(rowType: Type, names: readonly string[], hasHeader: boolean): readonly CsvField[] {
  if (rowType.kind !== 'RecordType') throw new ReadFailure('csv', 'a row of CSV is a record');
  return rowType.fields.map((field, place) => {
    if (field.type.kind !== 'PrimitiveType' && field.type.kind !== 'AnyType')
      throw new ReadFailure('csv', `column ${field.name}: a cell cannot be ${printType(field.type)}`);
    const exact = names.indexOf(field.name);
    const byName = exact >= 0 ? exact : names.findIndex((name) => name.toLowerCase() === field.name.toLowerCase());
    const column = byName >= 0 || hasHeader ? byName : place;
    if (column >= 0 && column < names.length) return { field, column };
    if (field.type.isNullable) return { field, column: null };
    throw new ReadFailure('csv', `the file has no column ${field.name}`);
  });
}
