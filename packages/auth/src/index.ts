export { ACT_AS_SCOPE, actAsHeaders, createActingAuthenticator } from './act-as.ts';
export { apiKeyStatus, type ApiKeyStatus } from './api-key-status.ts';
export { apiKeyPrefix, createApiKeyText, hashApiKey, isApiKeyText } from './api-key-text.ts';
export { createAccessTokenVerifier, type AccessTokenOptions, type AccessTokenVerifier } from './access-token-verifier.ts';
export { createBearerAuthenticator, type Authenticator } from './authenticate-bearer.ts';
export type { Principal } from './principal.ts';
export { requireScope } from './require-scope.ts';
