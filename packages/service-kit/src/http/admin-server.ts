import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import type { Registry } from 'prom-client';

import type { Logger } from '../logging/logger.ts';

/** Checks a dependency that the service needs to serve. Rejects if it is unavailable. */
export type ReadinessCheck = (signal: AbortSignal) => Promise<void>;

/** Options of the admin port: metrics, readiness and liveness. */
export interface AdminOptions {
  readonly registry: Registry;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  /** True once the process has received a stop signal. */
  readonly isStopping: () => boolean;
  readonly logger: Logger;
  readonly checkTimeoutMs?: number;
  /** Facts for the operator that `/ready` shows in addition, without affecting readiness. */
  readonly details?: () => Readonly<Record<string, unknown>>;
}

/** `/live`, `/ready` and `/metrics`, for GET and HEAD; 404 for the rest. Never on the public port. */
export function createAdminListener(options: AdminOptions): RequestListener {
  const answers: Readonly<Record<string, () => Promise<Answer>>> = {
    '/live': async () => ({ status: 200, type: JSON_TYPE, text: JSON.stringify({ status: 'live' }) }),
    '/ready': () => answerReady(options),
    '/metrics': async () => ({ status: 200, type: options.registry.contentType, text: await options.registry.metrics() }),
  };
  return (req, res) => {
    const answer = isRead(req) && Object.hasOwn(answers, req.url ?? '') ? answers[req.url ?? ''] : undefined;
    void send(res, answer ?? answerNotFound, options.logger);
  };
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';

async function answerNotFound(): Promise<Answer> {
  return {
    status: 404,
    type: JSON_TYPE,
    text: JSON.stringify({ code: 'not_found', message: 'Only /live, /ready and /metrics are here.' }),
  };
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

async function send(res: ServerResponse, answer: () => Promise<Answer>, logger: Logger): Promise<void> {
  try {
    const { status, type, text } = await answer();
    res.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text), 'Cache-Control': 'no-store' });
    res.end(text);
  } catch (error) {
    logger.error({ err: error }, 'admin request failed');
    res.writeHead(500).end();
  }
}

async function answerReady({ checks, isStopping, logger, details, checkTimeoutMs = 2000 }: AdminOptions): Promise<Answer> {
  const outcomes = await Promise.all(
    Object.entries(checks).map(
      async ([name, check]) => [name, await runCheck(name, check, { logger, timeoutMs: checkTimeoutMs })] as const,
    ),
  );
  const isReady = !isStopping() && outcomes.every(([, outcome]) => outcome === 'ok');
  const status = isStopping() ? 'stopping' : isReady ? 'ready' : 'not ready';
  return {
    status: isReady ? 200 : 503,
    type: JSON_TYPE,
    text: JSON.stringify({ status, checks: Object.fromEntries(outcomes), ...(details && { details: details() }) }),
  };
}

type CheckOutcome = 'ok' | 'failed' | 'timed out';

async function runCheck(
  name: string,
  check: ReadinessCheck,
  limits: { readonly logger: Logger; readonly timeoutMs: number },
): Promise<CheckOutcome> {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  const timedOut = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  try {
    await Promise.race([check(signal), timedOut]);
    return 'ok';
  } catch (error) {
    // The reason goes to the log only: it may name hosts and users.
    limits.logger.warn({ err: error, check: name }, 'readiness check failed');
    return signal.aborted ? 'timed out' : 'failed';
  }
}
