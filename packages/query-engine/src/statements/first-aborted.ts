/**
 * A signal that is aborted with the first of others, for its reason. Those are a query's own and go with it: unlike `AbortSignal.any` this
 * leaves no weak reference, for which the query would be kept until the whole heap is collected.
 */
export function firstAborted(...signals: readonly AbortSignal[]): AbortSignal {
  const first = new AbortController();
  for (const signal of signals) {
    const abort = (): void => first.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }
  return first.signal;
}
