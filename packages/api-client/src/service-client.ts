import createClient, { type Client } from 'openapi-fetch';

import { toApiError } from './api-error.ts';

/** The client of a service, with the types of its OpenAPI document. */
export type ServiceClient<Paths extends object> = Client<Paths>;

/** The access tokens of a caller. */
export interface TokenSource {
  /** Returns a token that is good for a while. */
  readonly accessToken: () => Promise<string>;
  /** Returns a new token after a service has refused the one before. */
  readonly renew: () => Promise<string>;
}

/** What a client needs. */
export interface ServiceClientOptions {
  readonly baseUrl: string;
  readonly tokens: TokenSource;
  /** Limits an answer, its body included. */
  readonly timeoutMs?: number;
}

/**
 * Returns a client that calls a service for the owner of the tokens. It sends no cookies: only the token says who calls. A request that is
 * answered 401 is sent once more with a new token, so its body is kept: bodies are small.
 */
export function createServiceClient<Paths extends object>({ baseUrl, tokens, timeoutMs }: ServiceClientOptions): ServiceClient<Paths> {
  const send = async (request: Request, token: string): Promise<Response> => {
    request.headers.set('Authorization', `Bearer ${token}`);
    if (timeoutMs === undefined) return fetch(request);
    return fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]) });
  };
  return createClient<Paths>({
    baseUrl,
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    fetch: async (request) => {
      const again = request.clone();
      const response = await send(request, await tokens.accessToken());
      if (response.status !== 401) return response;
      // The token was revoked, or the clocks differ.
      return send(again, await tokens.renew());
    },
  });
}

/** Returns the data of an answer. Throws an ApiError for one that is none of the documented successes. */
export async function unwrap<Data>(call: Promise<{ data?: Data; error?: unknown; response: Response }>): Promise<Data> {
  const { data, error, response } = await call;
  if (!response.ok) throw toApiError(response, error);
  // A 204 has no data, and its type says so.
  return data as Data;
}
