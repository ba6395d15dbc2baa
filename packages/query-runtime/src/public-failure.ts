import { ServiceError, failedQuery, serviceUnavailable } from '@svc/errors';
import { ResultTooLarge, isEngineFailure } from '@svc/query-engine';
import { isReadFailure } from '@svc/text-formats';

/** Reasons for which a query or a check may have been aborted. */
export interface Interruption {
  /** Aborted when the client disconnects. */
  readonly client: AbortSignal;
  /** Aborted when the time is over. */
  readonly limit: AbortSignal;
  readonly timeoutMillis: number;
}

/** Converts a failure of the engine or of reading to a public one; returns others unchanged. */
export function toPublicFailure(thrown: unknown, { client, limit, timeoutMillis }: Interruption): unknown {
  if (thrown instanceof ResultTooLarge) return new ServiceError('result_too_large', `The result does not fit in ${thrown.maxBytes} bytes.`);
  // Operations of Node reject with the reason of the signal itself.
  if (limit.aborted && isAbort(thrown, limit)) return new ServiceError('query_timeout', `${timeoutMillis} ms`);
  if (!isReadFailure(thrown) && (!isEngineFailure(thrown) || thrown.failureClass === 'internal')) return thrown;
  if (thrown.failureClass !== 'interrupted') return failedQuery({ message: thrown.message, positions: [] }, { cause: thrown });
  if (limit.aborted) return new ServiceError('query_timeout', `${timeoutMillis} ms`);
  return client.aborted ? thrown : serviceUnavailable('The service is stopping.');
}

function isAbort(thrown: unknown, { reason }: AbortSignal): boolean {
  return thrown === reason || (thrown instanceof Error && thrown.name === 'AbortError');
}
