import { assertNever } from '@svc/query-language';
import { lineOfRecord } from '@svc/text-formats';

import type { EngineLease } from '../instances/engine-lease.ts';
import { memberNames } from '../representation/member-names.ts';
import { quoteIdentifier } from '../representation/sql-text.ts';
import { isEngineFailure } from '../statements/engine-failure.ts';
import { readingParquet } from '../statements/parquet-fault.ts';
import { runStatement } from '../statements/run-statement.ts';
import { textCells, textField } from './csv-reader.ts';
import { failSilently, type Raise } from './from-text.ts';
import { documentsOf, jsonMember, modeOf } from './json-reader.ts';
import { parquetFiles } from './parquet-files.ts';
import type { CsvReadPlan, JsonReadPlan, ParquetReadPlan, ReadPlan } from './read-plan.ts';

/** The position of a value that a plan cannot read. */
export interface MisreadPlace {
  /** Location as the user wrote it. */
  readonly location: string;
  /** `line 7`, or `element 7` of an array, or empty if the file is one value. */
  readonly place: string;
  /** Description of the fault; null if unknown: the statement may have failed on another row. */
  readonly message: string | null;
}

/**
 * Finds the first row that the plan cannot read, which the failed statement does not identify. `column` is the field that
 * the failure named; null for any. Null if all rows can be read, or the row cannot be determined.
 */
export async function locateMisread(
  lease: EngineLease,
  plan: ReadPlan,
  { column, signal }: { readonly column: string | null; readonly signal: AbortSignal },
): Promise<MisreadPlace | null> {
  if (plan.kind === 'text') return null;
  if (plan.kind === 'parquet' && column === null) return findBroken(lease, plan, signal);
  for (const [i, file] of plan.files.entries()) {
    const search = searchOf(plan, i, column);
    if (search === null) return null;
    const numbered = `(SELECT row_number() OVER () AS "${ROW}", * FROM ${search.from}) AS f`;
    const [row] = await runStatement(lease, {
      sql: `SELECT f."${ROW}"::BIGINT AS n FROM ${numbered} WHERE ${search.isBad} LIMIT 1`,
      signal,
    });
    if (row === undefined) continue;
    const ordinal = Number(row['n']);
    const sql = `SELECT ${search.value} AS v FROM ${numbered} WHERE f."${ROW}" = ${ordinal} LIMIT 1`;
    const message = await failureOf(runStatement(lease, { sql, signal }));
    return { location: file.location, place: await placeOf(plan, i, { ordinal, signal }), message };
  }
  return null;
}

function searchOf(plan: CsvReadPlan | JsonReadPlan | ParquetReadPlan, i: number, column: string | null): Search | null {
  switch (plan.kind) {
    case 'csv':
      return csvSearch(plan, i, column);
    case 'json':
      return jsonSearch(plan, i, column);
    case 'parquet':
      return parquetSearch(plan, i, column);
    default:
      return assertNever(plan);
  }
}

/** The first file that cannot be read to its end. */
async function findBroken(lease: EngineLease, { files }: ParquetReadPlan, signal: AbortSignal): Promise<MisreadPlace | null> {
  for (const file of files) {
    // A count reads the numbers of rows in the footer, and no column.
    const from = parquetFiles([file]);
    const sql = `SELECT (SELECT count(*) FROM ${from}) AS n, max(hash(*COLUMNS(*))) AS v FROM ${from}`;
    const message = await failureOf(readingParquet(lease, () => runStatement(lease, { sql, signal })));
    if (message !== null) return { location: file.location, place: '', message };
  }
  return null;
}

/** Not a possible name of a file's column. */
const ROW = 'svc:row';

const FAILURES: ReadonlySet<string> = new Set(['csv', 'json', 'parquet']);

async function failureOf(running: Promise<unknown>): Promise<string | null> {
  try {
    await running;
    return null;
  } catch (thrown) {
    if (isEngineFailure(thrown) && FAILURES.has(thrown.failureClass)) return thrown.message;
    throw thrown;
  }
}

async function placeOf(
  plan: CsvReadPlan | JsonReadPlan | ParquetReadPlan,
  i: number,
  at: { readonly ordinal: number; readonly signal: AbortSignal },
): Promise<string> {
  if (plan.kind === 'parquet') return `row ${at.ordinal}`;
  const path = plan.files[i]?.path ?? '';
  const { compression } = plan;
  if (plan.kind === 'csv') {
    const { dialect } = plan;
    const record = at.ordinal + (dialect.hasHeader ? 1 : 0);
    return `line ${await lineOfRecord({ path, compression, dialect, record, isBlankSkipped: plan.columns.length > 1, signal: at.signal })}`;
  }
  if (!plan.isCollection) return '';
  if (plan.layouts[i] !== 'newline_delimited') return `element ${at.ordinal}`;
  if (plan.countedAs === 'element' || plan.countedAs === 'value') return `${plan.countedAs} ${at.ordinal}`;
  const dialect = { quote: '', escape: '', delimiter: '', skip: 0 };
  return `${plan.countedAs} ${await lineOfRecord({ path, compression, dialect, record: at.ordinal, isBlankSkipped: true, signal: at.signal })}`;
}

interface Search {
  /** A relation `f`. */
  readonly from: string;
  readonly isBad: string;
  /** Fails on a bad row, with the reason. */
  readonly value: string;
}

/** Returns the search for a row with an invalid cell. */
function csvSearch(plan: CsvReadPlan, i: number, column: string | null): Search | null {
  const names = memberNames(plan.columns);
  const cells = plan.fields.flatMap((csvField) =>
    csvField.column === null || (column !== null && csvField.field.name !== column)
      ? []
      : [{ csvField, x: `f.${quoteIdentifier(names[csvField.column] ?? '')}` }],
  );
  if (cells.length === 0) return null;
  return triedSearch(`${textCells({ ...plan, files: plan.files.slice(i, i + 1) }, names)} AS f`, (raise) =>
    cells.map(({ csvField, x }) => textField(x, csvField, plan, raise)),
  );
}

/** Returns the search for a document that cannot be converted. */
function jsonSearch(plan: JsonReadPlan, i: number, column: string | null): Search {
  const mode = { ...modeOf(plan), isTrusted: false };
  return triedSearch(documentsOf(plan, i), (raise) => [jsonMember(plan.rowType, column, { ...mode, raise })]);
}

/** Returns the search for a row of which a value cannot be evaluated. */
function triedSearch(from: string, valuesOf: (raise?: Raise) => readonly string[]): Search {
  return { from, isBad: `TRY(${packed(valuesOf(failSilently))}) IS NULL`, value: packed(valuesOf()) };
}

function packed(values: readonly string[]): string {
  return `struct_pack(${values.map((value, n) => `v${n} := ${value}`).join(', ')})`;
}

/** Returns the search for a row with an invalid value. */
function parquetSearch(plan: ParquetReadPlan, i: number, column: string | null): Search | null {
  const file = plan.files[i];
  const part = plan.parts.find(({ files }) => file !== undefined && files.includes(file));
  const wanted = (part?.columns ?? []).flatMap(({ field, value, isUnfit }) =>
    isUnfit === null || field.name !== column ? [] : [{ value, isUnfit }],
  );
  if (file === undefined || wanted.length === 0) return null;
  return {
    from: `${parquetFiles([file])} AS f`,
    isBad: wanted.map(({ isUnfit }) => isUnfit).join(' OR '),
    value: packed(wanted.map(({ value }) => value)),
  };
}
