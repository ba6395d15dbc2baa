import { randomUUID } from 'node:crypto';

import { importJWK, SignJWT, type JWK } from 'jose';

import { SIGNING_ALGORITHM } from './signing-key.ts';

/** Contents of an access token. */
export interface AccessTokenRequest {
  readonly issuer: string;
  readonly audience: string;
  readonly sub: string;
  /** Scopes, with blanks between. */
  readonly scope?: string;
  /** The claim that names the namespace, which is the subject's own. */
  readonly namespaceClaim?: string;
  /** Relative to now; a negative number gives an expired token. */
  readonly expiresInSeconds: number;
  /** Further claims. They override those above; undefined removes one. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

const CLIENT_ID = 'local-stack';

/** Signs an access token as the local authorization server does, for any subject. */
export async function mintAccessToken(key: JWK, request: AccessTokenRequest, now = new Date()): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000);
  const claims: Record<string, unknown> = {
    ...(request.namespaceClaim !== undefined && { [request.namespaceClaim]: request.sub }),
    iss: request.issuer,
    aud: request.audience,
    sub: request.sub,
    client_id: CLIENT_ID,
    jti: randomUUID(),
    iat: seconds,
    exp: seconds + request.expiresInSeconds,
    scope: request.scope,
    ...request.claims,
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: 'at+jwt', ...(key.kid === undefined ? {} : { kid: key.kid }) })
    .sign(await importJWK(key, SIGNING_ALGORITHM));
}
