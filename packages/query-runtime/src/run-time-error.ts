import type { EngineFailure, EngineFailureClass, LoweredQuery, PrintedRows } from '@svc/query-engine';
import { isEngineFailure, printRows } from '@svc/query-engine';
import type { QueryFailure } from '@svc/errors';
import { failedQuery, isQueryFailure } from '@svc/errors';
import type { SourceText, Span } from '@svc/query-language';

import type { RunnableQuery } from './compile.ts';
import { readsOf } from './reads-of.ts';

/** A failed statement. */
export interface FailedStatement {
  readonly runnable: RunnableQuery;
  readonly printed: PrintedRows;
  readonly source: SourceText;
  /** Runs a statement to its failure, keeping no rows. */
  readonly runAgain: (printed: PrintedRows) => Promise<EngineFailure>;
  /** Describes the failure with its position in the data, if the source of a Read node failed. */
  readonly explainRead: (key: string) => Promise<string | null> | null;
}

/** Failures that have a place in the query, which a second run can find. */
const PLACED: ReadonlySet<EngineFailureClass> = new Set(['overflow', 'cast', 'division-by-zero', 'user-error']);

/** Converts a failure of the engine to one for the author of the query; returns internal ones that no source explains unchanged. */
export async function explainFailure(failure: EngineFailure, at: FailedStatement): Promise<QueryFailure | EngineFailure> {
  if (failure.failureClass === 'interrupted') return failure;
  const ofRead = await explainReads(failure, at);
  if (ofRead !== null) return ofRead;
  if (failure.failureClass === 'internal') return failure;
  const { lowered } = at.runnable;
  const raised = failure.errorId === undefined ? undefined : lowered.failures.get(failure.errorId);
  const message = failure.message !== '' ? failure.message : (raised?.message ?? 'the query failed');
  const span =
    raised?.span ?? placeOfCast(failure, lowered, at.printed) ?? (PLACED.has(failure.failureClass) ? await findPlace(at) : undefined);
  return failedQuery({ message, positions: span === undefined ? [] : [at.source.positionOf(span)] }, { cause: failure });
}

/** Failures of data that was read; unknown ones may be. */
const READ_FAILURES: ReadonlySet<EngineFailureClass> = new Set(['csv', 'json', 'parquet', 'missing-file', 'unreadable', 'internal']);

async function explainReads(failure: EngineFailure, at: FailedStatement): Promise<QueryFailure | null> {
  if (!READ_FAILURES.has(failure.failureClass)) return null;
  for (const { key, span } of readsOf(at.runnable.plan)) {
    const message = await at.explainRead(key);
    if (message !== null) return failedQuery({ message, positions: [at.source.positionOf(span)] }, { cause: failure });
  }
  return null;
}

function placeOfCast(failure: EngineFailure, lowered: LoweredQuery, printed: PrintedRows): Span | undefined {
  return failure.line === undefined ? undefined : lowered.places.get(failure.line - printed.firstLine);
}

/** Runs the located statement. Returns no place if planning would take long, if it fails differently, or if it does not fail. */
async function findPlace(at: FailedStatement): Promise<Span | undefined> {
  const lowered = await located(at.runnable);
  if (lowered === null) return undefined;
  const printed = printRows(lowered, { format: 'hjson' });
  try {
    const failure = await at.runAgain(printed);
    const raised = failure.errorId === undefined ? undefined : lowered.failures.get(failure.errorId);
    return raised?.span ?? placeOfCast(failure, lowered, printed);
  } catch (thrown) {
    if (isEngineFailure(thrown)) return undefined;
    throw thrown;
  }
}

async function located(runnable: RunnableQuery): Promise<LoweredQuery | null> {
  try {
    return await runnable.located();
  } catch (thrown) {
    if (isQueryFailure(thrown)) return null;
    throw thrown;
  }
}
