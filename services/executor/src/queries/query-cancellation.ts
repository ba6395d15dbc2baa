import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { serviceUnavailable, type ServiceError } from '@svc/errors';
import { openNotices, sendNotice, sessionsNamed } from '@svc/database';
import type { Database } from '@svc/database';
import type { RunningQueries } from '@svc/query-runtime';
import type { Logger } from '@svc/service-kit';

const CHANNEL = 'svc_queries';
/** Application name by which processes count the other listeners. */
const SESSION_NAME = 'svc-executor (cancellation)';
/** Time for a busy process to reply; one that is stopping or starting does not reply. */
const ANSWER_MILLIS = 10_000;
/** Interval at which the set of listeners is read again. A process that lost its session reconnects within it. */
const LOOK_MILLIS = 500;

/** Cancels queries, in whichever process they run. */
export interface QueryCancellation {
  /** Returns whether there was such a query of this subject. Throws `service_unavailable` if other processes are unreachable. */
  readonly cancel: (subject: string, id: string) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** The running queries, and the database through which processes communicate; `answerMillis` is the timeout for their replies. */
export interface QueryCancellationOptions {
  /** The running queries of this process. */
  readonly running: RunningQueries;
  readonly database: Database;
  readonly databaseUrl: string;
  readonly logger: Logger;
  readonly answerMillis?: number;
}

/** A notification between processes. Contains only a digest of the subject: the payload is limited, and other sessions may listen. */
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
  /** The replying process's session; null if it has lost it. */
  readonly session: number | null;
  readonly isCancelled: boolean;
}

/** Listens for cancellations requested by other processes of the same database. */
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
        // Otherwise the notification is this process's own.
        else if (!requests.has(notice.request)) answer(notice, { running, logger, session: notices.session(), say });
      } catch (error) {
        logger.warn({ err: error }, 'a notice could not be read');
      }
    },
    onLost: (error) => logger.warn({ err: error }, 'the session that hears of cancelled queries was lost'),
  });
  const others = async (): Promise<readonly number[] | null> => {
    const own = notices.session();
    return own === null ? null : [...(await sessionsNamed(database.db, SESSION_NAME))].filter((session) => session !== own);
  };
  return {
    cancel: async (subject, id) => {
      if (running.cancel(subject, id)) return true;
      try {
        return await ask({ id, subject: digest(subject) }, { others, requests, say, ...options });
      } catch (error) {
        throw unreachable(error);
      }
    },
    close: () => notices.close(),
  };
}

/** Reply handlers of pending requests. */
type Requests = Map<string, (answer: Answer) => void>;
type Say = (notice: Notice) => Promise<void>;

interface Answering extends Pick<QueryCancellationOptions, 'running' | 'logger'> {
  readonly session: number | null;
  readonly say: Say;
}

/** Cancels a query if it runs here, and replies whether it did. */
function answer({ id, subject, request }: Question, { running, logger, session, say }: Answering): void {
  const runner = running.subjectOf(id);
  const isCancelled = runner !== undefined && digest(runner) === subject && running.cancel(runner, id);
  say({ kind: 'answer', request, session, isCancelled }).catch((error: unknown) => {
    logger.warn({ err: error, isCancelled }, 'nobody could be told whether a query was cancelled');
  });
}

interface Asking extends Pick<QueryCancellationOptions, 'answerMillis'> {
  /** The sessions of other processes; null while this one would not hear their answers. */
  readonly others: () => Promise<readonly number[] | null>;
  readonly requests: Requests;
  readonly say: Say;
}

/**
 * Returns true once another process has cancelled the query, false once all have replied that they have not, including those
 * that started meanwhile: a process that lost its session is not counted until it has a new one, and receives nothing before
 * it listens. So silent processes are asked again. Throws if one stays silent, or if this process has no session itself.
 */
async function ask(query: Pick<Question, 'id' | 'subject'>, asking: Asking): Promise<boolean> {
  const { others, requests, say, answerMillis = ANSWER_MILLIS } = asking;
  const request = randomUUID();
  const denied = new Set<number | null>();
  const cancelled = new AbortController();
  requests.set(request, ({ session, isCancelled }) => {
    denied.add(session);
    if (isCancelled) cancelled.abort();
  });
  const began = performance.now();
  try {
    for (let look = 1; ; look += 1) {
      const silent = (await others())?.filter((session) => !denied.has(session));
      if (cancelled.signal.aborted) return true;
      if (look > 1 && silent === undefined) throw new Error('this process hears no answers');
      if (look > 1 && silent?.length === 0) return false;
      if (performance.now() - began > answerMillis) throw new Error(`sessions without an answer: ${silent?.join(', ')}`);
      if (silent !== undefined && silent.length > 0) await say({ kind: 'cancel', ...query, request });
      await delay(LOOK_MILLIS, undefined, { signal: cancelled.signal }).catch(() => undefined); // who is cancelled need not be waited for
      if (cancelled.signal.aborted) return true;
    }
  } finally {
    requests.delete(request);
  }
}

function digest(subject: string): string {
  return createHash('sha256').update(subject).digest('base64');
}

function unreachable(cause?: unknown): ServiceError {
  return serviceUnavailable('The processes that may run this query cannot be reached now. Try again later.', cause);
}
