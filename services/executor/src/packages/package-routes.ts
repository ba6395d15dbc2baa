import type { Principal } from '@svc/auth';
import type { StoredText } from '@svc/database';
import { printType } from '@svc/query-language';
import { routeDefiner } from '@svc/service-kit';
import type { JsonSchema, Route } from '@svc/service-kit';

import type { StoredTexts } from '../catalog/stored-texts.ts';
import { LIST_QUERY, PUT_QUERY, RESULT_TYPE, TEXT_DETAIL, printLocalTime, textDetail } from '../catalog/text-wire.ts';

const defineRoute = routeDefiner<Principal>();

const LIST_ITEM = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'query', 'createdAt'],
  properties: { name: { type: 'string' }, query: { type: 'string' }, createdAt: { type: 'string' } },
} as const satisfies JsonSchema;

function listItem({ name, text, createdAt }: StoredText) {
  return { name, query: text, createdAt: printLocalTime(createdAt) };
}

/** The endpoints of stored packages. */
export function packageRoutes({ packages }: Pick<StoredTexts, 'packages'>): readonly Route<Principal>[] {
  return [
    defineRoute({
      method: 'put',
      path: '/packages/:name',
      tag: 'packages',
      summary: 'Stores code under a name that queries, views and packages can import from.',
      request: { query: PUT_QUERY, body: { kind: 'text', description: 'The code.' } },
      responses: {
        200: {
          description: 'The type of the final expression, or the record of its public data.',
          content: { 'application/json': RESULT_TYPE },
        },
      },
      errors: ['query errors', 'package_name_invalid', 'package_already_exists', 'service_unavailable'],
      handler: async ({ params, query, body, caller, signal }) => {
        const type = await packages.put({ caller, name: params.name, text: body, replace: query.replace, signal });
        return { status: 200, json: { type: printType(type) } };
      },
    }),
    defineRoute({
      method: 'get',
      path: '/packages',
      tag: 'packages',
      summary: 'Lists packages by name.',
      request: { query: LIST_QUERY },
      responses: { 200: { description: 'The packages.', content: { 'application/json': { type: 'array', items: LIST_ITEM } } } },
      handler: async ({ query, caller }) => ({ status: 200, json: (await packages.list(caller, query.pattern)).map(listItem) }),
    }),
    defineRoute({
      method: 'get',
      path: '/packages/:name',
      tag: 'packages',
      summary: 'Shows a package.',
      responses: { 200: { description: 'The package.', content: { 'application/json': TEXT_DETAIL } } },
      errors: ['package_not_found'],
      handler: async ({ params, caller }) => ({ status: 200, json: textDetail(await packages.get(caller, params.name)) }),
    }),
    defineRoute({
      method: 'delete',
      path: '/packages/:name',
      tag: 'packages',
      summary: 'Deletes a package. What imports it says so when it is used.',
      responses: { 204: { description: 'It is gone.' } },
      errors: ['package_not_found'],
      handler: async ({ params, caller, log }) => {
        const users = await packages.delete(caller, params.name);
        if (users.length > 0) log.warn({ package: params.name, users }, 'a package was deleted that others use');
        return { status: 204 };
      },
    }),
  ];
}
