import { failedQuery } from '@svc/errors';
import { isEngineFailure } from '@svc/query-engine';
import { holdAll, publishStep } from '@svc/sources';

import type { CompiledQuery } from './compile.ts';
import { readsOf } from './run-time-error.ts';

/**
 * Makes what the query's engine is to read; all of it stays until the answer is called. Fails with a QueryFailure at the
 * place of the read whose source cannot be had.
 */
export async function holdSources(query: CompiledQuery, signal: AbortSignal): Promise<() => void> {
  return holdAll(query.reads, async ([key, read]) =>
    publishStep({ step: 'fetch' }, () => read.hold(signal)).catch((thrown: unknown) => {
      throw placed(thrown, key, query);
    }),
  );
}

/** A failure at the place of its read; what only we can cause, and a query that is cancelled, have none. */
export function placed(thrown: unknown, key: string, { source, runnable }: CompiledQuery): unknown {
  if (!isEngineFailure(thrown) || thrown.failureClass === 'internal' || thrown.failureClass === 'interrupted') return thrown;
  const read = runnable === null ? undefined : readsOf(runnable.plan).find((node) => node.key === key);
  return failedQuery({ message: thrown.message, positions: read === undefined ? [] : [source.positionOf(read.span)] }, { cause: thrown });
}
