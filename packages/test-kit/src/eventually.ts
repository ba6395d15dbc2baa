import { setTimeout as delay } from 'node:timers/promises';

/** A limit against hanging, within that of a test. */
const TIMEOUT_MS = 120_000;
const INTERVAL_MS = 20;

/** Retries until it succeeds, for effects that are not immediate. After the timeout, rejects like the last attempt. */
export async function eventually<Value>(attempt: () => Value | Promise<Value>, { timeoutMs = TIMEOUT_MS } = {}): Promise<Value> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(INTERVAL_MS);
    }
  }
}
