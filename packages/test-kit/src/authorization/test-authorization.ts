import { mintAccessToken, type AccessTokenRequest } from '@svc/local-authorization';

import { accessServer, type AuthorizationAccess } from '../servers/server-access.ts';

/** The real authorization server of the test run, and tokens as it would sign them. */
export interface TestAuthorization extends AuthorizationAccess {
  /** A token for any subject; by default a good one, for an hour. Claims of undefined are left out. */
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
