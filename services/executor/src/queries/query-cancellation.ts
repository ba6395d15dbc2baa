import { createHash, randomUUID } from 'node:crypto';

import { serviceUnavailable, type ServiceError } from '@svc/errors';
import { openNotices, sendNotice, sessionsNamed } from '@svc/database';
import type { Database } from '@svc/database';
import type { RunningQueries } from '@svc/query-runtime';
import type { Logger } from '@svc/service-kit';

const CHANNEL = 'svc_queries';
/** By this name processes know how many others listen. */
const SESSION_NAME = 'svc-executor (cancellation)';
/** How long a process that is asked has to answer, busy as it may be; one that is about to die, or to start, does not. */
const ANSWER_MILLIS = 10_000;

/** Cancels queries, whichever process runs them. */
export interface QueryCancellation {
  /** Whether there was such a query of this subject. Throws `service_unavailable` where other processes cannot be asked. */
  readonly cancel: (subject: string, id: string) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** What is cancelled, and by which database processes hear of each other; `answerMillis`: how long their answer is waited for. */
export interface QueryCancellationOptions {
  /** Those of this process. */
  readonly running: RunningQueries;
  readonly database: Database;
  readonly databaseUrl: string;
  readonly logger: Logger;
  readonly answerMillis?: number;
}

/** What processes say to each other. Of the subject only a digest: a payload has a limit, and others may listen. */
type Notice =
  | { readonly kind: 'cancel'; readonly id: string; readonly subject: string; readonly request: string }
  | { readonly kind: 'answer'; readonly request: string; readonly session: number | null; readonly isCancelled: boolean };

type Answer = Extract<Notice, { readonly kind: 'answer' }>;

/** Listens for what other processes of the same database want cancelled. */
export function openQueryCancellation(options: QueryCancellationOptions): QueryCancellation {
  const { running, database, logger, answerMillis = ANSWER_MILLIS } = options;
  const requests = new Map<string, (answer: Answer) => void>();
  const say = (notice: Notice): Promise<void> => sendNotice(database.db, CHANNEL, JSON.stringify(notice));
  const onNotice = (payload: string): void => {
    const notice = JSON.parse(payload) as Notice; // only our processes speak on this channel
    if (notice.kind === 'answer') {
      requests.get(notice.request)?.(notice);
      return;
    }
    if (requests.has(notice.request)) return; // it is our own
    const { id, request } = notice;
    const subject = running.subjectOf(id);
    const isCancelled = subject !== undefined && digest(subject) === notice.subject && running.cancel(subject, id);
    say({ kind: 'answer', request, session: notices.session(), isCancelled }).catch((error: unknown) => {
      logger.warn({ err: error, isCancelled }, 'nobody could be told whether a query was cancelled');
    });
  };
  const notices = openNotices({
    url: options.databaseUrl,
    applicationName: SESSION_NAME,
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
  /**
   * True as soon as one of these sessions has cancelled the query, false when all have said that they had not. Fails
   * where one says nothing.
   */
  const ask = async (id: string, subject: string, sessions: ReadonlySet<number>): Promise<boolean> => {
    const request = randomUUID();
    const unanswered = new Set(sessions);
    const { promise: answered, resolve, reject } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => reject(new Error(`sessions without an answer: ${[...unanswered].join(', ')}`)), answerMillis);
    requests.set(request, ({ session, isCancelled }) => {
      unanswered.delete(session ?? 0);
      if (isCancelled || unanswered.size === 0) resolve(isCancelled);
    });
    try {
      const [, isCancelled] = await Promise.all([say({ kind: 'cancel', id, subject: digest(subject), request }), answered]);
      return isCancelled;
    } finally {
      clearTimeout(timer);
      requests.delete(request);
    }
  };
  return {
    cancel: async (subject, id) => {
      if (running.cancel(subject, id)) return true;
      const own = notices.session();
      if (own === null) throw unreachable();
      try {
        const others = [...(await sessionsNamed(database.db, SESSION_NAME))].filter((session) => session !== own);
        return others.length > 0 && (await ask(id, subject, new Set(others)));
      } catch (error) {
        throw unreachable(error);
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
