import type { Principal } from '@svc/auth';
import { printType } from '@svc/query-language';
import { routeDefiner } from '@svc/service-kit';
import type { Route } from '@svc/service-kit';

import type { StoredTexts } from '../catalog/stored-texts.ts';
import { LIST_QUERY, PUT_QUERY, RESULT_TYPE, TEXT_DETAIL, textDetail } from '../catalog/text-wire.ts';

const defineRoute = routeDefiner<Principal>();

/** The endpoints of views. */
export function viewRoutes({ views }: Pick<StoredTexts, 'views'>): readonly Route<Principal>[] {
  return [
    defineRoute({
      method: 'put',
      path: '/views/:name',
      tag: 'views',
      summary: 'Stores a query under a name that queries can use.',
      request: { query: PUT_QUERY, body: { kind: 'text', description: 'The query.' } },
      responses: { 200: { description: 'The type of the view.', content: { 'application/json': RESULT_TYPE } } },
      errors: ['query errors', 'view_name_invalid', 'view_already_exists', 'service_unavailable'],
      handler: async ({ params, query, body, caller, signal }) => {
        const type = await views.put({ caller, name: params.name, text: body, replace: query.replace, signal });
        return { status: 200, json: { type: printType(type) } };
      },
    }),
    defineRoute({
      method: 'get',
      path: '/views',
      tag: 'views',
      summary: 'Lists views by name.',
      request: { query: LIST_QUERY },
      responses: { 200: { description: 'The views.', content: { 'application/json': { type: 'array', items: TEXT_DETAIL } } } },
      handler: async ({ query, caller }) => ({ status: 200, json: (await views.list(caller, query.pattern)).map(textDetail) }),
    }),
    defineRoute({
      method: 'get',
      path: '/views/:name',
      tag: 'views',
      summary: 'Shows a view.',
      responses: { 200: { description: 'The view.', content: { 'application/json': TEXT_DETAIL } } },
      errors: ['view_not_found'],
      handler: async ({ params, caller }) => ({ status: 200, json: textDetail(await views.get(caller, params.name)) }),
    }),
    defineRoute({
      method: 'delete',
      path: '/views/:name',
      tag: 'views',
      summary: 'Deletes a view. What uses it says so when it is used.',
      responses: { 204: { description: 'It is gone.' } },
      errors: ['view_not_found'],
      handler: async ({ params, caller, log }) => {
        const users = await views.delete(caller, params.name);
        if (users.length > 0) log.warn({ view: params.name, users }, 'a view was deleted that others use');
        return { status: 204 };
      },
    }),
  ];
}
