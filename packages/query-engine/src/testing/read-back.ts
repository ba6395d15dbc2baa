import { printRows } from '../results/print-rows.ts';
import { streamResult } from '../results/stream-result.ts';
import { readerSql } from '../readers/reader-sql.ts';
import type { ReadPlan } from '../readers/read-plan.ts';
import { never, type TestEngine } from './with-engine.ts';

/** Returns the rows that a plan reads, as lines of hjson. */
export async function readBack(
  engine: TestEngine,
  plan: ReadPlan,
  neededFields: readonly string[] | null = null,
): Promise<readonly string[]> {
  const reader = readerSql(plan, neededFields);
  const printed = printRows(reader, { format: 'hjson' });
  return engine.withLease(async (lease) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of streamResult(lease, { printed, signal: never })) pieces.push(piece);
    return Buffer.concat(pieces).toString().split('\n').slice(0, -1);
  });
}
