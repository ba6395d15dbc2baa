import type { EngineLease } from '../instances/engine-lease.ts';
import { wholeNumbersSql } from '../readers/csv-reader.ts';
import type { CsvReadPlan, ReadPlan } from '../readers/read-plan.ts';
import { isEngineFailure } from '../statements/engine-failure.ts';
import { runStatement } from '../statements/run-statement.ts';

/** Returns whether the plan reads unverified integers, dates or times: as text, which is slower. */
export function readsUnverifiedIntegers(plan: ReadPlan): plan is CsvReadPlan {
  return plan.kind === 'csv' && wholeNumbersSql(plan) !== null;
}

/** Verifies these cells, and returns the plan that reads them natively; the same plan if one is invalid. */
export async function verifyIntegers(lease: EngineLease, plan: CsvReadPlan, signal: AbortSignal): Promise<CsvReadPlan> {
  const sql = wholeNumbersSql(plan);
  if (sql === null) return plan;
  try {
    const [row] = await runStatement(lease, { sql, signal });
    return row?.['whole'] === true ? { ...plan, areIntegersWhole: true } : plan;
  } catch (thrown) {
    // Other faults of the file are reported when it is read.
    if (isEngineFailure(thrown) && thrown.failureClass === 'csv') return plan;
    throw thrown;
  }
}
