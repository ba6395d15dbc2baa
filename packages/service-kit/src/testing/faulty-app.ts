import type { RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';

import { createHttpApp, routeDefiner, type HttpMetrics, type Logger } from '../index.ts';

const defineRoute = routeDefiner<undefined>();
const ANSWER = { 200: { description: 'ok', content: { 'text/plain': { type: 'string' } } } } as const;

/** An application whose requests throw outside of their handlers, as selected by the path. */
export function createFaultyApp(logger: Logger, metrics: HttpMetrics): RequestListener {
  return createHttpApp<undefined>({
    description: { title: 'Example', version: '1', description: 'A service of the tests.' },
    routes: ROUTES,
    authenticate: async () => undefined,
    bodyLimitBytes: 1024,
    corsOrigins: [],
    logger,
    metrics,
  });
}

const ROUTES = [
  defineRoute({
    method: 'post',
    path: '/faults/:kind',
    tag: 'faults',
    summary: 'Throws where no handler catches, and never answers.',
    responses: ANSWER,
    handler: async ({ params, req, res }) => {
      const fault = (): never => {
        throw new Error(`a fault of kind ${params.kind}`);
      };
      if (params.kind === 'timer') setTimeout(fault, 1);
      if (params.kind === 'rejection') void delay(1).then(fault);
      if (params.kind === 'listener') req.on('end', fault).resume();
      if (params.kind === 'stream') req.pipe(createGunzip());
      if (params.kind === 'late') setTimeout(fault, 1);
      if (params.kind === 'late') return { status: 200, text: 'answered' };
      if (params.kind === 'begun') res.writeHead(200).write('half of the answer', fault);
      await delay(60_000, undefined, { ref: false });
      return { status: 200, text: 'nobody threw' };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/',
    tag: 'faults',
    summary: 'Answers.',
    responses: ANSWER,
    handler: async () => ({ status: 200, text: 'ok' }),
  }),
];
