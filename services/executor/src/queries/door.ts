import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import type { Authenticator } from '@svc/auth';
import { answerError } from '@svc/errors';
import type { Admission } from '@svc/query-runtime';
import { queryRefused } from '@svc/query-runtime';
import type { HttpMetrics, Logger } from '@svc/service-kit';
import { Counter } from 'prom-client';

import { KnownCallers } from './known-callers.ts';

const LOG_MILLIS = 1000;

/** Where queries for which there is no place are turned away. */
export interface Door {
  /** As given, and notes whose token a request carried. */
  readonly authenticate: Authenticator;
  /** Turns away at once what would be refused after all checks; the rest goes on to the application. */
  readonly guard: (application: RequestListener) => RequestListener;
  /**
   * The query of this request is about to ask for its place. Until then, or the end of the request, the door counts it
   * among those that wait.
   */
  readonly arrive: (req: IncomingMessage) => void;
}

/** What a door asks before it opens. */
export interface DoorOptions {
  readonly admission: Admission;
  readonly authenticate: Authenticator;
  readonly metrics: HttpMetrics;
  readonly logger: Logger;
}

/**
 * A process that has more to do than it can must not spend its time on refusing: a query whose caller is known and for whom the
 * queue is full is answered 503 before anything else is looked at. Refusals are counted, and logged once a second.
 */
export function openDoor({ admission, authenticate, metrics, logger }: DoorOptions): Door {
  const callers = new KnownCallers();
  const underWay = new WeakMap<IncomingMessage, () => void>();
  const refuse = refuser();
  const count = refusalCounter(metrics, logger);
  return {
    authenticate: async (req) => {
      const principal = await authenticate(req);
      const { authorization } = req.headers;
      // The gateway's token speaks for many.
      if (authorization !== undefined && principal.kind === 'token') callers.remember(authorization, principal.subject);
      return principal;
    },
    guard: (application) => (req, res) => {
      const subject = isPlainQuery(req) ? callers.subjectOf(req.headers.authorization ?? '') : undefined;
      if (subject !== undefined && admission.refuses(subject)) {
        count();
        refuse(res);
        return;
      }
      if (subject !== undefined) {
        const arrive = admission.expect(subject);
        underWay.set(req, arrive);
        res.once('close', arrive);
      }
      application(req, res);
    },
    arrive: (req) => underWay.get(req)?.(),
  };
}

/** A query that asks for nothing that only the application knows: rules for browsers, other forms of errors, its own request id. */
function isPlainQuery({ method, url = '', headers }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    (url === '/query' || url.startsWith('/query?')) &&
    headers.origin === undefined &&
    headers['x-request-id'] === undefined &&
    headers.expect === undefined &&
    headers.accept?.includes('problem') !== true
  );
}

/** Counts a refusal: for the metrics when they are asked for, and for the log once a second. */
function refusalCounter({ registry }: HttpMetrics, logger: Logger): () => void {
  let [unlogged, unseen] = [0, 0];
  const refused: Counter = new Counter({
    name: 'svc_queries_refused_total',
    help: 'Queries turned away at the door, since too many waited.',
    registers: [registry],
    collect: () => {
      refused.inc(unseen);
      unseen = 0;
    },
  });
  const log = (): void => {
    logger.warn({ queries: unlogged }, 'queries were refused: too many wait');
    unlogged = 0;
  };
  return () => {
    unseen += 1;
    unlogged += 1;
    if (unlogged === 1) setTimeout(log, LOG_MILLIS).unref();
  };
}

/** The same answer as the application's; made once, for it is sent when there is no time. */
function refuser(): (res: ServerResponse) => void {
  const answer = answerError(queryRefused(), '');
  const body = JSON.stringify(answer.body);
  const headers = Object.entries({ ...answer.headers, 'Content-Length': String(Buffer.byteLength(body)) }).flat();
  return (res) => {
    res.writeHead(answer.status, [...headers, 'X-Request-Id', randomUUID(), 'X-SVC-Query-Id', randomUUID()]);
    // A text and not its bytes: Node then sends head and body in one write.
    res.end(body);
  };
}
