import type { CollectionType, FieldType, PrimitiveName, Type } from '@svc/query-language';
import { printType } from '@svc/query-language';

import type { EngineLease } from '../instances/engine-lease.ts';
import { quoteIdentifier } from '../representation/sql-text.ts';
import { dialectOptions } from '../readers/csv-reader.ts';
import { fileList } from '../readers/file-columns.ts';
import type { Compression, CsvDialect, CsvField, CsvReadPlan, FileColumn, OnError, ReadFile } from '../readers/read-plan.ts';
import { EngineFailure } from '../statements/engine-failure.ts';
import { runStatement, type StatementRow } from '../statements/run-statement.ts';
import { CELL_TYPES, INT_RANGE } from './cell-type.ts';
import { DEFAULT_SAMPLE_SIZE, type Inferred } from './inferred.ts';
import { sniffCsv, type SniffOptions } from './sniff-csv.ts';

/** What the caller says of CSV files and their rows; what is absent is found out. */
export interface CsvOptions extends SniffOptions {
  readonly onError?: OnError;
  /** Rows that inference looks at; -1 is all. */
  readonly sampleSize?: number;
  /** The type of a row, told: nothing is inferred but the dialect. */
  readonly rowType?: Type;
  readonly fileColumns?: readonly FileColumn[];
}

/** More columns than anybody reads: the statement that looks at them would take minutes. */
const MAX_COLUMNS = 10_000;

/**
 * Finds out how files are written as CSV, by the first one, and the type of their rows. Fails with an EngineFailure
 * `csv` where a file is none, or lacks a field of a told type that is not nullable.
 */
export async function inferCsv(lease: EngineLease, files: readonly ReadFile[], options: CsvOptions): Promise<Inferred<CsvReadPlan>> {
  const [first] = files;
  if (first === undefined) throw new EngineFailure('missing-file', 'there is no file to read');
  const { dialect, names } = await sniffCsv(first.path, options);
  if (names.length > MAX_COLUMNS)
    throw new EngineFailure('csv', `the file has ${names.length} columns, more than the ${MAX_COLUMNS} that can be read`);
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
  const sample = await lookAt(lease, { ...base, columns: names.length }, options);
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

/** A reader of all cells as text, columns `c0`, `c1` … */
function allText(files: readonly ReadFile[], reading: Parameters<typeof dialectOptions>[0], count: number): string {
  const columns = Array.from({ length: count }, (_, i) => `'${column(i)}': 'VARCHAR'`).join(', ');
  return `read_csv(${[fileList(files), ...dialectOptions(reading), `columns={${columns}}`].join(', ')})`;
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
}

type CellType = (typeof CELL_TYPES)[number];

/** Rows of the first of two passes, over a large sample. */
const FIRST_PASS_ROWS = 2000;

/**
 * For each column its NULLs, what its cells can be, and the range of its integers. A large sample is looked at twice:
 * what the first rows cannot be, all cannot be, so that few of the costly patterns are left.
 */
async function lookAt(lease: EngineLease, looked: Looked, options: CsvOptions): Promise<Sample> {
  const sampleSize = options.sampleSize ?? DEFAULT_SAMPLE_SIZE;
  const all = Array.from({ length: looked.columns }, () => CELL_TYPES);
  if (sampleSize >= 0 && sampleSize <= 2 * FIRST_PASS_ROWS) return lookOnce(lease, looked, { ...options, sampleSize, candidates: all });
  const first = await lookOnce(lease, looked, { ...options, sampleSize: FIRST_PASS_ROWS, candidates: all });
  if (!first.isSampled) return first;
  const candidates = all.map((types, i) =>
    Number(first.row[`n${i}`]) === 0 ? types : types.filter(({ name }) => first.row[`${name}${i}`] === true),
  );
  return lookOnce(lease, looked, { ...options, sampleSize, candidates });
}

interface Look extends CsvOptions {
  readonly sampleSize: number;
  /** For each column, what its cells might be. */
  readonly candidates: readonly (readonly CellType[])[];
}

async function lookOnce(lease: EngineLease, looked: Looked, { sampleSize, candidates, signal }: Look): Promise<Sample> {
  const items = candidates.flatMap((types, i) => columnItems(`s.${quoteIdentifier(column(i))}`, i, types));
  const limit = sampleSize < 0 ? '' : ` LIMIT ${sampleSize + 1}`;
  const sql = `SELECT count(*)::BIGINT AS n, ${items.join(',\n')} FROM (SELECT * FROM ${allText(looked.files, looked, looked.columns)}${limit}) AS s`;
  const [row = {}] = await runStatement(lease, { sql, signal });
  return { row, isSampled: sampleSize >= 0 && Number(row['n']) > sampleSize };
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

/** A told record finds its columns by the header's names, without regard to case if need be; without a header, or told one value, by place. */
function matchFields(rowType: Type, names: readonly string[], hasHeader: boolean): readonly CsvField[] {
  if (rowType.kind !== 'RecordType') throw new EngineFailure('csv', 'a row of CSV is a record');
  return rowType.fields.map((field, place) => {
    if (field.type.kind !== 'PrimitiveType' && field.type.kind !== 'AnyType')
      throw new EngineFailure('csv', `column ${field.name}: a cell cannot be ${printType(field.type)}`);
    const exact = names.indexOf(field.name);
    const byName = exact >= 0 ? exact : names.findIndex((name) => name.toLowerCase() === field.name.toLowerCase());
    const column = byName >= 0 || hasHeader ? byName : place;
    if (column >= 0 && column < names.length) return { field, column };
    if (field.type.isNullable) return { field, column: null };
    throw new EngineFailure('csv', `the file has no column ${field.name}`);
  });
}
