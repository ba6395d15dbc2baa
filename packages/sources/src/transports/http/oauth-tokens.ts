import { setTimeout as sleep } from 'node:timers/promises';

import type { NetworkGuard } from '@svc/network-guard';
import { interrupted, isReadFailure } from '@svc/text-formats';
import { LRUCache } from 'lru-cache';

import type { CredentialLookup, HttpCredential } from '../../credentials/credential-lookup.ts';
import { SourceFailure } from '../source-failure.ts';
import { createHttpClient, HTTP_LIMITS, type HttpClient } from './http-client.ts';
import { requestToken, type OAuthSecret } from './token-endpoint.ts';

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
  readonly #client: HttpClient;
  readonly #timeoutMs: number;
  /** By caller and credential. */
  readonly #tokens = new LRUCache<string, AccessToken>({ max: MOST_TOKENS });
  readonly #asking = new Map<string, Promise<AccessToken>>();

  constructor({ credentials, guard, timeoutMs = TIMEOUT_MS }: { credentials: CredentialLookup; guard: NetworkGuard; timeoutMs?: number }) {
    this.#credentials = credentials;
    // Without keep-alive: token requests are rare, so a kept connection would be stale, and a refresh is not retried.
    this.#client = createHttpClient(guard, { ...HTTP_LIMITS, maxRetryWaitMs: timeoutMs / 2 }, { pipelining: 0 });
    this.#timeoutMs = timeoutMs;
  }

  async close(): Promise<void> {
    await this.#client.close();
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
      const { value, expiresAt, refreshToken } = await requestToken(this.#client, secret, this.#timeoutMs);
      if (secret.type === 'oauth-token')
        await this.#credentials.saveRefreshedToken({ subject, prefixUrl, identity, token: value, refreshToken });
      return { value, expiresAt };
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
}

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
  if (!isReadFailure(thrown)) return thrown;
  const begin = `authentication failed: no token could be had with the credentials registered for ${prefixUrl}`;
  return new SourceFailure('authentication', `${begin}: ${thrown.message}`, { cause: thrown });
}
