import { setTimeout as delay } from 'node:timers/promises';

/** How long to ask, how often, and what is missing in the end. */
export interface WaitOptions {
  readonly timeoutMs: number;
  readonly intervalMs?: number;
  /** Completes "Waited 5000 ms for …". */
  readonly what: string;
  readonly signal?: AbortSignal;
}

const INTERVAL_MS = 20;

/**
 * Asks until the answer is not undefined, and gives it back. Rejects when time is up, when aborted, and with whatever
 * `ask` rejects with.
 */
export async function waitUntil<Answer>(
  ask: () => Promise<Answer | undefined> | Answer | undefined,
  options: WaitOptions,
): Promise<Answer> {
  const deadline = performance.now() + options.timeoutMs;
  for (;;) {
    options.signal?.throwIfAborted();
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`Waited ${options.timeoutMs} ms for ${options.what}.`);
    await delay(options.intervalMs ?? INTERVAL_MS, undefined, options.signal === undefined ? {} : { signal: options.signal });
  }
}
