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

/**
 * Requests a token by client credentials or with a refresh token. Responses are read as leniently as other clients do: a
 * missing `token_type` is `bearer`, and optional members of no use are ignored. Fails with a SourceFailure without secrets.
 */
export async function requestToken(client: HttpClient, secret: OAuthSecret, timeoutMs: number): Promise<GrantedToken> {
  const signal = AbortSignal.timeout(timeoutMs);
  const { form, authorization } = grantOf(secret);
  const request = makeRequest(new URL(secret.tokenUrl ?? ''), {
    http_body: new URLSearchParams(form).toString(),
    http_headers: [
      { name: 'Content-Type', value: 'application/x-www-form-urlencoded' },
      { name: 'Accept', value: 'application/json' },
    ],
  });
  // Client credentials may be sent again; a refresh token may be valid only once.
  const sent = { ...request, location: NAME, isSafe: secret.type === 'oauth-client' };
  try {
    const answer = await client.send(sent, { headers: {}, authorization, signal });
    return tokenOf(answer.status, await membersOf(answer), secret);
  } catch (thrown) {
    throw signal.aborted ? new SourceFailure('timed-out', `${NAME} did not answer in time`, { cause: thrown }) : thrown;
  }
}

const NAME = 'the token endpoint';

function grantOf(secret: OAuthSecret): { readonly form: Readonly<Record<string, string>>; readonly authorization: string | null } {
  // A registered token has no client id.
  if (secret.type === 'oauth-token')
    return { form: { grant_type: 'refresh_token', refresh_token: secret.refreshToken ?? '' }, authorization: null };
  const { clientId, clientSecret, useBasicAuth, scope, audience } = secret;
  const form = {
    grant_type: 'client_credentials',
    ...(scope !== undefined && { scope }),
    ...(audience !== undefined && { audience }),
  };
  if (useBasicAuth !== true) return { form: { ...form, client_id: clientId, client_secret: clientSecret }, authorization: null };
  const pair = Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64');
  return { form, authorization: `Basic ${pair}` };
}

/** RFC 6749, 2.3.1. Leaves `-`, `.` and `_` as they are, since some servers do not decode. */
function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
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

function tokenOf(status: number, members: Readonly<Record<string, unknown>>, secret: OAuthSecret): GrantedToken {
  const { access_token: value, token_type: type = 'bearer', expires_in: seconds, refresh_token: refreshToken, error } = members;
  if (status < 200 || status > 299 || typeof value !== 'string') throw refusal(status, error, secret);
  // Some servers call it BearerToken.
  if (typeof type !== 'string' || !/^bearer/i.test(type))
    throw new SourceFailure('authentication', `${NAME} gave a token of the type ${shown(type)}, where bearer is expected`);
  if (!/^[\x21-\x7e]+$/.test(value)) throw new SourceFailure('authentication', `${NAME} gave a token that no header can hold`);
  const lifetime = typeof seconds === 'string' ? Number.parseFloat(seconds) : seconds;
  return {
    value,
    expiresAt: typeof lifetime === 'number' && !Number.isNaN(lifetime) ? Date.now() + lifetime * 1000 : Infinity,
    refreshToken: typeof refreshToken === 'string' && refreshToken !== '' ? refreshToken : null,
  };
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
