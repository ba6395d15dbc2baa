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
type Notice = Question | Answer;

interface Question {
  readonly kind: 'cancel';
  readonly id: string;
  readonly subject: string;
  readonly request: string;
}

interface Answer {
  readonly kind: 'answer';
  readonly request: string;
  /** Of the process that answers, null where it has lost its own. */
  readonly session: number | null;
  readonly isCancelled: boolean;
}

/** Listens for what other processes of the same database want cancelled. */
export function openQueryCancellation(options: QueryCancellationOptions): QueryCancellation {
  const { running, database, logger } = options;
  const requests: Requests = new Map();
  const say: Say = (notice) => sendNotice(database.db, CHANNEL, JSON.stringify(notice));
  const notices = openNotices({
    url: options.databaseUrl,
    applicationName: SESSION_NAME,
    channel: CHANNEL,
    onNotice: (payload) => {
      try {
        const notice = JSON.parse(payload) as Notice; // only our processes speak on this channel
        if (notice.kind === 'answer') requests.get(notice.request)?.(notice);
        // Else it is our own.
        else if (!requests.has(notice.request)) answer(notice, { running, logger, session: notices.session(), say });
      } catch (error) {
        logger.warn({ err: error }, 'a notice could not be read');
      }
    },
    onLost: (error) => logger.warn({ err: error }, 'the session that hears of cancelled queries was lost'),
  });
  return {
    cancel: async (subject, id) => {
      if (running.cancel(subject, id)) return true;
      const own = notices.session();
      if (own === null) throw unreachable();
      try {
        const others = [...(await sessionsNamed(database.db, SESSION_NAME))].filter((session) => session !== own);
        return others.length > 0 && (await ask({ id, subject: digest(subject) }, new Set(others), { requests, say, ...options }));
      } catch (error) {
        throw unreachable(error);
      }
    },
    close: () => notices.close(),
  };
}

/** What is done with the answers to each question of ours. */
type Requests = Map<string, (answer: Answer) => void>;
type Say = (notice: Notice) => Promise<void>;

interface Answering extends Pick<QueryCancellationOptions, 'running' | 'logger'> {
  readonly session: number | null;
  readonly say: Say;
}

/** Cancels a query if it runs here, and tells whether it did. */
function answer({ id, subject, request }: Question, { running, logger, session, say }: Answering): void {
  const runner = running.subjectOf(id);
  const isCancelled = runner !== undefined && digest(runner) === subject && running.cancel(runner, id);
  say({ kind: 'answer', request, session, isCancelled }).catch((error: unknown) => {
    logger.warn({ err: error, isCancelled }, 'nobody could be told whether a query was cancelled');
  });
}

interface Asking extends Pick<QueryCancellationOptions, 'answerMillis'> {
  readonly requests: Requests;
  readonly say: Say;
}

/**
 * True as soon as one of these sessions has cancelled the query, false when all have said that they had not. Fails
 * where one says nothing.
 */
async function ask(
  query: Pick<Question, 'id' | 'subject'>,
  sessions: Set<number>,
  { requests, say, answerMillis = ANSWER_MILLIS }: Asking,
): Promise<boolean> {
  const request = randomUUID();
  const { promise: answered, resolve, reject } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => reject(new Error(`sessions without an answer: ${[...sessions].join(', ')}`)), answerMillis);
  requests.set(request, ({ session, isCancelled }) => {
    sessions.delete(session ?? 0);
    if (isCancelled || sessions.size === 0) resolve(isCancelled);
  });
  try {
    const [, isCancelled] = await Promise.all([say({ kind: 'cancel', ...query, request }), answered]);
    return isCancelled;
  } finally {
    clearTimeout(timer);
    requests.delete(request);
  }
}

function digest(subject: string): string {
  return createHash('sha256').update(subject).digest('base64');
}

function unreachable(cause?: unknown): ServiceError {
  return serviceUnavailable('The processes that may run this query cannot be reached now. Try again later.', cause);
}
