import type { Principal } from '@svc/auth';
import { routeDefiner, type Route } from '@svc/service-kit';
import type { Credentials } from '@svc/vault';

import { HEADER_TEXT, TEXT } from '../text-schemas.ts';

const defineRoute = routeDefiner<Principal>();

const TOKEN = {
  type: 'object',
  additionalProperties: false,
  required: ['accessToken', 'tokenType', 'uid'],
  properties: { accessToken: HEADER_TEXT, tokenType: { type: 'string', enum: ['bearer'] }, uid: TEXT },
} as const;

/** The endpoints of the file host's token, one per user. */
export function fileHostTokenRoutes(credentials: Credentials): readonly Route<Principal>[] {
  const token = (subject: string) => ({ subject, kind: 'filehost-token', name: '' }) as const;
  return [
    defineRoute({
      method: 'post',
      path: '/filehost-tokens',
      tag: 'file host token',
      summary: 'Registers the token with which files of the file host are read.',
      request: { body: { kind: 'json', schema: TOKEN } },
      responses: { 201: { description: 'It is registered.' } },
      errors: ['filehost_token_already_exists'],
      handler: async ({ body, caller }) => {
        await credentials.register(token(caller.subject), body);
        return { status: 201 };
      },
    }),
    defineRoute({
      method: 'get',
      path: '/filehost-tokens',
      tag: 'file host token',
      summary: 'Shows the token.',
      responses: { 200: { description: 'The token.', content: { 'application/json': TOKEN } } },
      errors: ['filehost_token_not_found', 'credentials_unreadable'],
      handler: async ({ caller }) => {
        const { accessToken, tokenType, uid } = (await credentials.read(token(caller.subject))).contents;
        return { status: 200, json: { accessToken, tokenType, uid } };
      },
    }),
    defineRoute({
      method: 'delete',
      path: '/filehost-tokens',
      tag: 'file host token',
      summary: 'Forgets the token.',
      responses: { 204: { description: 'It is forgotten.' } },
      errors: ['filehost_token_not_found'],
      handler: async ({ caller }) => {
        await credentials.delete(token(caller.subject));
        return { status: 204 };
      },
    }),
  ];
}
