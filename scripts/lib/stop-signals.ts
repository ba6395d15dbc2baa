/**
 * One press of Ctrl-C reaches us twice, from the terminal and from npm, which passes it on: what comes so soon is the same signal.
 */
const ECHO_MS = 1_000;

/** Calls `onFirst` when the process is told to stop, or loses its parent, and `onSecond` when it is told again. */
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
  // The channel to whoever started us must not keep the process alive.
  process.channel?.unref();
}
