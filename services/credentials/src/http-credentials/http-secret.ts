import type { TypeOfSchema } from '@svc/service-kit';
import type { HttpSecret } from '@svc/vault';

import { HEADER_TEXT, OPTIONAL_TEXT, OPTIONAL_TOKEN_URL, TEXT, TOKEN_URL } from '../text-schemas.ts';

/** The server would take what follows a colon for the beginning of the password (RFC 7617). */
const USER = {
  type: 'string',
  minLength: 1,
  pattern: '^[^\\u0000-\\u001f\\u007f:\\ud800-\\udfff]*$',
  description: 'a user name without ":" and control characters',
} as const;

const BASIC_AUTH = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'user', 'password'],
  properties: { type: { const: 'basic-auth' }, user: USER, password: TEXT },
} as const;

const OAUTH_CLIENT = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'clientId', 'clientSecret', 'tokenUrl'],
  properties: {
    type: { const: 'oauth-client' },
    clientId: TEXT,
    clientSecret: TEXT,
    tokenUrl: TOKEN_URL,
    useBasicAuth: { type: ['boolean', 'null'] },
    scope: OPTIONAL_TEXT,
    audience: OPTIONAL_TEXT,
  },
} as const;

const OAUTH_TOKEN = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'token'],
  properties: { type: { const: 'oauth-token' }, token: HEADER_TEXT, refreshToken: OPTIONAL_TEXT, tokenUrl: OPTIONAL_TOKEN_URL },
} as const;

/** HTTP credentials, discriminated by `type`. */
export const HTTP_SECRET = {
  type: 'object',
  discriminator: { propertyName: 'type' },
  oneOf: [BASIC_AUTH, OAUTH_CLIENT, OAUTH_TOKEN],
} as const;

type SentSecret = TypeOfSchema<typeof BASIC_AUTH> | TypeOfSchema<typeof OAUTH_CLIENT> | TypeOfSchema<typeof OAUTH_TOKEN>;

/**
 * Converts received credentials to their stored form: absent members become null, as in responses. Scope and audience, which
 * are an addition to the interface, stay absent.
 */
export function httpSecret(sent: SentSecret): HttpSecret {
  switch (sent.type) {
    case 'basic-auth':
      return sent;
    case 'oauth-client': {
      const { useBasicAuth = null, scope, audience, ...client } = sent;
      return { ...client, useBasicAuth, ...(typeof scope === 'string' && { scope }), ...(typeof audience === 'string' && { audience }) };
    }
    case 'oauth-token':
      return { ...sent, refreshToken: sent.refreshToken ?? null, tokenUrl: sent.tokenUrl ?? null };
  }
}
