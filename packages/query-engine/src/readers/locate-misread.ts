import type { EngineLease } from '../instances/engine-lease.ts';
import { memberNames } from '../representation/member-names.ts';
import { quoteIdentifier } from '../representation/sql-text.ts';
import { runStatement } from '../statements/run-statement.ts';
import { allText } from './csv-reader.ts';
import { failSilently, isUnfit } from './from-text.ts';
import { documentsOf, jsonMember } from './json-reader.ts';
import { lineOfRecord } from './line-of-record.ts';
import type { CsvReadPlan, JsonReadPlan, ReadFile, ReadPlan } from './read-plan.ts';

/** Where a file holds what its plan cannot read. */
export interface MisreadPlace {
  /** As the caller writes it. */
  readonly location: string;
  /** `line 7`, or `element 7` of an array, or nothing where the file is one value. */
  readonly place: string;
}

/**
 * Finds the first row that the plan cannot read: the statement that failed does not know it. `column` is the field that the
 * failure named; null: any. Null where all can be read, or nobody can tell.
 */
export async function locateMisread(
  lease: EngineLease,
  plan: ReadPlan,
  { column, signal }: { readonly column: string | null; readonly signal: AbortSignal },
): Promise<MisreadPlace | null> {
  if (plan.kind !== 'csv' && plan.kind !== 'json') return null;
  for (const [i, file] of plan.files.entries()) {
    const sql = plan.kind === 'csv' ? csvSearch(plan, file, column) : jsonSearch(plan, i, column);
    if (sql === null) return null;
    const [row] = await runStatement(lease, { sql, signal });
    if (row === undefined) continue;
    const ordinal = Number(row['n']);
    return { location: file.location, place: await placeOf(plan, i, { ordinal, signal }) };
  }
  return null;
}

async function placeOf(plan: CsvReadPlan | JsonReadPlan, i: number, at: { readonly ordinal: number; readonly signal: AbortSignal }) {
  const path = plan.files[i]?.path ?? '';
  const { compression } = plan;
  if (plan.kind === 'csv') {
    const { dialect } = plan;
    const record = at.ordinal + (dialect.hasHeader ? 1 : 0);
    return `line ${await lineOfRecord({ path, compression, dialect, record, isBlankSkipped: plan.columns.length > 1, signal: at.signal })}`;
  }
  if (!plan.isCollection) return '';
  if (plan.layouts[i] !== 'newline_delimited') return `element ${at.ordinal}`;
  const dialect = { quote: '', escape: '', delimiter: '', skip: 0 };
  return `line ${await lineOfRecord({ path, compression, dialect, record: at.ordinal, isBlankSkipped: true, signal: at.signal })}`;
}

/** No column of a file is called so. */
const ROW = 'svc:row';

/** The first row with a cell that is none of its type. */
function csvSearch(plan: CsvReadPlan, file: ReadFile, column: string | null): string | null {
  const names = memberNames(plan.columns);
  const conditions = plan.fields.flatMap(({ field, column: index }) => {
    const { type } = field;
    if (index === null || type.kind !== 'PrimitiveType' || (column !== null && field.name !== column)) return [];
    return [isUnfit(`f.${quoteIdentifier(names[index] ?? '')}`, type, 'csv')];
  });
  if (conditions.length === 0) return null;
  return `SELECT f."${ROW}"::BIGINT AS n FROM (SELECT row_number() OVER () AS "${ROW}", * FROM ${allText(plan, [file])}) AS f WHERE ${conditions.join(' OR ')} LIMIT 1`;
}

/** The first document of which nothing can be made. */
function jsonSearch(plan: JsonReadPlan, i: number, column: string | null): string | null {
  const mode = { isTrusted: false, isLenient: plan.onError === 'null', raise: failSilently };
  const value = jsonMember(plan.rowType, column, mode);
  if (value === null) return null;
  const documents = documentsOf(plan, i);
  return `SELECT f.n::BIGINT AS n FROM (SELECT row_number() OVER () AS n, json FROM ${documents}) AS f WHERE TRY(struct_pack(v := ${value})) IS NULL LIMIT 1`;
}
