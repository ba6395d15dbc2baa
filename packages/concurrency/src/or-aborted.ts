/**
 * Returns the result of work, or rejects with the signal's reason as soon as it is aborted, for work that notices that late.
 * A result that comes too late goes to `discard`.
 */
export async function orAborted<Result>(
  work: Promise<Result>,
  { signal, discard }: { readonly signal: AbortSignal; readonly discard: (late: Result) => void },
): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const stop = (): void => aborted.reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } catch (thrown) {
    work.then(discard, () => undefined);
    throw thrown;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
