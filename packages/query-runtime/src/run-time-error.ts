import type { EngineFailure, LoweredQuery } from '@svc/query-engine';
import type { QueryFailure } from '@svc/errors';
import { failedQuery } from '@svc/errors';
import type { SourceText, Span } from '@svc/query-language';

/** A failure of the engine as the author of the query should see it; the failure itself where it is ours. */
export function explainFailure(failure: EngineFailure, at: { readonly lowered: LoweredQuery; readonly sql: string; readonly source: SourceText }): QueryFailure | EngineFailure {
  if (failure.failureClass === 'internal' || failure.failureClass === 'interrupted') return failure;
  const raised = failure.errorId === undefined ? undefined : at.lowered.failures.get(failure.errorId);
  const message = failure.message !== '' ? failure.message : raised?.message ?? 'the query failed';
  const span = raised?.span ?? placeOfCast(failure, at);
  return failedQuery({ message, positions: span === undefined ? [] : [at.source.positionOf(span)] }, { cause: failure });
}

function placeOfCast(failure: EngineFailure, at: { readonly lowered: LoweredQuery; readonly sql: string }): Span | undefined {
  return failure.line === undefined ? undefined : at.lowered.placesOf(at.sql).get(failure.line);
}
