import type { Principal } from '@svc/auth';
import { ServiceError } from '@svc/errors';
import type { RunningQueries, RunningQuerySummary } from '@svc/query-runtime';
import { routeDefiner } from '@svc/service-kit';
import type { Route } from '@svc/service-kit';

import type { QueryCancellation } from './query-cancellation.ts';

const defineRoute = routeDefiner<Principal>();

const QUERY_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const RUNNING_QUERY = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'query', 'startedAt', 'rows', 'bytes'],
  properties: {
    id: { type: 'string', description: 'The X-SVC-Query-Id of its answer.' },
    query: { type: 'string', description: 'The first 200 characters of its text.' },
    startedAt: { type: 'string', description: 'When it came, in UTC: 2026-11-20T09:15:00.123.' },
    rows: { type: 'integer', description: 'Rows of the result so far.' },
    bytes: { type: 'integer', description: 'Bytes of the result so far, before compression.' },
  },
} as const;

/** The endpoints that list and cancel running queries. */
export function runningQueryRoutes(queries: RunningQueries, cancel: QueryCancellation['cancel']): readonly Route<Principal>[] {
  return [
    defineRoute({
      method: 'get',
      path: '/queries',
      tag: 'queries',
      summary: 'The queries of the caller that run in this process, the oldest first.',
      responses: { 200: { description: 'What runs.', content: { 'application/json': { type: 'array', items: RUNNING_QUERY } } } },
      handler: async ({ caller }) => ({ status: 200, json: queries.list(caller.subject).map(toWire) }),
    }),
    defineRoute({
      method: 'delete',
      path: '/queries/:id',
      tag: 'queries',
      summary: 'Cancels a query of the caller, whichever process runs it. Its answer is a runtimeError, or breaks off where it has begun.',
      responses: { 204: { description: 'Cancelled.' } },
      errors: ['not_found', 'service_unavailable'],
      handler: async ({ params, caller, req }) => {
        if (!QUERY_ID.test(params.id) || !(await cancel(caller.subject, params.id)))
          throw new ServiceError('not_found', req.url?.split('?', 1)[0] ?? '');
        return { status: 204 };
      },
    }),
  ];
}

function toWire(summary: RunningQuerySummary): Readonly<Record<string, string | number>> {
  return { ...summary, startedAt: summary.startedAt.toISOString().replace('Z', '') };
}
