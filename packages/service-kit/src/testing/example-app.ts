import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

import type { Express } from 'express';

import { invalidQuery, ServiceError } from '@svc/errors';

import { createHttpApp, type HttpAppOptions } from '../http/create-http-app.ts';
import { createLogger } from '../logging/logger.ts';
import { createHttpMetrics } from '../metrics/http-metrics.ts';
import { routeDefiner, type Route } from '../routes/route.ts';

/** An application of the example routes, and the lines that it has logged. */
export interface ExampleApp {
  readonly app: Express;
  readonly lines: readonly string[];
}

/** The application with one caller, "ann", who sends the token `good`; `weak` is forbidden everything. */
export function createExampleApp(options: Partial<HttpAppOptions<string>> = {}): ExampleApp {
  const lines: string[] = [];
  const app = createHttpApp<string>({
    description: { title: 'Test', version: '1.0.0', description: 'A service of the tests.' },
    routes: EXAMPLE_ROUTES,
    authenticate: async (req) => {
      if (req.headers.authorization === 'Bearer good') return 'ann';
      if (req.headers.authorization === 'Bearer weak') throw new ServiceError('forbidden', 'Not allowed.');
      throw new ServiceError('unauthorized', 'Send a token.', { headers: { 'WWW-Authenticate': 'Bearer' } });
    },
    bodyLimitBytes: 1024,
    corsOrigins: [],
    logger: createLogger({ service: 'test', level: 'info', destination: { write: (line) => void lines.push(line) } }),
    metrics: createHttpMetrics(),
    ...options,
  });
  return { app, lines };
}

/** The header of a token. */
export const as = (name: string) => ({ Authorization: `Bearer ${name}` });

/** The header of the token that may do all. */
export const good = as('good');

/** Sends one message over a real socket and returns all received bytes (latin1). */
export async function exchange(listener: Express, message: string): Promise<string> {
  const server: Server = createServer({ requireHostHeader: false }, listener); // as that of a service
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.write(message, 'latin1');
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
  await new Promise((resolve) => server.close(resolve));
  return Buffer.concat(chunks).toString('latin1');
}

const defineRoute = routeDefiner<string>();

const JSON_ANSWER = { 200: { description: 'ok', content: { 'application/json': { type: 'object' } } } } as const;

const EXAMPLE_ROUTES: readonly Route<string>[] = [
  defineRoute({
    method: 'post',
    path: '/query',
    summary: 'Runs a text.',
    tag: 'queries',
    request: {
      query: { properties: { force: { type: 'boolean' }, limit: { type: 'integer', minimum: 1, default: 10 } } },
      headers: {
        properties: {
          'X-SVC-output-format': { type: 'string', enum: ['json', 'hjson'], default: 'hjson' },
          'X-SVC-max-bytes': { type: 'integer', minimum: 1 },
        },
      },
      body: { kind: 'text', description: 'The query.' },
    },
    responses: { 200: { description: 'ok', content: { 'text/plain': { type: 'string' }, 'text/csv': { type: 'string' } } } },
    errors: ['query errors', 'query_timeout'],
    handler: async ({ body, headers, query, caller }) => ({
      status: 200,
      text: [caller, body, headers['X-SVC-output-format'], headers['X-SVC-max-bytes'], query.limit, query.force].join('|'),
    }),
  }),
  defineRoute({
    method: 'put',
    path: '/tables/:name',
    summary: 'Creates a table.',
    tag: 'tables',
    request: {
      body: {
        kind: 'json',
        schema: {
          type: 'object',
          additionalProperties: false,
          required: ['type'],
          properties: {
            type: { type: 'string', minLength: 1 },
            indexes: { type: 'array', items: { type: 'string' } },
            location: { type: ['string', 'null'] },
          },
        },
      },
    },
    responses: JSON_ANSWER,
    errors: ['table_already_exists'],
    handler: async ({ body, params }) => ({ status: 200, json: { name: params.name, type: body.type, indexes: body.indexes ?? [] } }),
  }),
  defineRoute({
    method: 'get',
    path: '/tables/:name',
    summary: 'A table.',
    tag: 'tables',
    responses: JSON_ANSWER,
    handler: async ({ params }) => ({ status: 200, json: { name: params.name } }),
  }),
  defineRoute({
    method: 'delete',
    path: '/tables/:name',
    summary: 'Deletes a table.',
    tag: 'tables',
    responses: { 204: { description: 'gone' } },
    handler: async () => ({ status: 204 }),
  }),
  defineRoute({
    method: 'get',
    path: '/tables_vacuum/:name',
    summary: 'Changes something.',
    tag: 'tables',
    head: false,
    responses: { 200: { description: 'ok' } },
    handler: async () => ({ status: 200 }),
  }),
  defineRoute({
    method: 'get',
    path: '/failures/:kind',
    summary: 'Fails.',
    tag: 'failures',
    responses: JSON_ANSWER,
    handler: async ({ params, res }) => {
      if (params.kind === 'query') throw invalidQuery([{ message: 'Unknown name "a".', positions: [] }]);
      if (params.kind === 'busy') throw new ServiceError('service_unavailable', 'Busy.', { headers: { 'Retry-After': '3' } });
      if (params.kind === 'late') {
        res.writeHead(200, { 'Content-Type': 'text/plain' });
        res.write('half of the answer');
      }
      throw new Error('password=hunter2 at /var/lib/secret');
    },
  }),
  defineRoute({
    method: 'get',
    path: '/public',
    summary: 'For anybody.',
    tag: 'public',
    auth: 'none',
    responses: JSON_ANSWER,
    handler: async ({ caller }) => ({ status: 200, json: { caller: caller ?? null } }),
  }),
];
