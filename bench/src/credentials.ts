/** `npm run bench -- credentials [SECONDS]`: look-ups of credentials with decryption, beside reading the bare row. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startEmbeddedPostgres } from '@svc/local-stack';

import { measureLookUps } from './credential-look-ups.ts';

const PER_SECOND = 200;
const LIMIT_MS = 2;
const seconds = Number(process.argv[3] ?? 30);

const directory = await mkdtemp(join(tmpdir(), 'svc-bench-'));
const postgres = await startEmbeddedPostgres({ directory: join(directory, 'postgres') });
try {
  const measured = await measureLookUps({ databaseUrl: postgres.url, perSecond: PER_SECOND, seconds });
  console.log(`\nlook-ups of credentials at ${PER_SECOND} a second, for ${seconds} s each; the limit is a p99 of ${LIMIT_MS} ms\n`);
  for (const { name, p50, p99 } of measured)
    console.log(`${name.padEnd(44)} p50 ${p50.toFixed(2)} ms   p99 ${p99.toFixed(2)} ms   ${p99 < LIMIT_MS ? 'met' : 'MISSED'}`);
} finally {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
