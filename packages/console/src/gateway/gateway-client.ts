import { createServiceClient, type GatewayPaths, type ServiceClient } from '@svc/api-client';

import type { Session } from '../session/session.ts';

/** The gateway's REST API, with the types of its OpenAPI document. */
export type GatewayClient = ServiceClient<GatewayPaths>;

const TIMEOUT_MS = 30_000;

/** Returns a client that calls the gateway on behalf of the signed-in user. */
export function createGatewayClient(session: Session): GatewayClient {
  return createServiceClient<GatewayPaths>({ baseUrl: location.origin, tokens: session, timeoutMs: TIMEOUT_MS });
}
