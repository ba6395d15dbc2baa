import { setTimeout as delay } from 'node:timers/promises';

import type { CredentialEventStore } from '@svc/database';

/** Retention of the audit trail. */
export interface RetentionOptions {
  readonly events: CredentialEventStore;
  readonly days: number;
  /** Called with the reason if old entries could not be deleted; retried later. Must not throw. */
  readonly onFailure: (error: unknown) => void;
  readonly intervalMs?: number;
  readonly now?: () => Date;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Keeps statements short, with few locked rows. */
const BATCH = 5000;

/** Deletes old entries of the audit trail, at start and every hour. Safe in several processes at once. */
export function keepEventsFor(options: RetentionOptions): { readonly close: () => Promise<void> } {
  const { onFailure, intervalMs = HOUR_MS } = options;
  const stop = new AbortController();
  const work = (async () => {
    while (!stop.signal.aborted) {
      await deleteOld(options, stop.signal).catch(onFailure);
      await delay(intervalMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    close: async () => {
      stop.abort();
      await work;
    },
  };
}

async function deleteOld({ events, days, now = () => new Date() }: RetentionOptions, signal: AbortSignal): Promise<void> {
  const moment = new Date(now().getTime() - days * DAY_MS);
  while (!signal.aborted && (await events.deleteBefore(moment, BATCH)) === BATCH);
}
