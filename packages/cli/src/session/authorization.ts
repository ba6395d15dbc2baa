import * as oauth from 'oauth4webapi';

import { CommandError } from '../failures/cli-errors.ts';
import type { StoredTokens } from './token-store.ts';

/** An authorization server, and as whom the user signs in there. */
export interface AuthorizationConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly audience: string | undefined;
}

/** An authorization server with its endpoints. */
export interface Authorization extends AuthorizationConfig {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
}

const REQUEST_TIMEOUT_MS = 15_000;
/** For a token response without `expires_in`. */
const DEFAULT_LIFE_SECONDS = 300;

/** Finds the endpoints of an issuer. */
export async function discover(config: AuthorizationConfig): Promise<Authorization> {
  const issuer = new URL(config.issuer);
  try {
    const response = await oauth.discoveryRequest(issuer, requestOptions(config));
    return { ...config, server: await oauth.processDiscoveryResponse(issuer, response), client: { client_id: config.clientId } };
  } catch (error) {
    throw new CommandError(`The authorization server ${config.issuer} was not found: ${(error as Error).message}.`, { cause: error });
  }
}

/** Exchanges the refresh token. Undefined if the authorization server no longer accepts it. */
export async function refresh(authorization: Authorization, refreshToken: string): Promise<StoredTokens | undefined> {
  const { server, client } = authorization;
  const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, requestOptions(authorization));
  try {
    return toStoredTokens(authorization, await oauth.processRefreshTokenResponse(server, client, response), refreshToken);
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError || error instanceof oauth.WWWAuthenticateChallengeError) return undefined;
    throw error;
  }
}

/** Revokes a refresh token, if the authorization server supports it. */
export async function revoke(authorization: Authorization, token: string): Promise<void> {
  const { server, client } = authorization;
  if (server.revocation_endpoint === undefined) return;
  await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, oauth.None(), token, requestOptions(authorization)));
}

/** Converts a token response to its stored form. */
export function toStoredTokens(
  { issuer, clientId, audience }: AuthorizationConfig,
  answer: oauth.TokenEndpointResponse,
  earlier?: string,
): StoredTokens {
  return {
    issuer,
    clientId,
    audience,
    accessToken: answer.access_token,
    expiresAt: Date.now() + (answer.expires_in ?? DEFAULT_LIFE_SECONDS) * 1000,
    refreshToken: answer.refresh_token ?? earlier,
  };
}

/** Allows plain HTTP on the local machine only; elsewhere tokens could be read on the network. */
export function requestOptions({ issuer }: Pick<AuthorizationConfig, 'issuer'>, signal?: AbortSignal) {
  const { protocol, hostname } = new URL(issuer);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return {
    [oauth.allowInsecureRequests]: protocol === 'http:' && isLocal,
    signal: () => AbortSignal.any([AbortSignal.timeout(REQUEST_TIMEOUT_MS), ...(signal === undefined ? [] : [signal])]),
  };
}

/** Returns the authorization server's description of an error; undefined for any other error. */
export function readRefusal(error: unknown): string | undefined {
  if (!(error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)) return undefined;
  return `The authorization server refused: ${error.error_description ?? error.error}`;
}
