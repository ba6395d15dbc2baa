import type { PrimitiveName, Type } from '@svc/query-language';
import { CELL_TYPES, INT_RANGE } from '@svc/text-formats';

import type { EngineLease } from '../instances/engine-lease.ts';
import { quoteIdentifier } from '../representation/sql-text.ts';
import { textCells } from '../readers/csv-reader.ts';
import type { CsvReadPlan } from '../readers/read-plan.ts';
import { runStatement, type StatementRow } from '../statements/run-statement.ts';
import { DEFAULT_SAMPLE_SIZE } from './inferred.ts';

/** CSV files of a known dialect. */
export interface UntypedCsv extends Pick<CsvReadPlan, 'files' | 'dialect' | 'compression' | 'onError'> {
  /** Number of columns. */
  readonly columns: number;
  /** The first rows, as texts. */
  readonly rows: readonly (readonly string[])[];
}

/** Limits of inference. */
export interface CsvSampling {
  /** Maximum number of rows that are read; -1 for all. */
  readonly sampleSize?: number;
  readonly signal: AbortSignal;
}

/** Type of a column, and whether it is an integer type of a sample of which a double holds each number exactly. */
export interface CsvColumnType {
  readonly type: Type;
  readonly fitsDouble: boolean;
}

/**
 * Infers the types of the columns: the narrowest to which all cells convert. Of a sample, integers are long and every type is
 * nullable. Fails with an EngineFailure.
 */
export async function csvColumnTypes(
  lease: EngineLease,
  csv: UntypedCsv,
  sampling: CsvSampling,
): Promise<{ readonly columns: readonly CsvColumnType[]; readonly isSampled: boolean }> {
  const sample = await lookAt(lease, csv, sampling);
  const { isSampled } = sample;
  return { columns: Array.from({ length: csv.columns }, (_, i) => columnType(sample, i)), isSampled };
}

function column(index: number): string {
  return `c${index}`;
}

interface Sample {
  readonly row: StatementRow;
  readonly isSampled: boolean;
}

type CellType = (typeof CELL_TYPES)[number];

/** Maximum number of cells that inference reads of a wide file by default: it is read once per group of columns. */
const MAX_CELLS = 10_000_000;

/** Returns NULLs, possible types and integer range of each column. */
async function lookAt(lease: EngineLease, looked: UntypedCsv, { sampleSize: told, signal }: CsvSampling): Promise<Sample> {
  const sampleSize = told ?? Math.min(DEFAULT_SAMPLE_SIZE, Math.ceil(MAX_CELLS / looked.columns));
  const limit = sampleSize < 0 ? '' : ` LIMIT ${sampleSize + 1}`;
  const candidates = candidatesOf(sampleSize < 0 ? looked : { ...looked, rows: looked.rows.slice(0, sampleSize) });
  const groups = groupsOf(candidates);
  const names = Array.from({ length: looked.columns }, (_, i) => column(i));
  // The groups of a wide file leave little memory for buffers.
  const files = textCells(looked, names, groups.length > 1 ? ['buffer_size=8388608'] : []);
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
function candidatesOf({ columns, rows, dialect }: UntypedCsv): readonly (readonly CellType[])[] {
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

function columnType({ row, isSampled }: Sample, i: number): CsvColumnType {
  const isNullable = isSampled || Number(row[`n${i}`]) < Number(row['n']) || Number(row['n']) === 0;
  const fitting: PrimitiveName = CELL_TYPES.find(({ name }) => row[`${name}${i}`] === true)?.name ?? 'string';
  const isWithin = ({ min, max }: IntegerRange): boolean => [row[`min${i}`], row[`max${i}`]].every((text) => isBetween(text, min, max));
  const name = fitting === 'long' && !isSampled && isWithin(INT_RANGE) ? 'int' : fitting;
  return { type: { kind: 'PrimitiveType', name, isNullable }, fitsDouble: fitting === 'long' && isSampled && isWithin(DOUBLE_RANGE) };
}

interface IntegerRange {
  readonly min: bigint;
  readonly max: bigint;
}

/** The integers that a double holds exactly, each apart from the next. */
const DOUBLE_RANGE: IntegerRange = { min: BigInt(Number.MIN_SAFE_INTEGER), max: BigInt(Number.MAX_SAFE_INTEGER) };

function isBetween(text: StatementRow[string] | undefined, min: bigint, max: bigint): boolean {
  return typeof text === 'string' && BigInt(text) >= min && BigInt(text) <= max;
}
