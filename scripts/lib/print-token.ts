import { loadSigningKey, mintAccessToken, parseTokenArguments, TOKEN_USAGE } from '@svc/local-authorization';
import { readLocalStackSettings } from '@svc/local-stack';

import { PROJECT } from './project.js';

try {
  const request = parseTokenArguments(process.argv.slice(2));
  if (request === 'help') console.log(TOKEN_USAGE);
  else {
    const { issuer, audience, namespaceClaim, dataDir } = readLocalStackSettings(process.env, PROJECT);
    console.log(await mintAccessToken(await loadSigningKey(dataDir), { issuer, audience, namespaceClaim, ...request }));
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
