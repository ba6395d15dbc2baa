import * as oauth from 'oauth4webapi';

import type { ConsoleConfig } from './config.ts';

/** Tokens of the signed-in user. Kept in memory only: scripts that read the storage of this origin find none. */
export interface Tokens {
  readonly subject: string;
  readonly accessToken: string;
  /** In milliseconds, on the clock of `performance.now()`. */
  readonly expiresAt: number;
  readonly refreshToken: string | undefined;
  readonly idToken: string | undefined;
}

/** State that must survive the redirect to the authorization server. Useless to others by itself. */
interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
}

const SCOPE = 'openid svc:admin';
const PENDING_KEY = 'svc-console-sign-in';
const REQUEST_TIMEOUT_MS = 15_000;
/** For a token response without `expires_in`. */
const DEFAULT_LIFE_SECONDS = 300;

/** Client of the authorization server. */
export class Authorization {
  readonly #config: ConsoleConfig;
  readonly #server: oauth.AuthorizationServer;
  readonly #client: oauth.Client;

  private constructor(config: ConsoleConfig, server: oauth.AuthorizationServer) {
    this.#config = config;
    this.#server = server;
    this.#client = { client_id: config.clientId };
  }

  /** Finds the endpoints of the issuer. */
  static async discover(config: ConsoleConfig): Promise<Authorization> {
    const issuer = new URL(config.issuer);
    const server = await call(config, async (options) =>
      oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options)),
    );
    return new Authorization(config, server);
  }

  /**
   * Redirects the browser to the authorization server; it returns to `callback`, and then to `returnTo`. The way there
   * replaces the current entry of the history: the back button would otherwise return to it, and be sent forward again.
   */
  async begin(returnTo: string): Promise<void> {
    const pending: PendingSignIn = {
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      verifier: oauth.generateRandomCodeVerifier(),
      returnTo,
    };
    sessionStorage.setItem(PENDING_KEY, JSON.stringify(pending));
    const url = new URL(this.#endpoint('authorization_endpoint'));
    const parameters = {
      client_id: this.#config.clientId,
      response_type: 'code',
      redirect_uri: redirectUri('callback'),
      scope: SCOPE,
      resource: this.#config.audience,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    location.replace(url);
  }

  /** Processes the authorization response. Throws if it is invalid, or belongs to no sign-in of this tab. */
  async finish(callback: URL): Promise<{ readonly tokens: Tokens; readonly returnTo: string }> {
    const stored = sessionStorage.getItem(PENDING_KEY);
    if (stored === null) throw new Error('This tab has begun no sign-in.');
    sessionStorage.removeItem(PENDING_KEY);
    // Written by `begin`.
    const pending = JSON.parse(stored) as PendingSignIn;
    const parameters = oauth.validateAuthResponse(this.#server, this.#client, callback, pending.state);
    const answer = await call(this.#config, async (options) => {
      const response = await oauth.authorizationCodeGrantRequest(
        this.#server,
        this.#client,
        oauth.None(),
        parameters,
        redirectUri('callback'),
        pending.verifier,
        { ...options, additionalParameters: { resource: this.#config.audience } },
      );
      return oauth.processAuthorizationCodeResponse(this.#server, this.#client, response, {
        expectedNonce: pending.nonce,
        requireIdToken: true,
      });
    });
    return { tokens: toTokens(answer, undefined), returnTo: pending.returnTo };
  }

  /** Exchanges the refresh token for new tokens. Throws an OAuth error if the session is over. */
  async renew(tokens: Tokens & { readonly refreshToken: string }): Promise<Tokens> {
    const answer = await call(this.#config, async (options) =>
      oauth.processRefreshTokenResponse(
        this.#server,
        this.#client,
        await oauth.refreshTokenGrantRequest(this.#server, this.#client, oauth.None(), tokens.refreshToken, options),
      ),
    );
    return toTokens(answer, tokens);
  }

  /** Leaves the page, which discards the tokens. Ends the session at the authorization server too, if it supports that. */
  signOut(tokens: Tokens): void {
    if (this.#server.end_session_endpoint === undefined) {
      location.assign(redirectUri('signed-out'));
      return;
    }
    const url = new URL(this.#server.end_session_endpoint);
    if (tokens.idToken !== undefined) url.searchParams.set('id_token_hint', tokens.idToken);
    url.searchParams.set('client_id', this.#config.clientId);
    url.searchParams.set('post_logout_redirect_uri', redirectUri('signed-out'));
    location.assign(url);
  }

  #endpoint(name: 'authorization_endpoint'): string {
    const endpoint = this.#server[name];
    if (endpoint === undefined) throw new Error(`The authorization server at ${this.#config.issuer} names no ${name}.`);
    return endpoint;
  }
}

/** Returns the authorization server's description of an error for the user; undefined for any other error. */
export function readRefusal(error: unknown): string | undefined {
  if (!(error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)) return undefined;
  return `The authorization server refused: ${error.error_description ?? error.error}`;
}

/** Reports whether an authorization server has refused, in contrast to one that was not reached. */
export function isRefusal(error: unknown): boolean {
  return (error instanceof oauth.ResponseBodyError && error.status < 500) || error instanceof oauth.WWWAuthenticateChallengeError;
}

/** Calls the authorization server. An error other than a refusal names it: every other request goes to the gateway. */
async function call<Answer>(
  config: ConsoleConfig,
  request: (options: ReturnType<typeof requestOptions>) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await request(requestOptions(config));
  } catch (error) {
    if (isRefusal(error)) throw error;
    throw new Error(`The authorization server at ${config.issuer} ${describeFailure(error)}`, { cause: error });
  }
}

function describeFailure(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'did not answer in time. Try again.';
  if (error instanceof TypeError) return 'could not be reached, or does not let this address call it (CORS).';
  return `gave an answer that cannot be used: ${error instanceof Error ? error.message : 'unknown'}.`;
}

function toTokens(answer: oauth.TokenEndpointResponse, earlier: Tokens | undefined): Tokens {
  return {
    subject: oauth.getValidatedIdTokenClaims(answer)?.sub ?? earlier?.subject ?? '',
    accessToken: answer.access_token,
    expiresAt: performance.now() + (answer.expires_in ?? DEFAULT_LIFE_SECONDS) * 1000,
    refreshToken: answer.refresh_token ?? earlier?.refreshToken,
    idToken: answer.id_token ?? earlier?.idToken,
  };
}

/** Allows plain HTTP on the local machine only; elsewhere tokens could be read on the network. */
function requestOptions({ issuer }: ConsoleConfig) {
  const { protocol, hostname } = new URL(issuer);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return {
    [oauth.allowInsecureRequests]: protocol === 'http:' && isLocal,
    signal: () => AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  };
}

function redirectUri(page: 'callback' | 'signed-out'): string {
  return new URL(`${import.meta.env.BASE_URL}${page}`, location.origin).href;
}
