import createClient, { type Client } from 'openapi-fetch';

import type { Session } from '../session/session.ts';
import { toApiError } from './api-error.ts';
import type { paths } from './schema.d.ts';

/** The gateway's REST API, with the types of its OpenAPI document. */
export type GatewayClient = Client<paths>;

const TIMEOUT_MS = 30_000;

/** Returns a client that calls the gateway for somebody who has signed in. It sends no cookies: only the token says who calls. */
export function createGatewayClient(session: Session): GatewayClient {
  return createClient<paths>({
    baseUrl: location.origin,
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    fetch: (request) => fetchAuthorized(session, request),
  });
}

/** Throws an ApiError for an answer that is none of the documented successes. */
export async function unwrap<Data>(call: Promise<{ data?: Data; error?: unknown; response: Response }>): Promise<Data> {
  const { data, error, response } = await call;
  if (!response.ok) throw toApiError(response, error);
  // A 204 has no data, and its type says so.
  return data as Data;
}

async function fetchAuthorized(session: Session, request: Request): Promise<Response> {
  const again = request.clone();
  const response = await send(request, await session.accessToken());
  if (response.status !== 401) return response;
  // The token was revoked, or the clocks differ.
  return send(again, await session.renew());
}

async function send(request: Request, token: string): Promise<Response> {
  request.headers.set('Authorization', `Bearer ${token}`);
  return fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]) });
}
