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

/** Overload guard: rejects queries for which there is no capacity. */
export interface OverloadGuard {
  /** The given authenticator; also records the subject of each token. */
  readonly authenticate: Authenticator;
  /** Immediately rejects requests that would be rejected after all checks; passes the others to the application. */
  readonly guard: (application: RequestListener) => RequestListener;
  /**
   * Called when the query of this request is about to enter admission. Until then, or until the request ends, the guard
   * counts it as waiting.
   */
  readonly arrive: (req: IncomingMessage) => void;
}

/** Dependencies of the overload guard. */
export interface OverloadGuardOptions {
  readonly admission: Admission;
  readonly authenticate: Authenticator;
  /** Called for each rejection. */
  readonly countRefusal: () => void;
}

/**
 * Creates the overload guard. An overloaded process must not spend its time on rejections: a query of a known caller whose
 * queue is full is answered 503 before any other check. Rejections are counted, and logged once a second.
 */
export function createOverloadGuard({ admission, authenticate, countRefusal }: OverloadGuardOptions): OverloadGuard {
  const callers = new KnownCallers();
  const underWay = new WeakMap<IncomingMessage, () => void>();
  const refuse = refuser();
  return {
    authenticate: async (req) => {
      const principal = await authenticate(req);
      const { authorization } = req.headers;
      // The gateway's token acts for many subjects.
      if (authorization !== undefined && principal.kind === 'token') callers.remember(authorization, principal.subject);
      return principal;
    },
    guard: (application) => (req, res) => {
      const subject = isPlainQuery(req) ? callers.subjectOf(req.headers.authorization ?? '') : undefined;
      if (subject !== undefined && admission.refuses(subject)) {
        countRefusal();
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

/**
 * Returns whether a request is a query that needs nothing of the application: no CORS, no other error format, no request id
 * of its own.
 */
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

/** Returns a counter of rejections by the guard and by admission: for the metrics on scrape, and for the log once a second. */
export function createRefusalCounter({ registry }: HttpMetrics, logger: Logger): () => void {
  let [unlogged, unseen] = [0, 0];
  const refused: Counter = new Counter({
    name: 'svc_queries_refused_total',
    help: 'Queries rejected since too many waited, or since they had waited too long.',
    registers: [registry],
    collect: () => {
      refused.inc(unseen);
      unseen = 0;
    },
  });
  const log = (): void => {
    logger.warn({ queries: unlogged }, 'queries were refused: too many wait, or for too long');
    unlogged = 0;
  };
  return () => {
    unseen += 1;
    unlogged += 1;
    if (unlogged === 1) setTimeout(log, LOG_MILLIS).unref();
  };
}

/** Builds the same response as the application's, once, since it is sent under overload. */
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
