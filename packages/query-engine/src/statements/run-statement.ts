import type { DuckDBValue, Json } from '@duckdb/node-api';

import type { EngineLease } from '../instances/engine-lease.ts';

/** A statement with the values of `$1`, `$2`, … and its abort signal. */
export interface Statement {
  readonly sql: string;
  readonly parameters?: readonly DuckDBValue[] | undefined;
  readonly signal: AbortSignal;
}

/** A row by column name; wide integers, decimals and temporals are text, NULL is null. */
export type StatementRow = Readonly<Record<string, Json>>;

/** Runs a statement with a small result, such as DESCRIBE, and returns its rows. Fails with an EngineFailure. */
export async function runStatement(lease: EngineLease, { sql, parameters, signal }: Statement): Promise<readonly StatementRow[]> {
  return lease.run(signal, async (connection) => {
    const result = await connection.run(sql, parameters === undefined ? undefined : [...parameters]);
    return result.getRowObjectsJson();
  });
}
