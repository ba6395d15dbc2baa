import {
  allowInsecureRequests,
  ClientSecretBasic,
  clientCredentialsGrantRequest,
  discoveryRequest,
  processClientCredentialsResponse,
  processDiscoveryResponse,
  type AuthorizationServer,
} from 'oauth4webapi';

/** The client whose tokens are requested, and their audience. */
export interface ServiceTokenOptions {
  readonly issuer: string;
  /** The token endpoint, if the issuer's metadata must not be fetched: within a network, its address may differ from the public one. */
  readonly tokenUrl?: URL | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly audience: string;
  readonly scope: string;
}

const TIMEOUT_MILLIS = 5_000;
/** A token that is about to expire may be late at the one who checks it. */
const SPARE_MILLIS = 60_000;
const DEFAULT_LIFE_SECONDS = 300;

/** Obtains access tokens of the service by client credentials, and caches each while it is valid. */
export class ServiceToken {
  readonly #options: ServiceTokenOptions;
  #server: AuthorizationServer | undefined;
  #current: { readonly token: Promise<string>; goodUntil: number } | undefined;

  constructor(options: ServiceTokenOptions) {
    this.#options = options;
  }

  /** Returns a token. Concurrent callers share one request. */
  async get(): Promise<string> {
    if (this.#current !== undefined && performance.now() < this.#current.goodUntil) return this.#current.token;
    const current = { token: this.#fetch((lifeMillis) => (current.goodUntil = performance.now() + lifeMillis)), goodUntil: Infinity };
    this.#current = current;
    current.token.catch(() => {
      if (this.#current === current) this.#current = undefined;
    });
    return current.token;
  }

  /** Drops a token that was refused. */
  async forget(token: string): Promise<void> {
    const { token: current } = this.#current ?? {};
    if ((await current?.catch(() => undefined)) === token) this.#current = undefined;
  }

  async #fetch(onLife: (millis: number) => void): Promise<string> {
    const { issuer, tokenUrl, clientId, clientSecret, audience, scope } = this.#options;
    const url = new URL(issuer);
    // An address without TLS is one that the operator has configured so.
    const http = { [allowInsecureRequests]: (tokenUrl ?? url).protocol === 'http:', signal: () => AbortSignal.timeout(TIMEOUT_MILLIS) };
    this.#server ??=
      tokenUrl === undefined
        ? await processDiscoveryResponse(url, await discoveryRequest(url, http))
        : { issuer, token_endpoint: tokenUrl.href };
    const client = { client_id: clientId };
    const parameters = { scope, resource: audience };
    const response = await clientCredentialsGrantRequest(this.#server, client, ClientSecretBasic(clientSecret), parameters, http);
    const { access_token: token, expires_in: seconds = DEFAULT_LIFE_SECONDS } = await processClientCredentialsResponse(
      this.#server,
      client,
      response,
    );
    const lifeMillis = seconds * 1000;
    onLife(Math.max(lifeMillis / 2, lifeMillis - SPARE_MILLIS));
    return token;
  }
}
