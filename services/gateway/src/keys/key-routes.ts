import type { Principal } from '@svc/auth';
import { routeDefiner, type Route } from '@svc/service-kit';

import type { KeyAdministration } from './key-administration.ts';
import { KEY, KEY_CHANGE, KEY_REQUEST, KEY_WITH_VALUE, keyJson, keyWithValueJson, readExpiry, ROTATION } from './key-wire.ts';

const defineRoute = routeDefiner<Principal>();
const KEYS = '/svc/1/api/admin/keys';
/** Maximum page size, also of requests without paging. */
const MOST_LISTED = 1000;

/** The administration of API keys. */
export function keyRoutes(keys: KeyAdministration): readonly Route<Principal>[] {
  return [...collectionRoutes(keys), ...singleRoutes(keys)];
}

function collectionRoutes(keys: KeyAdministration): readonly Route<Principal>[] {
  return [
    defineRoute({
      method: 'post',
      path: KEYS,
      tag: 'keys',
      summary: 'Creates an API key, for 90 days unless `expiresAt` says otherwise. Its value is in this answer.',
      request: { body: { kind: 'json', schema: KEY_REQUEST } },
      responses: { 201: { description: 'The key.', content: { 'application/json': KEY_WITH_VALUE } } },
      handler: async ({ body, caller }) => {
        const created = await keys.create(caller, {
          name: body.name,
          expiresAt: readExpiry(body.expiresAt),
          isActive: body.active ?? true,
          scopes: body.scopes ?? [],
          rateLimit: body.rateLimit ?? null,
        });
        return { status: 201, json: keyWithValueJson(created, keys.now()) };
      },
    }),
    defineRoute({
      method: 'get',
      path: KEYS,
      tag: 'keys',
      summary: 'Lists the API keys of the namespace, oldest first, in pages.',
      request: {
        query: {
          properties: {
            limit: { type: 'integer', minimum: 1, maximum: MOST_LISTED, default: MOST_LISTED },
            after: { type: 'string', maxLength: 100, description: 'The id of a key: only those after it are listed.' },
          },
        },
      },
      responses: {
        200: {
          description: 'The keys. Where the page is full, the header `Link` names the next one.',
          content: { 'application/json': { type: 'array', items: KEY } },
        },
      },
      errors: ['key_not_found'],
      handler: async ({ query: { limit, after }, caller }) => {
        const page = await keys.list(caller, { limit, after });
        const last = page.length < limit ? undefined : page.at(-1);
        const next = last && { Link: `<${KEYS}?limit=${limit}&after=${last.id}>; rel="next"` };
        return { status: 200, json: page.map((key) => keyJson(key, keys.now())), ...(next && { headers: next }) };
      },
    }),
  ];
}

function singleRoutes(keys: KeyAdministration): readonly Route<Principal>[] {
  const one = { description: 'The key.', content: { 'application/json': KEY } } as const;
  return [
    defineRoute({
      method: 'get',
      path: `${KEYS}/:id`,
      tag: 'keys',
      summary: 'Shows an API key.',
      responses: { 200: one },
      errors: ['key_not_found'],
      handler: async ({ params, caller }) => ({ status: 200, json: keyJson(await keys.get(caller, params.id), keys.now()) }),
    }),
    defineRoute({
      method: 'patch',
      path: `${KEYS}/:id`,
      tag: 'keys',
      summary: 'Renames, activates, deactivates, prolongs or limits an API key.',
      request: { body: { kind: 'json', schema: KEY_CHANGE } },
      responses: { 200: one },
      errors: ['key_not_found'],
      handler: async ({ params, body, caller }) => {
        const { name, active, rateLimit } = body;
        const key = await keys.update(caller, params.id, { name, isActive: active, expiresAt: readExpiry(body.expiresAt), rateLimit });
        return { status: 200, json: keyJson(key, keys.now()) };
      },
    }),
    defineRoute({
      method: 'delete',
      path: `${KEYS}/:id`,
      tag: 'keys',
      summary: 'Deletes an API key.',
      responses: { 204: { description: 'It is gone.' } },
      errors: ['key_not_found'],
      handler: async ({ params, caller }) => {
        await keys.delete(caller, params.id);
        return { status: 204 };
      },
    }),
    defineRoute({
      method: 'post',
      path: `${KEYS}/:id/reveal`,
      tag: 'keys',
      summary: 'Shows the value of an API key.',
      responses: {
        200: {
          description: 'The value.',
          content: {
            'application/json': {
              type: 'object',
              additionalProperties: false,
              required: ['key'],
              properties: { key: { type: 'string' } },
            },
          },
        },
      },
      errors: ['key_not_found'],
      handler: async ({ params, caller }) => ({ status: 200, json: { key: await keys.reveal(caller, params.id) } }),
    }),
    defineRoute({
      method: 'post',
      path: `${KEYS}/:id/rotate`,
      tag: 'keys',
      summary: 'Gives an API key a new value; the value before holds for a while, if that is wanted.',
      request: { body: { kind: 'json', schema: ROTATION } },
      responses: { 200: { description: 'The key with its new value.', content: { 'application/json': KEY_WITH_VALUE } } },
      errors: ['key_not_found'],
      handler: async ({ params, body, caller }) => ({
        status: 200,
        json: keyWithValueJson(await keys.rotate(caller, params.id, body.graceSeconds ?? 0), keys.now()),
      }),
    }),
  ];
}
