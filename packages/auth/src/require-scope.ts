import type { Authenticator } from './authenticate-bearer.ts';
import { refuseScope } from './bearer-refusal.ts';

/** Returns an authenticator that admits only callers whose token has a scope; others are `forbidden`. */
export function requireScope(authenticate: Authenticator, scope: string): Authenticator {
  return async (req) => {
    const principal = await authenticate(req);
    if (!principal.scopes.includes(scope)) throw refuseScope(scope);
    return principal;
  };
}
