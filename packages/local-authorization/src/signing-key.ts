import { join } from 'node:path';

import { exportJWK, generateKeyPair, type JWK } from 'jose';

import { readOrCreatePrivateFile } from './private-file.ts';

/** Signature algorithm of the stack: the most common one, and the fastest to verify. */
export const SIGNING_ALGORITHM = 'RS256';

/** Loads the private key of the local authorization server, generated once per data directory. */
export async function loadSigningKey(dataDir: string): Promise<JWK> {
  const text = await readOrCreatePrivateFile(join(dataDir, 'authorization', 'signing-key.json'), async () =>
    JSON.stringify(await createSigningKey('local-1')),
  );
  // The file was written by the line above.
  return JSON.parse(text) as JWK;
}

/** A new private key, as a JWK with all that a key set shows. */
export async function createSigningKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg: SIGNING_ALGORITHM, use: 'sig' };
}
