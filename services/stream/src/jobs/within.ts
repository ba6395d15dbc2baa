/** Waits until some work settles, but no longer than a limit. */
export async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, limitMs);
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}
