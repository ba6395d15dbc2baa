import { mintAccessToken, type AccessTokenRequest } from '@svc/local-authorization';

import { accessServer, type AuthorizationAccess } from '../servers/server-access.ts';

/** The real authorization server of the test run, and tokens as it would sign them. */
export interface TestAuthorization extends AuthorizationAccess {
  /** Mints a token for any subject; by default a valid one, for an hour. Undefined claims are omitted. */
  readonly mint: (request?: Partial<AccessTokenRequest>) => Promise<string>;
}

/** Starts the server on the first request. */
export async function testAuthorization(): Promise<TestAuthorization> {
  const access = await accessServer('authorization');
  const { issuer, audience, key } = access;
  const mint = (request: Partial<AccessTokenRequest> = {}): Promise<string> =>
    mintAccessToken(key, { issuer, audience, sub: 'alice', expiresInSeconds: 3600, ...request });
  return { ...access, mint };
}
