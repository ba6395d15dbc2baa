import { holdAll } from '@svc/concurrency';
import { failedQuery } from '@svc/errors';
import { publishStep, type Commission } from '@svc/sources';
import { isReadFailure } from '@svc/text-formats';

import type { CompiledQuery } from './compile.ts';
import { readsOf } from './reads-of.ts';

/**
 * Fetches the sources of a query; they stay until the result is called. Fails with a QueryFailure at the position of the
 * read whose source is unavailable.
 */
export async function holdSources(query: CompiledQuery, commission: Commission): Promise<() => void> {
  return holdAll(query.reads, async ([key, read]) =>
    publishStep({ step: 'fetch' }, () => read.hold(commission)).catch((thrown: unknown) => {
      throw placed(thrown, key, query);
    }),
  );
}

/** Adds the position of its read to a failure; internal faults and cancellations have none. */
export function placed(thrown: unknown, key: string, { source, runnable }: CompiledQuery): unknown {
  if (!isReadFailure(thrown) || thrown.failureClass === 'interrupted') return thrown;
  const read = runnable === null ? undefined : readsOf(runnable.plan).find((node) => node.key === key);
  return failedQuery({ message: thrown.message, positions: read === undefined ? [] : [source.positionOf(read.span)] }, { cause: thrown });
}
