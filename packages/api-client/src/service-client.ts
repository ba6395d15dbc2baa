import createClient, { type Client } from 'openapi-fetch';

import { toApiError } from './api-error.ts';

/** The client of a service, with the types of its OpenAPI document. */
export type ServiceClient<Paths extends object> = Client<Paths>;

/** The access tokens of a caller. */
export interface TokenSource {
  /** Returns a token that stays valid for a while. */
  readonly accessToken: () => Promise<string>;
  /** Returns a new token after a service has refused the one before. */
  readonly renew: () => Promise<string>;
}

/** Dependencies of a client. */
export interface ServiceClientOptions {
  readonly baseUrl: string;
  readonly tokens: TokenSource;
  /** Ends requests. */
  readonly signal?: AbortSignal | undefined;
  /** False for stream bodies, which cannot be sent again. */
  readonly resend?: boolean;
  /** Limits an answer, its body included. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Returns a client that calls a service on behalf of the owner of the tokens. It sends no cookies: only the token
 * authenticates. A string body is sent unchanged, any other as JSON. A request answered with 401 is sent once more with a
 * new token.
 */
export function createServiceClient<Paths extends object>(options: ServiceClientOptions): ServiceClient<Paths> {
  const { baseUrl, tokens, resend = true } = options;
  return createClient<Paths>({
    baseUrl,
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    bodySerializer: (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body)),
    fetch: async (request) => {
      const again = resend ? request.clone() : undefined;
      const response = await send(request, await tokens.accessToken(), options);
      if (response.status !== 401 || again === undefined) return response;
      // The token was revoked, or the clocks differ.
      return send(again, await tokens.renew(), options);
    },
  });
}

async function send(request: Request, token: string, { signal, timeoutMs }: ServiceClientOptions): Promise<Response> {
  request.headers.set('Authorization', `Bearer ${token}`);
  const signals = [
    request.signal,
    ...(signal === undefined ? [] : [signal]),
    ...(timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)]),
  ];
  return fetch(request, { signal: AbortSignal.any(signals) });
}

/** Returns the data of a response. Throws an ApiError for one that is not a documented success. */
export async function unwrap<Data>(call: Promise<{ data?: Data; error?: unknown; response: Response }>): Promise<Data> {
  const { data, error, response } = await call;
  if (!response.ok) throw toApiError(response, error);
  // A 204 has no data, and its type reflects that.
  return data as Data;
}
