import { join } from 'node:path';

import { exportJWK, generateKeyPair, type JWK } from 'jose';

import { readOrCreatePrivateFile } from './private-file.ts';

/** The algorithm of the stack's signatures: what most authorization servers use, and the fastest to verify. */
export const SIGNING_ALGORITHM = 'RS256';

/** The private key of the local authorization server, made once for a data directory. */
export async function loadSigningKey(dataDir: string): Promise<JWK> {
  const text = await readOrCreatePrivateFile(join(dataDir, 'authorization', 'signing-key.json'), async () =>
    JSON.stringify(await createSigningKey('local-1')),
  );
  // The file holds what the line above wrote.
  return JSON.parse(text) as JWK;
}

/** A new private key, as a JWK with all that a key set shows. */
export async function createSigningKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg: SIGNING_ALGORITHM, use: 'sig' };
}
