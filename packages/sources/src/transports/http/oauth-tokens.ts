import { setTimeout as sleep } from 'node:timers/promises';

import type { NetworkGuard } from '@svc/network-guard';
import { LRUCache } from 'lru-cache';
import {
  allowInsecureRequests,
  type AuthorizationServer,
  type Client,
  type ClientAuth,
  clientCredentialsGrantRequest,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  processClientCredentialsResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  ResponseBodyError,
  type TokenEndpointRequestOptions,
  type TokenEndpointResponse,
} from 'oauth4webapi';
import { type Agent, fetch } from 'undici';
import { interrupted } from '@svc/text-formats';

import type { CredentialLookup, HttpCredential, HttpSecret } from '../../credentials/credential-lookup.ts';
import { SourceFailure } from '../source-failure.ts';
import { explainHttp } from './http-failure.ts';

type OAuthSecret = Exclude<HttpSecret, { readonly type: 'basic-auth' }>;

/** A credential that is sent as an OAuth token. */
export type OAuthCredential = Omit<HttpCredential, 'secret'> & { readonly secret: OAuthSecret };

/** A token that an API accepts for a while. */
export interface AccessToken {
  readonly value: string;
  /** In milliseconds; Infinity if unknown. */
  readonly expiresAt: number;
}

/** Subject and limit; `refused` is a token that was rejected. */
export interface TokenRequest {
  readonly subject: string;
  readonly refused: AccessToken | null;
  readonly signal: AbortSignal;
}

/** Tokens are replaced this long before they expire. */
const EARLY_MS = 30_000;
const MOST_TOKENS = 10_000;
const TIMEOUT_MS = 20_000;
/** Between two looks whether another process has refreshed a token. */
const TURN_WAIT_MS = 50;

/** Access tokens of callers: cached until shortly before they expire, and requested once for concurrent queries. */
export class OAuthTokens {
  readonly #credentials: CredentialLookup;
  readonly #agent: Agent;
  readonly #timeoutMs: number;
  /** By caller and credential. */
  readonly #tokens = new LRUCache<string, AccessToken>({ max: MOST_TOKENS });
  readonly #asking = new Map<string, Promise<AccessToken>>();

  constructor({ credentials, guard, timeoutMs = TIMEOUT_MS }: { credentials: CredentialLookup; guard: NetworkGuard; timeoutMs?: number }) {
    this.#credentials = credentials;
    // Without keep-alive: token requests are rare, so a kept connection would be stale, and such requests are not retried.
    this.#agent = guard.createAgent({ headersTimeout: timeoutMs, bodyTimeout: timeoutMs, pipelining: 0 });
    this.#timeoutMs = timeoutMs;
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /** A token that is good now, as far as is known. Fails with a SourceFailure that names the record, never its content. */
  async get(credential: OAuthCredential, { subject, refused, signal }: TokenRequest): Promise<AccessToken> {
    const key = JSON.stringify([subject, credential.prefixUrl, credential.identity]);
    const known = [await this.#cached(key, credential, subject), registered(credential.secret)];
    const good = known.find((token) => token !== undefined && token.value !== refused?.value && token.expiresAt - EARLY_MS > Date.now());
    if (good !== undefined) return good;
    const asking = this.#asking.get(key) ?? this.#ask(key, credential, { subject, refused });
    return untilAborted(asking, signal);
  }

  /** Returns the cached token. One that is no longer the stored one is dropped: another process has refreshed it. */
  async #cached(key: string, credential: OAuthCredential, subject: string): Promise<AccessToken | undefined> {
    const cached = this.#tokens.get(key);
    const own = registered(credential.secret);
    if (cached === undefined || own === undefined || cached.value === own.value) return cached;
    // This process may have refreshed it since the query looked it up.
    const latest = registered(await this.#latest(credential, subject));
    if (latest?.value === cached.value) return cached;
    if (this.#tokens.get(key) === cached) this.#tokens.delete(key);
    return undefined;
  }

  /** Continues if a waiting query is cancelled: others wait too, and a refresh token may be valid only once. */
  #ask(key: string, credential: OAuthCredential, request: Omit<TokenRequest, 'signal'>): Promise<AccessToken> {
    const asking = this.#inTurn(credential, request)
      .then((token) => {
        this.#tokens.set(key, token);
        return token;
      })
      .finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  /** Refreshes a token in one process at a time; others find the refreshed token afterwards. */
  async #inTurn(credential: OAuthCredential, { subject, refused }: Omit<TokenRequest, 'signal'>): Promise<AccessToken> {
    const { prefixUrl, identity, secret } = credential;
    if (secret.type === 'oauth-client') return this.#renewed(credential, subject);
    for (const end = Date.now() + 2 * this.#timeoutMs; Date.now() < end; await sleep(TURN_WAIT_MS)) {
      const giveBack = await this.#credentials.claimRefresh({ subject, prefixUrl, identity });
      try {
        const latest = registered(await this.#latest(credential, subject));
        if (latest !== undefined && latest.value !== refused?.value) return latest;
        if (giveBack !== null) return await this.#renewed(credential, subject);
      } finally {
        await giveBack?.();
      }
    }
    throw new SourceFailure('timed-out', `${prefixUrl}: the registered token is being refreshed by another process, which takes too long`);
  }

  async #renewed(credential: OAuthCredential, subject: string): Promise<AccessToken> {
    const { prefixUrl, identity } = credential;
    const secret = await this.#latest(credential, subject);
    const { tokenUrl } = secret;
    if (secret.type === 'oauth-token' && (secret.refreshToken === null || tokenUrl === null))
      throw new SourceFailure(
        'authentication',
        `authentication failed: the token registered for ${prefixUrl} was not accepted, and there is no refresh token with a tokenUrl`,
      );
    try {
      const answer = await this.#exchange(secret, tokenUrl ?? '');
      const token = {
        value: answer.access_token,
        expiresAt: answer.expires_in === undefined ? Infinity : Date.now() + answer.expires_in * 1000,
      };
      if (secret.type === 'oauth-token')
        await this.#credentials.saveRefreshedToken({
          ...{ subject, prefixUrl, identity },
          token: token.value,
          refreshToken: answer.refresh_token ?? null,
        });
      return token;
    } catch (thrown) {
      // Another process may have renewed the token meanwhile and consumed the refresh token.
      const other = registered(await this.#latest(credential, subject));
      if (other !== undefined && other.value !== registered(secret)?.value) return other;
      throw explainToken(thrown, prefixUrl);
    }
  }

  /** Returns the stored secret as of now: it may have been renewed since the query looked it up. */
  async #latest({ prefixUrl, identity, secret }: OAuthCredential, subject: string): Promise<OAuthSecret> {
    if (secret.type === 'oauth-client') return secret;
    const latest = await this.#credentials.httpCredential(subject, new URL(prefixUrl));
    return latest?.identity === identity && latest.secret.type === 'oauth-token' ? latest.secret : secret;
  }

  async #exchange(secret: OAuthSecret, tokenUrl: string): Promise<TokenEndpointResponse> {
    const server: AuthorizationServer = { issuer: tokenUrl, token_endpoint: tokenUrl };
    const options: TokenEndpointRequestOptions = {
      // Redirects are not followed, as oauth4webapi requires.
      [customFetch]: (url, init) =>
        fetch(url, { ...init, dispatcher: this.#agent } as Parameters<typeof fetch>[1]) as unknown as Promise<Response>,
      // The owner of a credential decides whether its endpoint is reached without TLS.
      [allowInsecureRequests]: tokenUrl.startsWith('http:'),
      signal: AbortSignal.timeout(this.#timeoutMs),
    };
    if (secret.type === 'oauth-token') {
      const client: Client = { client_id: 'none' };
      const answer = await refreshTokenGrantRequest(server, client, WITHOUT_CLIENT, secret.refreshToken ?? '', options);
      return processRefreshTokenResponse(server, client, answer);
    }
    const client: Client = { client_id: secret.clientId };
    const authenticate: ClientAuth =
      secret.useBasicAuth === true ? ClientSecretBasic(secret.clientSecret) : ClientSecretPost(secret.clientSecret);
    const answer = await clientCredentialsGrantRequest(server, client, authenticate, {}, options);
    return processClientCredentialsResponse(server, client, answer);
  }
}

/** A registered token has no client id. */
const WITHOUT_CLIENT: ClientAuth = (_server, _client, body) => body.delete('client_id');

/** The token that its owner registered is good until it is refused. */
function registered(secret: OAuthSecret): AccessToken | undefined {
  return secret.type === 'oauth-token' ? { value: secret.token, expiresAt: Infinity } : undefined;
}

async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(interrupted(signal.reason));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    aborted.catch(() => undefined);
  }
}

function explainToken(thrown: unknown, prefixUrl: string): unknown {
  const begin = `authentication failed: no token could be had with the credentials registered for ${prefixUrl}`;
  if (thrown instanceof SourceFailure) return thrown;
  if (thrown instanceof ResponseBodyError) {
    const remedy = thrown.error === 'invalid_grant' ? ': authorize again, and register the new token' : '';
    const answered = `the token endpoint answered ${JSON.stringify(thrown.error.slice(0, 100))}${remedy}`;
    return new SourceFailure('authentication', `${begin}: ${answered}`, { cause: thrown });
  }
  if (thrown instanceof Error && thrown.name === 'TimeoutError')
    return new SourceFailure('authentication', `${begin}: the token endpoint did not answer in time`, { cause: thrown });
  const explained = explainHttp(thrown, 'the token endpoint');
  const reason = explained instanceof SourceFailure ? explained.message : 'the token endpoint cannot be used';
  return new SourceFailure('authentication', `${begin}: ${reason}`, { cause: thrown });
}
