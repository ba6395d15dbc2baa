import { AsyncLocalStorage } from 'node:async_hooks';

import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';

import { catchListeners } from '../lifecycle/catch-listeners.ts';

/** The request in whose async context code runs. */
interface RequestInContext {
  /** Ends the request with a 500, or logs the exception if the request is over. */
  readonly fail: (thrown: unknown) => void;
}

const contexts = new AsyncLocalStorage<RequestInContext>();

/** Returns the request whose handler, stream or callback is running; undefined outside of requests. */
export function requestInContext(): RequestInContext | undefined {
  return contexts.getStore();
}

/**
 * Turns exceptions thrown by the streams and callbacks of a request into the failure of that request. Listeners of the
 * request and its response are wrapped; timers and other callbacks are attributed by their async context (see `runService`).
 */
export function containFaults(answerFailure: ErrorRequestHandler): RequestHandler {
  return (req, res, next) => {
    const context: RequestInContext = { fail: (thrown) => failRequest(thrown, { req, res, answerFailure }) };
    // Their events are emitted by Node's parser, where nothing else catches them.
    for (const emitter of [req, res]) catchListeners(emitter, context.fail, (emit) => contexts.run(context, emit));
    contexts.run(context, next);
  };
}

interface Failing {
  readonly req: Request;
  readonly res: Response;
  readonly answerFailure: ErrorRequestHandler;
}

function failRequest(thrown: unknown, { req, res, answerFailure }: Failing): void {
  if (res.writableEnded || res.destroyed) req.log.error({ err: thrown }, 'a callback failed after the end of its request');
  else answerFailure(thrown, req, res, () => undefined);
}
