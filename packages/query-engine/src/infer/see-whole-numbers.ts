import type { EngineLease } from '../instances/engine-lease.ts';
import { wholeNumbersSql } from '../readers/csv-reader.ts';
import type { CsvReadPlan, ReadPlan } from '../readers/read-plan.ts';
import { isEngineFailure } from '../statements/engine-failure.ts';
import { runStatement } from '../statements/run-statement.ts';

/** Whether the plan reads integers, dates or times of which nobody has seen that all are such: as text, which is slower. */
export function readsUnseenIntegers(plan: ReadPlan): plan is CsvReadPlan {
  return plan.kind === 'csv' && wholeNumbersSql(plan) !== null;
}

/** The plan as it may be read once all those cells have been looked at: itself, where one is none. */
export async function seeWholeNumbers(lease: EngineLease, plan: CsvReadPlan, signal: AbortSignal): Promise<CsvReadPlan> {
  const sql = wholeNumbersSql(plan);
  if (sql === null) return plan;
  try {
    const [row] = await runStatement(lease, { sql, signal });
    return row?.['whole'] === true ? { ...plan, areIntegersWhole: true } : plan;
  } catch (thrown) {
    // What else is wrong with the file shows where it is read.
    if (isEngineFailure(thrown) && thrown.failureClass === 'csv') return plan;
    throw thrown;
  }
}
