import { createContext, useContext } from 'react';

import type { GatewayClient } from './gateway-client.ts';

/** Context of the signed-in user's client. */
export const GatewayContext = createContext<GatewayClient | null>(null);

/** Returns the client. Only pages within the shell use it. */
export function useGateway(): GatewayClient {
  const client = useContext(GatewayContext);
  if (client === null) throw new Error('There is no gateway client outside the shell.');
  return client;
}
