import { isReadFailure } from '@svc/text-formats';
import {
  allowInsecureRequests,
  type AuthorizationServer,
  type Client,
  type ClientAuth,
  clientCredentialsGrantRequest,
  ClientSecretPost,
  customFetch,
  type CustomFetchOptions,
  processClientCredentialsResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  type TokenEndpointRequestOptions,
  type TokenEndpointResponse,
} from 'oauth4webapi';

import type { HttpSecret } from '../../credentials/credential-lookup.ts';
import { SourceFailure } from '../source-failure.ts';
import type { HttpAnswer, HttpClient } from './http-client.ts';
import { answeredStatus } from './http-failure.ts';
import { makeRequest } from './http-request.ts';

/** Secrets with which a token is requested. */
export type OAuthSecret = Exclude<HttpSecret, { readonly type: 'basic-auth' }>;

/** A token of a token endpoint. */
export interface GrantedToken {
  readonly value: string;
  /** In milliseconds; Infinity if unknown. */
  readonly expiresAt: number;
  /** Null if the previous one stays valid. */
  readonly refreshToken: string | null;
}

const NAME = 'the token endpoint';

/**
 * Requests a token by client credentials or with a refresh token. Responses are read as leniently as other clients do: a
 * missing `token_type` is `bearer`, and members of no use are ignored. Fails with a SourceFailure without secrets.
 */
export async function requestToken(client: HttpClient, secret: OAuthSecret, timeoutMs: number): Promise<GrantedToken> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return tokenOf(await grantedBy(secret, (url, init) => send(client, { url, init, secret, signal })));
  } catch (thrown) {
    if (signal.aborted) throw new SourceFailure('timed-out', `${NAME} did not answer in time`, { cause: thrown });
    if (isReadFailure(thrown)) throw thrown;
    throw new SourceFailure('authentication', `${NAME} answered without a token that can be used`, { cause: thrown });
  }
}

type Send = (url: string, init: CustomFetchOptions<'POST', URLSearchParams>) => Promise<Response>;

async function grantedBy(secret: OAuthSecret, customSend: Send): Promise<TokenEndpointResponse> {
  const tokenUrl = secret.tokenUrl ?? '';
  const server: AuthorizationServer = { issuer: tokenUrl, token_endpoint: tokenUrl };
  // The owner of a credential decides whether its endpoint is reached without TLS.
  const options: TokenEndpointRequestOptions = { [customFetch]: customSend, [allowInsecureRequests]: tokenUrl.startsWith('http:') };
  if (secret.type === 'oauth-token') {
    const client: Client = { client_id: 'none' };
    const answer = await refreshTokenGrantRequest(server, client, WITHOUT_CLIENT, secret.refreshToken ?? '', options);
    return processRefreshTokenResponse(server, client, answer);
  }
  const { clientId, clientSecret, useBasicAuth, scope, audience } = secret;
  const client: Client = { client_id: clientId };
  const authenticate = useBasicAuth === true ? basicAuth(clientSecret) : ClientSecretPost(clientSecret);
  const wanted = { ...(scope !== undefined && { scope }), ...(audience !== undefined && { audience }) };
  const answer = await clientCredentialsGrantRequest(server, client, authenticate, wanted, options);
  return processClientCredentialsResponse(server, client, answer);
}

/** A registered token has no client id. */
const WITHOUT_CLIENT: ClientAuth = (_server, _client, body) => body.delete('client_id');

/** RFC 6749, 2.3.1. Leaves `-`, `.` and `_` as they are, since some servers do not decode; the library encodes them. */
function basicAuth(clientSecret: string): ClientAuth {
  return (_server, { client_id: clientId }, _body, headers) => {
    const pair = Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64');
    headers.set('Authorization', `Basic ${pair}`);
  };
}

function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

interface Sending {
  readonly url: string;
  readonly init: CustomFetchOptions<'POST', URLSearchParams>;
  readonly secret: OAuthSecret;
  readonly signal: AbortSignal;
}

/** Sends a token request by the client of all HTTP reads. Returns a response with what a token is made of, and fails for others. */
async function send(client: HttpClient, { url, init, secret, signal }: Sending): Promise<Response> {
  const headers = new Headers(init.headers);
  const authorization = headers.get('Authorization');
  headers.delete('Authorization');
  const request = makeRequest(new URL(url), {
    http_body: init.body.toString(),
    http_headers: [...headers].map(([name, value]) => ({ name, value })),
  });
  // Client credentials may be sent again; a refresh token may be valid only once.
  const sent = { ...request, location: NAME, isSafe: secret.type === 'oauth-client' };
  const answer = await client.send(sent, { headers: {}, authorization, signal });
  return Response.json(membersOfToken(answer.status, await membersOf(answer), secret));
}

const MOST_BYTES = 2 ** 20;

/** The members of a response that is a JSON object; none for others. */
async function membersOf(answer: HttpAnswer): Promise<Readonly<Record<string, unknown>>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of answer.body()) {
    size += piece.length;
    if (size > MOST_BYTES) throw new SourceFailure('too-large', `${NAME} answered more than ${MOST_BYTES} bytes`);
    pieces.push(piece);
  }
  try {
    const parsed: unknown = JSON.parse(Buffer.concat(pieces).toString());
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

function membersOfToken(status: number, members: Readonly<Record<string, unknown>>, secret: OAuthSecret): TokenMembers {
  const { access_token, token_type: type = 'bearer', expires_in, refresh_token, error } = members;
  if (status < 200 || status > 299 || typeof access_token !== 'string') throw refusal(status, error, secret);
  // Some servers call it BearerToken.
  if (typeof type !== 'string' || !/^bearer/i.test(type))
    throw new SourceFailure('authentication', `${NAME} gave a token of the type ${shown(type)}, where bearer is expected`);
  const isLifetime = typeof expires_in === 'number' || typeof expires_in === 'string';
  return {
    access_token,
    token_type: 'bearer',
    ...(isLifetime && { expires_in }),
    ...(typeof refresh_token === 'string' && refresh_token !== '' && { refresh_token }),
  };
}

/** Members of a token response, as RFC 6749 names them. */
interface TokenMembers {
  readonly access_token: string;
  readonly token_type: 'bearer';
  readonly expires_in?: number | string;
  readonly refresh_token?: string;
}

function tokenOf({ access_token: value, expires_in: seconds, refresh_token: refreshToken }: TokenEndpointResponse): GrantedToken {
  if (!/^[\x21-\x7e]+$/.test(value)) throw new SourceFailure('authentication', `${NAME} gave a token that no header can hold`);
  return { value, expiresAt: seconds === undefined ? Infinity : Date.now() + seconds * 1000, refreshToken: refreshToken ?? null };
}

function refusal(status: number, error: unknown, { type }: OAuthSecret): SourceFailure {
  const isOfClient = error === 'invalid_client' || (status === 401 && typeof error !== 'string');
  const remedy =
    error === 'invalid_grant'
      ? ': authorize again, and register the new token'
      : isOfClient && type === 'oauth-client'
        ? ': are clientId, clientSecret and useBasicAuth right?'
        : '';
  const isSuccess = status >= 200 && status <= 299;
  const what =
    typeof error === 'string' ? `answered ${shown(error)}` : isSuccess ? 'answered without an access token' : answeredStatus(status);
  return new SourceFailure('authentication', `${NAME} ${what}${remedy}`);
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 100);
}
