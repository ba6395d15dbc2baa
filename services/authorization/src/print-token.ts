import { loadSigningKey, mintAccessToken, parseTokenArguments } from '@svc/local-authorization';
import { readEnv } from '@svc/service-kit';

import { AUTHORIZATION_SETTINGS } from './settings.ts';

try {
  const request = parseTokenArguments(process.argv.slice(2));
  const { issuer, audience, namespaceClaim, dataDir } = readEnv(process.env, AUTHORIZATION_SETTINGS).settings;
  process.stdout.write(`${await mintAccessToken(await loadSigningKey(dataDir), { issuer, audience, namespaceClaim, ...request })}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
