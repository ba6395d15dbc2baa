/**
 * One press of Ctrl-C arrives twice, from the terminal and from npm, which forwards it: within this time it counts as the
 * same signal.
 */
const ECHO_MS = 1_000;

/** Calls `onFirst` on the first stop signal, or when the parent ends, and `onSecond` on the second. */
export function onStopSignal(onFirst: () => void, onSecond: () => void): void {
  let firstAt: number | undefined;
  const onSignal = (): void => {
    const now = performance.now();
    if (firstAt === undefined) {
      firstAt = now;
      onFirst();
    } else if (now - firstAt > ECHO_MS) onSecond();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.on(signal, onSignal);
  // The channel to the parent must not keep the process alive.
  process.channel?.unref();
}
