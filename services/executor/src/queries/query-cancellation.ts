import { createHash, randomUUID } from 'node:crypto';

import { serviceUnavailable, type ServiceError } from '@svc/errors';
import { openNotices, sendNotice } from '@svc/database';
import type { Database } from '@svc/database';
import type { RunningQueries } from '@svc/query-runtime';
import type { Logger } from '@svc/service-kit';

const CHANNEL = 'svc_queries';
/** How long the process that runs a query has to say that it cancelled it. */
const ANSWER_MILLIS = 2000;

/** Cancels queries, whichever process runs them. */
export interface QueryCancellation {
  /** Whether there was such a query of this subject. Throws `service_unavailable` where other processes cannot be asked. */
  readonly cancel: (subject: string, id: string) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

export interface QueryCancellationOptions {
  /** Those of this process. */
  readonly running: RunningQueries;
  readonly database: Database;
  readonly databaseUrl: string;
  readonly logger: Logger;
}

/** What processes say to each other. Of the subject only a digest: a payload has a limit, and others may listen. */
type Notice =
  | { readonly kind: 'cancel'; readonly id: string; readonly subject: string; readonly request: string }
  | { readonly kind: 'cancelled'; readonly request: string };

/** Listens for what other processes of the same database want cancelled. */
export function openQueryCancellation({ running, database, databaseUrl, logger }: QueryCancellationOptions): QueryCancellation {
  const requests = new Map<string, () => void>();
  const say = (notice: Notice): Promise<void> => sendNotice(database.db, CHANNEL, JSON.stringify(notice));
  const onNotice = (payload: string): void => {
    const notice = JSON.parse(payload) as Notice; // only our processes speak on this channel
    if (notice.kind === 'cancelled') {
      requests.get(notice.request)?.();
      return;
    }
    const subject = running.subjectOf(notice.id);
    if (subject === undefined || digest(subject) !== notice.subject || !running.cancel(subject, notice.id)) return;
    say({ kind: 'cancelled', request: notice.request }).catch((error: unknown) => {
      logger.warn({ err: error }, 'a query was cancelled, and nobody could be told');
    });
  };
  const notices = openNotices({
    url: databaseUrl,
    applicationName: 'svc-executor (cancellation)',
    channel: CHANNEL,
    onNotice: (payload) => {
      try {
        onNotice(payload);
      } catch (error) {
        logger.warn({ err: error }, 'a notice could not be read');
      }
    },
    onLost: (error) => logger.warn({ err: error }, 'the session that hears of cancelled queries was lost'),
  });
  return {
    cancel: async (subject, id) => {
      if (running.cancel(subject, id)) return true;
      if (!notices.isListening()) throw unreachable();
      const request = randomUUID();
      const { promise: answered, resolve } = Promise.withResolvers<boolean>();
      const timer = setTimeout(() => resolve(false), ANSWER_MILLIS);
      requests.set(request, () => resolve(true));
      try {
        await say({ kind: 'cancel', id, subject: digest(subject), request }).catch((error: unknown) => {
          throw unreachable(error);
        });
        return await answered;
      } finally {
        clearTimeout(timer);
        requests.delete(request);
      }
    },
    close: () => notices.close(),
  };
}

function digest(subject: string): string {
  return createHash('sha256').update(subject).digest('base64');
}

function unreachable(cause?: unknown): ServiceError {
  return serviceUnavailable('The processes that may run this query cannot be reached now. Try again later.', cause);
}
