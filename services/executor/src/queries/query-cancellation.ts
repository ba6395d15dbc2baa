import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

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
/** Between two looks at who there is to be asked. A process that has lost its session has another one before that. */
const LOOK_MILLIS = 500;

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
  /** The sessions of other processes; null while this one would not hear their answers. */
  readonly others: () => Promise<readonly number[] | null>;
  readonly requests: Requests;
  readonly say: Say;
}

/**
 * True as soon as one of the others has cancelled the query, false when all have said that they had not, those too that came a moment later: who
 * has lost its session is nobody until it has the next one, and hears nothing before it listens. So whoever is silent is asked again. Fails
 * where one stays so, or where this process has no session itself.
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
