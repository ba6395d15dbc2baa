/** `npm run bench -- keys [KEYS] [--small]`: the check of API keys beside a bare Express server, and endpoint calls beside the executor's. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startEmbeddedPostgres } from '@svc/local-stack';

import { startBenchStack } from './bench-stack.ts';
import { makeKeys } from './keys/make-keys.ts';
import { measureAdministration } from './keys/measure-administration.ts';
import { measureCalls } from './keys/measure-calls.ts';
import { measureChecks } from './keys/measure-checks.ts';
import { printTable } from './table.ts';

const isBrief = process.argv.includes('--small');
const [given] = process.argv.slice(2).filter((argument) => /^\d+$/.test(argument));
const KEYS = Number(given ?? (isBrief ? 2_000 : 100_000));
const SECONDS = isBrief ? 2 : 5;
const ROUNDS = isBrief ? 2 : 3;
const NAMESPACE = 'bench';

const directory = await mkdtemp(join(tmpdir(), 'svc-bench-'));
const postgres = await startEmbeddedPostgres({ directory: join(directory, 'postgres') });
try {
  const masterKey = randomBytes(32);
  const stack = await startBenchStack({
    SVC_DATABASE_URL: postgres.url,
    SVC_MASTER_KEY: masterKey.toString('base64'),
    SVC_LOG_LEVEL: 'error',
  });
  try {
    const keys = await makeKeys({ url: postgres.url, masterKey, namespace: NAMESPACE, count: KEYS });
    const rows = [
      await measureChecks({ url: postgres.url, keys, seconds: SECONDS, rounds: ROUNDS }),
      ...(await measureCalls({ stack, seconds: SECONDS, rounds: ROUNDS })),
      ...(await measureAdministration({ stack, keys, namespace: NAMESPACE })),
    ];
    console.log(`\n${KEYS} keys; each floor in the same run\n`);
    printTable(rows);
  } finally {
    await stack.stop();
  }
} finally {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
