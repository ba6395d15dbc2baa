import type { IncomingMessage } from 'node:http';

import express, { type Express, type Request, type RequestHandler } from 'express';

import { ServiceError } from '@svc/errors';

import type { Logger } from '../logging/logger.ts';
import { createRequestLog } from '../logging/request-log.ts';
import type { HttpMetrics } from '../metrics/http-metrics.ts';
import { describeService, type ServiceDescription } from '../routes/describe-service.ts';
import { routeDefiner, type Route } from '../routes/route.ts';
import { containFaults } from './contain-faults.ts';
import { createCors } from './cors.ts';
import { createErrorHandler, type ToPublic } from './error-handler.ts';
import { checkPercentEncoding } from './request-path.ts';
import { createRouter } from './create-router.ts';
import { createStaticDocument } from './static-document.ts';

/** Options of a service's HTTP application. */
export interface HttpAppOptions<Caller> {
  readonly description: ServiceDescription;
  readonly routes: readonly Route<Caller>[];
  /** Authenticates the caller. Throws `unauthorized`, `forbidden` or `service_unavailable`. */
  readonly authenticate: (req: IncomingMessage) => Promise<Caller>;
  readonly bodyLimitBytes: number;
  /** Origins that may call from a browser; `*` for any, empty for none. */
  readonly corsOrigins: readonly string[];
  /** Maps any thrown value to the one that is answered. */
  readonly toPublic?: ToPublic;
  readonly logger: Logger;
  readonly metrics: HttpMetrics;
  /** Run for every request before anything can fail: for headers that every answer carries. */
  readonly early?: readonly RequestHandler[];
  /** Run after the rules for browsers and before the routes: for paths that callers make up, with a check of who calls that is their own. */
  readonly beforeRoutes?: readonly RequestHandler[];
}

/**
 * A service's application. The order of checks is a promise: 401 and 403 (for every path but those of routes without `auth`),
 * percent-encoding, 404, 405, then those of the route. Paths are exact; HEAD is answered where GET is.
 */
export function createHttpApp<Caller>(options: HttpAppOptions<Caller>): Express {
  const { routes, bodyLimitBytes } = options;
  const callers = new WeakMap<Request, Caller>();
  const open = [describeItself(options), ...routes.filter((route) => route.auth === 'none')];
  const closed = routes.filter((route) => route.auth === 'required');
  const answerFailure = createErrorHandler(options.toPublic ?? ((thrown) => thrown));
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use(createRequestLog(options.logger), containFaults(answerFailure), options.metrics.observe, ...(options.early ?? []));
  app.use(requireHost);
  if (options.corsOrigins.length > 0) app.use(createCors(options.corsOrigins));
  if (options.beforeRoutes !== undefined) app.use(...options.beforeRoutes);
  // The handler of a route without `auth` has an undefined caller by definition.
  app.use(createRouter(open, { bodyLimitBytes, callerOf: () => undefined as Caller }));
  app.use(async (req, _res, next) => {
    callers.set(req, await options.authenticate(req));
    next();
  });
  app.use(checkPercentEncoding);
  // The middleware above stored the caller, or threw.
  app.use(createRouter(closed, { bodyLimitBytes, callerOf: (req) => callers.get(req) as Caller }));
  app.use((req) => {
    throw new ServiceError('not_found', req.path);
  });
  app.use(answerFailure);
  return app;
}

/** The characters of a host name or an IP address, and of a port. */
const HOST = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

/** HTTP/1.1 demands one; Node would refuse the request without a word. */
const requireHost: RequestHandler = (req, _res, next) => {
  if (req.headers.host === undefined && req.httpVersion === '1.1') throw new ServiceError('bad_request', 'The header Host is missing.');
  // Node keeps the first of several Host headers; a proxy in front may have used another one.
  if (countHosts(req) > 1) throw new ServiceError('bad_request', 'The header Host is given more than once.');
  // Descriptions of endpoints name it as their server.
  if (!HOST.test(req.headers.host ?? '')) throw new ServiceError('bad_request', 'The header Host must be a host, with or without a port.');
  next();
};

function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') count += 1;
  return count;
}

function describeItself<Caller>({ description, routes }: HttpAppOptions<Caller>): Route<Caller> {
  const answer = createStaticDocument(JSON.stringify(describeService(description, routes)));
  return routeDefiner<Caller>()({
    method: 'get',
    path: '/openapi.json',
    summary: 'The description of this service.',
    tag: 'service',
    auth: 'none',
    responses: {
      200: { description: 'OpenAPI 3.1', content: { 'application/json': { type: 'object' } } },
      304: { description: 'The document is the one that If-None-Match names.' },
    },
    // The application is Express.
    handler: ({ req }) => answer(req as Request),
  });
}
