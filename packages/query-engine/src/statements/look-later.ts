/** The promise itself, which may fail while nobody waits for it, and be looked at only then, or never. */
export function lookLater<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}
