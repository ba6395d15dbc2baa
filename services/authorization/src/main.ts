import { loadSigningKey, startAuthorizationServer } from '@svc/local-authorization';
import { createLogger, readEnv, SettingsError } from '@svc/service-kit';

import { AUTHORIZATION_SETTINGS } from './settings.ts';

try {
  await serve();
} catch (error) {
  process.stderr.write(`${error instanceof SettingsError ? error.message : String((error as Error).stack)}\n`);
  process.exitCode = 1;
}

/** Serves until SIGTERM or SIGINT. */
async function serve(): Promise<void> {
  const { settings, warnings } = readEnv(process.env, AUTHORIZATION_SETTINGS);
  const logger = createLogger({ service: 'authorization', level: 'info' });
  for (const warning of warnings) logger.warn(warning);
  const { host, port, issuer, audience, namespaceClaim, gatewayClientId, gatewayClientSecret, consoleUrl } = settings;
  const server = await startAuthorizationServer({
    host,
    port,
    issuer,
    audience,
    namespaceClaim,
    key: await loadSigningKey(settings.dataDir),
    client: { id: gatewayClientId, secret: gatewayClientSecret },
    consoleOrigins: consoleUrl === undefined ? [] : [consoleUrl.origin],
  });
  const stop = (): void => void server.stop().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  logger.info({ issuer, url: server.url }, 'tokens for local use: whoever asks gets one');
}
