import { createRequire } from 'node:module';

/** What is used of KafkaJS's queue of requests; its types do not have it. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  /** -1 where the broker has not asked for a pause. */
  readonly throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  readonly checkPendingRequests: () => void;
}

/** Requests wait for an answer of the broker, which looks at them too. */
const CHECK_MS = 10;

/**
 * Makes each connection of KafkaJS's look for requests that wait only where some do. Without it each one sets a timer of a negative time, and
 * another when that is over: a thousand a second as long as it lives, and Node warns of them. Can be called again.
 */
export function calmRequestQueues(): void {
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as { readonly prototype: RequestQueue }; // the class
  Reflect.set(prototype, 'scheduleCheckPendingRequests', function schedule(this: RequestQueue): void {
    if (this.pending.length === 0 || this.throttleCheckTimeoutId !== null) return;
    const check = (): void => {
      this.throttleCheckTimeoutId = null;
      this.checkPendingRequests();
    };
    this.throttleCheckTimeoutId = setTimeout(check, Math.max(this.throttledUntil - Date.now(), CHECK_MS));
  });
}
