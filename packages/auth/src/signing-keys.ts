import { createLocalJWKSet, errors, type CryptoKey, type FlattenedJWSInput, type JSONWebKeySet, type JWSHeaderParameters } from 'jose';

/** Location of an issuer's public keys, and limits on fetching them. */
export interface SigningKeysOptions {
  readonly issuer: string;
  /** Discovered at the issuer by default. */
  readonly jwksUrl?: URL | undefined;
  /** The least time between two fetches. */
  readonly cooldownMs?: number;
  /** After this, keys are refreshed in the background, so that withdrawn keys are removed. */
  readonly staleAfterMs?: number;
  /** The limit of one fetch. */
  readonly timeoutMs?: number;
  /** Clock, for tests. */
  readonly now?: () => Date;
}

/** The keys cannot be fetched, and none were fetched before. */
export class SigningKeysUnavailable extends Error {
  constructor(options: { readonly cause: unknown }) {
    super('The keys of the token issuer cannot be fetched.', options);
    this.name = 'SigningKeysUnavailable';
  }
}

const FIRST_COOLDOWN_MS = 1000;

type KeySet = ReturnType<typeof createLocalJWKSet>;

/**
 * Cached public keys of an issuer. An unknown key id causes one fetch per cool-down, whether it succeeds or not; an outage
 * of the issuer does not remove keys fetched before.
 */
export class SigningKeys {
  readonly #options: Required<Omit<SigningKeysOptions, 'jwksUrl'>>;
  readonly #jwksUrl: URL | undefined;
  #keys: KeySet | undefined;
  #fetching: Promise<void> | undefined;
  #attemptedAt = -Infinity;
  #loadedAt = -Infinity;
  #lastFailure: unknown;
  #known: ReadonlySet<string> = new Set();
  #withdrawals = 0;

  constructor({
    issuer,
    jwksUrl,
    cooldownMs = 30_000,
    staleAfterMs = 600_000,
    timeoutMs = 5000,
    now = () => new Date(),
  }: SigningKeysOptions) {
    this.#options = { issuer, cooldownMs, staleAfterMs, timeoutMs, now };
    this.#jwksUrl = jwksUrl;
  }

  /**
   * Returns the key that a token names. Throws jose's errors if there is none, or more than one, and SigningKeysUnavailable
   * if no keys are known and none can be fetched.
   */
  async find(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    if (this.#keys === undefined) await this.#fetchOrWait();
    else this.keepFresh();
    const keys = this.#keys;
    if (keys === undefined) throw new SigningKeysUnavailable({ cause: this.#lastFailure });
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.#fetchOrWait();
      // The previous keys if the fetch failed.
      return (this.#keys ?? keys)(header, token);
    }
  }

  /** Number of times keys were withdrawn: tokens verified earlier may have been signed with one of them. */
  get withdrawals(): number {
    return this.#withdrawals;
  }

  /** Refreshes stale keys in the background, even if all received tokens are known. */
  keepFresh(): void {
    if (this.#keys !== undefined && this.#age(this.#loadedAt) > this.#options.staleAfterMs) void this.#fetchOrWait();
  }

  /** Never rejects: the failure is kept for callers that find no keys. */
  async #fetchOrWait(): Promise<void> {
    // Without any key no caller can be served, so the retry comes sooner.
    const cooldownMs = this.#keys === undefined ? Math.min(this.#options.cooldownMs, FIRST_COOLDOWN_MS) : this.#options.cooldownMs;
    if (this.#fetching === undefined && this.#age(this.#attemptedAt) < cooldownMs) return;
    this.#fetching ??= this.#fetch();
    await this.#fetching;
  }

  async #fetch(): Promise<void> {
    this.#attemptedAt = this.#options.now().getTime();
    try {
      const keys = await this.#getJson(this.#jwksUrl ?? (await this.#discover()));
      // createLocalJWKSet checks that it is a key set.
      const set = keys as unknown as JSONWebKeySet;
      this.#keys = createLocalJWKSet(set);
      const now = new Set(set.keys.map((key) => JSON.stringify(key)));
      if ([...this.#known].some((key) => !now.has(key))) this.#withdrawals += 1;
      this.#known = now;
      this.#loadedAt = this.#attemptedAt;
    } catch (error) {
      this.#lastFailure = error;
    } finally {
      this.#fetching = undefined;
    }
  }

  /** Discovers the key set by OpenID Connect, then by RFC 8414. The document must name the configured issuer. */
  async #discover(): Promise<URL> {
    const { issuer } = this.#options;
    const base = issuer.replace(/\/$/, '');
    const { origin, pathname } = new URL(base);
    const path = pathname === '/' ? '' : pathname;
    const document = await this.#getJson(new URL(`${base}/.well-known/openid-configuration`)).catch(() =>
      this.#getJson(new URL(`${origin}/.well-known/oauth-authorization-server${path}`)),
    );
    if (document['issuer'] !== issuer) {
      throw new Error(`The discovery document of ${issuer} is that of ${JSON.stringify(document['issuer'])}.`);
    }
    return new URL(String(document['jwks_uri']));
  }

  async #getJson(url: URL): Promise<Record<string, unknown>> {
    const response = await fetch(url, {
      headers: { Accept: 'application/json, application/jwk-set+json' },
      redirect: 'error',
      signal: AbortSignal.timeout(this.#options.timeoutMs),
    });
    if (response.status !== 200) throw new Error(`${url.href} answered ${response.status}.`);
    const body: unknown = await response.json();
    if (typeof body !== 'object' || body === null) throw new Error(`${url.href} answered no JSON object.`);
    return body as Record<string, unknown>;
  }

  #age(since: number): number {
    return this.#options.now().getTime() - since;
  }
}
