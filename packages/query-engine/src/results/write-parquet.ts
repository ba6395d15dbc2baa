import type { DuckDBValue } from '@duckdb/node-api';

import type { EngineLease } from '../instances/engine-lease.ts';
import { memberNames } from '../representation/member-names.ts';
import { rowParts, type RelationLayout } from '../representation/relation-layout.ts';
import { quoteIdentifier } from '../representation/sql-text.ts';
import { copyToFile } from '../statements/copy-to-file.ts';

export interface FileRequest {
  readonly relationSql: string;
  readonly layout: RelationLayout;
  /** Values of `$1`, `$2`, …. */
  readonly parameters?: readonly DuckDBValue[] | undefined;
  /** A file in the spool. */
  readonly path: string;
  readonly signal: AbortSignal;
}

const ALIAS = 'r';

/** Writes a result as Parquet, nesting and all, as the engine does; bare values are a column `value`. The file is whole, or it fails with an EngineFailure. */
export async function writeParquetRaw(
  lease: EngineLease,
  { relationSql, layout, parameters, path, signal }: FileRequest,
): Promise<{ readonly rows: number }> {
  return copyToFile(lease, { sql: namedColumnsSql(relationSql, layout), parameters, path, parquet: {}, signal });
}

/** The relation with its columns named as the fields are, unique without regard to case. */
function namedColumnsSql(relationSql: string, layout: RelationLayout): string {
  const parts = rowParts(layout, ALIAS);
  const from = `FROM (\n${relationSql}\n) AS ${ALIAS}`;
  if (parts === null || parts.length === 0) {
    const value = layout.kind === 'value' ? `${ALIAS}.${quoteIdentifier(layout.column)}` : 'true';
    return `SELECT ${value} AS "value" ${from}`;
  }
  const names = memberNames(parts.map(({ field }) => field));
  return `SELECT ${parts.map(({ expression }, i) => `${expression} AS ${quoteIdentifier(names[i] ?? '')}`).join(', ')} ${from}`;
}
