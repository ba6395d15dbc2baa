import type { EngineLease } from '../instances/engine-lease.ts';
import { printRows } from '../results/print-rows.ts';
import { runStatement } from '../statements/run-statement.ts';
import type { Reader } from './reader-sql.ts';

/** Reads all that a reader gives, and keeps nothing of it. Fails with an EngineFailure where some of it cannot be read. */
export async function verifyReader(lease: EngineLease, reader: Reader, signal: AbortSignal): Promise<void> {
  const { sql } = printRows(reader, { format: 'hjson' });
  await runStatement(lease, { sql: `SELECT max(strlen(line)) FROM (\n${sql}\n) AS once`, signal });
}
