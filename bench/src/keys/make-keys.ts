import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Client } from 'pg';
import * as copyStreams from 'pg-copy-streams';

import { createKeyValue } from '@svc/gateway';
import { createVault } from '@svc/vault';

/** Target and number of the keys. */
export interface KeyMaking {
  readonly url: string;
  readonly masterKey: Buffer;
  readonly namespace: string;
  readonly count: number;
}

/** A generated key. */
export interface MadeKey {
  readonly id: string;
  readonly value: string;
}

const BATCH = 20_000;

/** Stores keys encrypted and hashed like the gateway, but in bulk and without audit entries and notices. Prints its progress. */
export async function makeKeys({ url, masterKey, namespace, count }: KeyMaking): Promise<readonly MadeKey[]> {
  const vault = createVault({ masterKey });
  const client = new Client({ connectionString: url });
  await client.connect();
  const startedAt = performance.now();
  const keys: MadeKey[] = [];
  try {
    await client.query('SET session_replication_role = replica');
    while (keys.length < count) {
      const batch = Array.from({ length: Math.min(BATCH, count - keys.length) }, () => {
        const id = randomUUID();
        return { id, ...createKeyValue({ vault, environment: 'bench' }, { namespace, id }) };
      });
      const copy = async (target: string, lineOf: (key: (typeof batch)[number]) => string): Promise<void> =>
        pipeline(Readable.from([batch.map(lineOf).join('')]), client.query(copyStreams.from(`COPY ${target} FROM STDIN`)));
      const ahead = new Date(Date.now() + 90 * 86_400_000).toISOString();
      await copy(
        'api_keys (id, namespace, name, key_prefix, sealed, expires_at, is_active, created_by)',
        ({ id, keyPrefix, sealed }) =>
          `${id}\t${namespace}\ta key\t${keyPrefix}\t\\\\x${sealed.toString('hex')}\t${ahead}\tt\t${namespace}\n`,
      );
      await copy('api_key_hashes (hash, key_id)', ({ id, hash }) => `\\\\x${hash.toString('hex')}\t${id}\n`);
      for (const { id, value } of batch) keys.push({ id, value });
      console.log(`keys: ${keys.length} of ${count} after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    }
    await client.query('ANALYZE api_keys, api_key_hashes');
  } finally {
    await client.end();
  }
  return keys;
}
