import type { EngineLease } from '../instances/engine-lease.ts';
import { printRows } from '../results/print-rows.ts';
import { runStatement } from '../statements/run-statement.ts';
import type { Reader } from './reader-sql.ts';

/** Reads all that a reader gives, and keeps nothing of it. Fails with an EngineFailure where some of it cannot be read. */
export async function verifyReader(lease: EngineLease, reader: Reader, signal: AbortSignal): Promise<void> {
  const { sql } = printRows({
    relationSql: reader.sql,
    layout: reader.layout,
    isCollection: reader.isCollection,
    format: 'hjson',
    lineEnding: 'unix',
  });
  await runStatement(lease, { sql: `SELECT max(strlen(line)) FROM (\n${sql}\n) AS once`, signal });
}
