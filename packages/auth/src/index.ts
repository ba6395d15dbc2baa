export { createAccessTokenVerifier, type AccessTokenOptions, type AccessTokenVerifier } from './access-token-verifier.ts';
export { createBearerAuthenticator, type Authenticator } from './authenticate-bearer.ts';
export type { Principal } from './principal.ts';
