import type { IncomingMessage } from 'node:http';

import type { AccessTokenVerifier } from './access-token-verifier.ts';
import { refuseMalformedRequest, refuseMissingToken, refuseToken } from './bearer-refusal.ts';
import type { Principal } from './principal.ts';

/** Authenticates a request. Throws the error to answer if the caller is not admitted. */
export type Authenticator = (req: IncomingMessage) => Promise<Principal>;

/**
 * Authenticates by `Authorization: Bearer <token>` only: a token in the URL would end up in logs, and one in a body is part
 * of the body.
 */
export function createBearerAuthenticator(verifier: AccessTokenVerifier): Authenticator {
  return async (req) => verifier.verify(readBearerToken(req));
}

const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

function readBearerToken(req: IncomingMessage): string {
  // Not `headers`, in which Node keeps the first of several and drops the others.
  const values = req.headersDistinct['authorization'] ?? [];
  if (values.length > 1) throw refuseMalformedRequest('There is more than one Authorization header.');
  const [scheme = '', ...rest] = (values[0] ?? '').trim().split(' ');
  if (scheme.toLowerCase() !== 'bearer') throw refuseMissingToken();
  const token = rest.join(' ').trim();
  if (!TOKEN.test(token)) throw refuseToken('The access token is malformed: expected a signed JWT.');
  return token;
}
