import type { Principal } from '@svc/auth';
import { printType } from '@svc/query-language';
import { routeDefiner } from '@svc/service-kit';
import type { Route } from '@svc/service-kit';

import { RESULT_TYPE } from '../catalog/text-wire.ts';
import { RESULT_OPTIONS, RESULT_RESPONSE, answerQuery } from './answer-query.ts';
import type { QueryAnswering } from './answer-query.ts';

const defineRoute = routeDefiner<Principal>();

/** The endpoints that check and run queries. */
export function queryRoutes(answering: QueryAnswering): readonly Route<Principal>[] {
  return [runQuery(answering), validateQuery(answering)];
}

function runQuery(answering: QueryAnswering): Route<Principal> {
  return defineRoute({
    method: 'post',
    path: '/query',
    tag: 'queries',
    summary: 'Runs a query. One that ends in a function takes its arguments from the query string.',
    request: { headers: RESULT_OPTIONS, body: { kind: 'text', description: 'The query.' } },
    responses: { 200: RESULT_RESPONSE },
    errors: ['query errors', 'result_too_large', 'query_timeout', 'service_unavailable'],
    handler: async ({ body, headers, searchParams, caller, signal, req, res }) => {
      await answerQuery(answering, { text: body, arguments: new Map(searchParams), options: headers, caller, signal, req, res });
      return undefined;
    },
  });
}

function validateQuery({ runtime }: Pick<QueryAnswering, 'runtime'>): Route<Principal> {
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
