/** Marks the rejection of a promise as handled, since it may be awaited later, or never. Returns the same promise. */
export function markHandled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}
