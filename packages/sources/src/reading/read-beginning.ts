import { EngineFailure, readerSql, runStatement, type ReadPlan } from '@svc/query-engine';

import type { ResolvedRead } from '../resolved-read.ts';

/** The read of a file's beginning, and the plan that its reader follows. */
interface Beginning {
  readonly read: ResolvedRead;
  readonly plan: ReadPlan;
}

/** Returns `beginning` of a ResolvedRead. Its rows are counted once, when they are first asked for. */
export function readBeginning({ read, plan }: Beginning): NonNullable<ResolvedRead['beginning']> {
  let complete: number | null = null;
  return async (rows, at) => {
    complete ??= await completeRows({ read, plan }, at);
    return rows <= complete ? read : null;
  };
}

/** Returns the number of rows that are certainly complete: all but the last. */
async function completeRows({ read, plan }: Beginning, at: Parameters<NonNullable<ResolvedRead['beginning']>>[1]): Promise<number> {
  const release = await read.hold(at);
  try {
    const sql = `SELECT count(*) AS n FROM (${readerSql(plan, []).sql}) AS r`;
    const [row] = await runStatement(await at.lease(), { sql, signal: at.signal });
    return Math.max(0, Number(row?.['n'] ?? 0) - 1);
  } catch (thrown) {
    // What cannot be read by itself may be part of what can.
    if (thrown instanceof EngineFailure && thrown.failureClass !== 'interrupted') return 0;
    throw thrown;
  } finally {
    release();
  }
}
