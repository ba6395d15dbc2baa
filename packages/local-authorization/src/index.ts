export {
  loadClient,
  loadGatewayClient,
  startAuthorizationServer,
  type AuthorizationServer,
  type AuthorizationServerOptions,
  type Client,
} from './authorization-server.ts';
export { mintAccessToken, type AccessTokenRequest } from './mint-access-token.ts';
export { createPrivateFile, readIfThere, readOrCreatePrivateFile } from './private-file.ts';
export { createSigningKey, loadSigningKey } from './signing-key.ts';
export { parseTokenArguments, TOKEN_USAGE, type TokenArguments } from './token-arguments.ts';
