import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { StartError } from '@svc/service-kit';

import type { GatewayConfig } from '../config.ts';
import type { ConsoleSite } from './serve-console.ts';

/**
 * Finds the built console: the configured one, else the one built beside the gateway. Undefined if there is none; throws a
 * StartError if the configured one cannot be read.
 */
export function findConsole(
  config: Pick<GatewayConfig, 'consoleDirectory' | 'consoleClientId' | 'tokenIssuer' | 'tokenAudience'>,
): ConsoleSite | undefined {
  const { consoleDirectory, consoleClientId: clientId, tokenIssuer: issuer, tokenAudience: audience } = config;
  try {
    const directory = consoleDirectory ?? dirname(fileURLToPath(import.meta.resolve('@svc/console/site/index.html')));
    return { directory, index: readFileSync(join(directory, 'index.html')), settings: { issuer, clientId, audience } };
  } catch (error) {
    if (consoleDirectory === undefined) return undefined;
    throw new StartError(`SVC_CONSOLE_DIR cannot be used: it holds no index.html that can be read.`, { cause: error });
  }
}
