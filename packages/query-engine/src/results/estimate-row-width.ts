import type { DuckDBValue } from '@duckdb/node-api';
import { anyAborted } from '@svc/concurrency';
import type { PrimitiveName } from '@svc/query-language';

import type { EngineLease } from '../instances/engine-lease.ts';
import { sqlText } from '../sql/print-sql.ts';
import { joinSql, SQL, type Sql } from '../sql/sql.ts';
import { isEngineFailure } from '../statements/engine-failure.ts';
import { runStatement } from '../statements/run-statement.ts';
import type { FileColumn } from './file-rows.ts';

/** Rows that are to become a file. */
export interface RowsToWrite {
  readonly columns: readonly FileColumn[];
  /** The clause in which the columns' expressions stand. */
  readonly rowsSql: string;
  readonly parameters?: readonly DuckDBValue[] | undefined;
  readonly signal: AbortSignal;
  /** Maximum time to wait for the sample. */
  readonly sampleMillis?: number;
}

/**
 * Maximum average size. Threads that write gather the rows that each of them reads, 122,880 of a Parquet file as a rule,
 * until it is their turn. With rows of 67 bytes two threads take 200 MB, of 190 bytes 470 MB, and of 2 KB 2 GB and longer
 * than one thread.
 */
const SHORT_BYTES = 100;
/** A longer row in the sample indicates that others may be long, too. */
const LONGEST_BYTES = 2000;
/** Few enough to be found quickly if most rows are filtered out. */
const SAMPLE_ROWS = 4096;
const SAMPLE_MILLIS = 100;

/** Estimates from the first rows whether rows are short enough for several threads to write them; `long` if that takes too long. */
export async function estimateRowWidth(
  lease: EngineLease,
  { sampleMillis = SAMPLE_MILLIS, ...rows }: RowsToWrite,
): Promise<'short' | 'long'> {
  const { columns, rowsSql, parameters, signal } = rows;
  const widths = columns.map(widthOf);
  if (widths.includes(null)) return 'long';
  const fixed = widths.reduce<number>((sum, width) => sum + (typeof width === 'number' ? width : 0), 0);
  const texts = widths.flatMap((width) => (typeof width === 'number' || width === null ? [] : [width]));
  if (texts.length === 0) return fixed <= SHORT_BYTES ? 'short' : 'long';
  const bytes = joinSql(
    texts.map((text) => SQL`coalesce(${text}, 0)`),
    ' + ',
  );
  const sql = `SELECT avg(bytes) <= ${SHORT_BYTES - fixed} AND max(bytes) <= ${LONGEST_BYTES} AS short FROM (SELECT ${sqlText(bytes)} AS bytes ${rowsSql} LIMIT ${SAMPLE_ROWS})`;
  const late = AbortSignal.timeout(sampleMillis);
  try {
    const [row] = await runStatement(lease, { sql, ...(parameters && { parameters }), signal: anyAborted(signal, late) });
    return row?.['short'] === true ? 'short' : 'long';
  } catch (thrown) {
    // The failure occurs again when the rows are written, and is explained there.
    if (signal.aborted || !isEngineFailure(thrown) || thrown.isFatal) throw thrown;
    return 'long';
  }
}

/** Returns the width of a column's values in bytes, or the SQL that computes it; null if that would be expensive. */
function widthOf({ type, expression }: FileColumn): number | Sql | null {
  if (type.kind === 'AnyType') return SQL`strlen(CAST(${expression} AS VARCHAR))`;
  return type.kind === 'PrimitiveType' ? WIDTHS[type.name](expression) : null;
}

const WIDTHS: Readonly<Record<PrimitiveName, (x: Sql) => number | Sql>> = {
  byte: () => 1,
  short: () => 2,
  int: () => 4,
  long: () => 8,
  float: () => 4,
  double: () => 8,
  decimal: () => 16,
  bool: () => 1,
  string: (x) => SQL`strlen(${x})`,
  regex: (x) => SQL`strlen(${x})`,
  date: () => 4,
  time: () => 8,
  timestamp: () => 8,
  interval: () => 40,
  binary: (x) => SQL`octet_length(${x})`,
};
