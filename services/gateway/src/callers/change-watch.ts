import { setTimeout as delay } from 'node:timers/promises';

import { GATEWAY_CHANNEL, openNotices, readGatewayVersions, type Database } from '@svc/database';
import type { Logger } from '@svc/service-kit';

/** Subject of a change. */
type Subject = 'keys' | 'applications';

/** Options of the change watch. */
export interface ChangeWatchOptions {
  readonly database: Database;
  readonly databaseUrl: string;
  /** Called for each change, whoever made it; `id` names the key that changed, null means any. */
  readonly onChange: (subject: Subject, id: string | null) => void;
  readonly logger: Logger;
  /** Interval at which the versions are polled, in addition to the notifications. */
  readonly pollMillis?: number;
}

/** Watches changes of keys and applications. */
export interface ChangeWatch {
  /** Reports whether every change older than a second has been reported. If not, cached values must not be used. */
  readonly isFresh: () => boolean;
  readonly close: () => Promise<void>;
}

const POLL_MILLIS = 300;
const FRESH_MILLIS = 900;

/**
 * Watches notifications of the database, which arrive within milliseconds, and polls the versions in case one is lost. A
 * notification that skips a version indicates a lost one. After a failover to a server that lacks the last changes versions
 * go back: every notification is a change, whatever its version, and so is a version below one that was seen.
 */
export function watchChanges(options: ChangeWatchOptions): ChangeWatch {
  const { database, onChange, logger, pollMillis = POLL_MILLIS } = options;
  const known: Record<Subject, number> = { keys: -1, applications: -1 };
  let confirmedAt = Number.NEGATIVE_INFINITY;
  const hear = (subject: Subject, version: number, id: string | null): void => {
    onChange(subject, version > known[subject] + 1 ? null : id);
    known[subject] = Math.max(known[subject], version);
  };
  /** `before` is what was known when the reading of the version began: a notification may have overtaken it. */
  const compare = (subject: Subject, version: number, before: number): void => {
    if (version <= known[subject] && version >= before) return;
    onChange(subject, null);
    known[subject] = version;
  };
  const notices = openNotices({
    url: options.databaseUrl,
    applicationName: 'svc-gateway-notices',
    channel: GATEWAY_CHANNEL,
    onNotice: (payload) => {
      const [subject, version, id] = payload.split(' ');
      if (subject === 'keys' || subject === 'applications') hear(subject, Number(version), id ?? null);
    },
    onLost: (error) => logger.warn({ err: error }, 'notices of changes are not heard: they are polled for'),
  });
  const stop = new AbortController();
  const polling = (async () => {
    while (!stop.signal.aborted) {
      const startedAt = performance.now();
      const before = { ...known };
      try {
        const versions = await readGatewayVersions(database.db);
        compare('keys', versions.keys, before.keys);
        compare('applications', versions.applications, before.applications);
        confirmedAt = startedAt;
      } catch (error) {
        logger.debug({ err: error }, 'versions cannot be read now');
      }
      await delay(pollMillis, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  })();
  return {
    isFresh: () => performance.now() - confirmedAt < FRESH_MILLIS,
    close: async () => {
      stop.abort();
      await notices.close();
      await polling;
    },
  };
}
