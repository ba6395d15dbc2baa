import { setTimeout as delay } from 'node:timers/promises';

/** Timeout, interval, and the description of the missing condition. */
export interface WaitOptions {
  readonly timeoutMs: number;
  readonly intervalMs?: number;
  /** Completes "Waited 5000 ms for …". */
  readonly what: string;
  readonly signal?: AbortSignal;
}

const INTERVAL_MS = 20;

/** Polls until the result is not undefined, and returns it. Rejects on timeout, when aborted, and with a rejection of `ask`. */
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
