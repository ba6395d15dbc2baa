import type { Principal } from '@svc/auth';
import { routeDefiner, type Route } from '@svc/service-kit';
import type { Credentials } from '@svc/vault';

import { TEXT } from '../text-schemas.ts';
import { HTTP_SECRET, httpSecret } from './http-secret.ts';

const defineRoute = routeDefiner<Principal>();

const HTTP_POST = {
  type: 'object',
  additionalProperties: false,
  required: ['prefixUrl', 'credentials'],
  properties: { prefixUrl: TEXT, credentials: HTTP_SECRET },
} as const;

/** The endpoints of HTTP credentials; `:name` is a prefix URL, encoded. */
export function httpCredentialRoutes(credentials: Credentials): readonly Route<Principal>[] {
  const prefix = (subject: string, name: string) => ({ subject, kind: 'http-credential', name }) as const;
  return [
    defineRoute({
      method: 'post',
      path: '/http-creds',
      tag: 'HTTP credentials',
      summary: 'Registers credentials for all URLs below a prefix.',
      request: { body: { kind: 'json', schema: HTTP_POST } },
      responses: { 201: { description: 'They are registered.' } },
      errors: ['http_credentials_already_exists'],
      handler: async ({ body, caller }) => {
        await credentials.register(prefix(caller.subject, body.prefixUrl), httpSecret(body.credentials));
        return { status: 201 };
      },
    }),
    defineRoute({
      method: 'get',
      path: '/http-creds',
      tag: 'HTTP credentials',
      summary: 'Lists the registered prefixes.',
      responses: { 200: { description: 'Prefixes.', content: { 'application/json': { type: 'array', items: { type: 'string' } } } } },
      handler: async ({ caller }) => ({ status: 200, json: await credentials.listNames(caller.subject, 'http-credential') }),
    }),
    defineRoute({
      method: 'get',
      path: '/http-creds/:name',
      tag: 'HTTP credentials',
      summary: 'Shows the credentials of a prefix.',
      responses: { 200: { description: 'The credentials.', content: { 'application/json': HTTP_POST } } },
      errors: ['http_credentials_not_found', 'credentials_unreadable'],
      handler: async ({ params, caller }) => {
        const { name, contents } = await credentials.read(prefix(caller.subject, params.name));
        return { status: 200, json: { prefixUrl: name, credentials: contents } };
      },
    }),
    defineRoute({
      method: 'delete',
      path: '/http-creds/:name',
      tag: 'HTTP credentials',
      summary: 'Forgets the credentials of a prefix.',
      responses: { 204: { description: 'They are forgotten.' } },
      errors: ['http_credentials_not_found'],
      handler: async ({ params, caller }) => {
        await credentials.delete(prefix(caller.subject, params.name));
        return { status: 204 };
      },
    }),
  ];
}
