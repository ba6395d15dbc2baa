import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Principal } from '@svc/auth';
import { isTextFormat } from '@svc/query-engine';
import { printType } from '@svc/query-language';
import type { FollowedQuery, QueryRuntime, QueryTimings, RunningQueries } from '@svc/query-runtime';
import { failedQuery } from '@svc/errors';
import { routeDefiner } from '@svc/service-kit';
import type { Route } from '@svc/service-kit';

import { chooseEncoding } from './content-encoding.ts';
import { ANSWERED_FORMATS, chooseFormat } from './result-format-choice.ts';
import { sendResult } from './send-result.ts';

const defineRoute = routeDefiner<Principal>();

const RESULT_TYPE = {
  type: 'object',
  additionalProperties: false,
  required: ['type'],
  properties: { type: { type: 'string', description: 'The type of the result, such as collection(string).' } },
} as const;

/** The endpoints that check and run queries. */
export function queryRoutes(runtime: QueryRuntime, queries: RunningQueries): readonly Route<Principal>[] {
  return [runQuery(runtime, queries), validateQuery(runtime)];
}

function runQuery(runtime: QueryRuntime, queries: RunningQueries): Route<Principal> {
  return defineRoute({
    method: 'post',
    path: '/query',
    tag: 'queries',
    summary: 'Runs a query. One that ends in a function takes its arguments from the query string.',
    request: {
      headers: {
        properties: {
          'X-SVC-output-format': {
            type: 'string',
            enum: ANSWERED_FORMATS,
            description: 'Format of the result; hjson is one JSON value per line, sqlite and the two parquets are files.',
          },
          'X-SVC-windows-line-ending': { type: 'boolean', default: false, description: 'Lines of hjson and csv end with \\n\\r.' },
          'X-SVC-max-bytes': {
            type: 'integer',
            minimum: 1,
            description: 'At most so many bytes of body; text ends after the last whole value that fits.',
          },
        },
      },
      body: { kind: 'text', description: 'The query.' },
    },
    responses: {
      200: {
        description: 'The result.',
        content: {
          'text/plain': { type: 'string' },
          'application/json': {},
          'application/x-ndjson': { type: 'string' },
          'text/csv': { type: 'string' },
          'application/vnd.sqlite3': {},
          'application/vnd.apache.parquet': {},
        },
        headers: {
          'X-SVC-Query-Id': { description: 'Names this run of the query.', schema: { type: 'string' } },
          'X-SVC-Truncated': {
            description: 'true where X-SVC-max-bytes cut the result; a trailer on chunked answers.',
            schema: { type: 'string' },
          },
        },
      },
    },
    errors: ['query errors', 'result_too_large', 'query_timeout', 'service_unavailable'],
    handler: async ({ body, headers, searchParams, caller, signal, req, res }) => {
      const { format, contentType } = chooseFormat(headers['X-SVC-output-format'], req.headers.accept);
      const followed = queries.begin({ id: queryIdOf(res), subject: caller.subject, text: body, client: signal });
      await untilEnd(followed, async () => {
        const query = await runtime.run({
          caller,
          text: body,
          arguments: new Map(searchParams),
          format,
          lineEnding: headers['X-SVC-windows-line-ending'] ? 'windows' : 'unix',
          maxBytes: headers['X-SVC-max-bytes'],
          signal: followed.signal,
        });
        followed.follow(query.progress);
        await sendResult(res, query, {
          contentType,
          encoding: isTextFormat(format) ? chooseEncoding(req.headers['accept-encoding']) : null,
          serverTiming: () => serverTiming(query.timings),
        });
      });
      return undefined;
    },
  });
}

function validateQuery(runtime: QueryRuntime): Route<Principal> {
  return defineRoute({
    method: 'post',
    path: '/query-validate',
    tag: 'queries',
    summary: 'Checks a query without running it.',
    request: { body: { kind: 'text', description: 'The query.' } },
    responses: { 200: { description: 'The type of the result.', content: { 'application/json': RESULT_TYPE } } },
    errors: ['query errors', 'service_unavailable'],
    handler: async ({ body, caller, signal }) => ({ status: 200, json: { type: printType(await runtime.validate(caller, body, signal)) } }),
  });
}

/** A query that is cancelled fails for this reason, whatever it was doing. */
async function untilEnd(followed: FollowedQuery, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    throw followed.isCancelled() ? failedQuery({ message: 'the query was cancelled', positions: [] }) : thrown;
  } finally {
    followed.end();
  }
}

/** Every answer of the query endpoints carries an id, those that fail before the route too. */
export function setQueryId(req: IncomingMessage, res: ServerResponse, next: () => void): void {
  if (/^\/query(-validate)?(\?|$)/.test(req.url ?? '')) res.setHeader('X-SVC-Query-Id', randomUUID());
  next();
}

/** The id that `setQueryId` gave. */
function queryIdOf(res: ServerResponse): string {
  const id = res.getHeader('X-SVC-Query-Id');
  return typeof id === 'string' ? id : randomUUID();
}

function serverTiming(timings: QueryTimings): string {
  const entries: readonly (readonly [string, number])[] = [
    ['wait', timings.wait],
    ['compile', timings.compile],
    ['execute', timings.execute()],
  ];
  return entries.map(([name, millis]) => `${name};dur=${millis.toFixed(1)}`).join(', ');
}
