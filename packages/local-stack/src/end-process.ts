import { identifyProcess } from './process-identity.ts';
import { waitUntil } from './wait-until.ts';

/** Signals to send to a process in sequence, with the time each may take. */
export type Farewell = readonly (readonly [signal: NodeJS.Signals, timeoutMs: number])[];

/** Ends a process, which need not be a child, and waits until it is gone. Rejects if all signals fail. */
export async function endProcess(pid: number, farewell: Farewell): Promise<void> {
  const target = identifyProcess(pid);
  if (target === undefined) return;
  const isGone = (): boolean => identifyProcess(pid)?.began !== target.began;
  for (const [signal, timeoutMs] of farewell) {
    try {
      process.kill(pid, signal);
      await waitUntil(() => isGone() || undefined, { timeoutMs, what: `process ${pid} to end after ${signal}` });
      return;
    } catch (error) {
      if (isGone()) return;
      if (signal === farewell.at(-1)?.[0]) throw error;
    }
  }
}
