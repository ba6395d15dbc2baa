/**
 * Returns a signal that aborts with the first of others, for its reason. These belong to a query: unlike `AbortSignal.any`
 * this leaves no weak reference, which would retain the query until a full garbage collection.
 */
export function anyAborted(...signals: readonly AbortSignal[]): AbortSignal {
  const first = new AbortController();
  for (const signal of signals) {
    const abort = (): void => first.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }
  return first.signal;
}
