import { loadSigningKey, mintAccessToken, parseTokenArguments, TOKEN_USAGE } from '@svc/local-authorization';
import { readEnv } from '@svc/service-kit';

import { AUTHORIZATION_SETTINGS } from './settings.ts';

try {
  const request = parseTokenArguments(process.argv.slice(2));
  if (request === 'help') process.stdout.write(`${TOKEN_USAGE}\n`);
  else {
    const { issuer, audience, namespaceClaim, dataDir } = readEnv(process.env, AUTHORIZATION_SETTINGS).settings;
    process.stdout.write(`${await mintAccessToken(await loadSigningKey(dataDir), { issuer, audience, namespaceClaim, ...request })}\n`);
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
