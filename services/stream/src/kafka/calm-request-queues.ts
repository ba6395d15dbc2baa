import { createRequire } from 'node:module';

/** The parts of KafkaJS's request queue used here; its types do not declare them. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  /** -1 unless the broker requested a pause. */
  readonly throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  readonly checkPendingRequests: () => void;
}

/** Delay between checks for pending requests, which wait for a response of the broker. */
const CHECK_MS = 10;

/**
 * Makes the request queues of KafkaJS check for pending requests only if there are any. Otherwise each connection sets a
 * timer with a negative delay, and another when that fires: a thousand a second for its whole life, with a warning of Node.
 * Idempotent.
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
