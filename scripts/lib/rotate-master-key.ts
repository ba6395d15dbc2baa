import { openDatabase, SealedRecordStore } from '@svc/database';
import { findRunningPostgres, readLocalStackSettings } from '@svc/local-stack';
import { readEnv, SettingsError } from '@svc/service-kit';
import { MASTER_KEY_SETTINGS } from '@svc/service-setup';
import { createVault, rotateMasterKey, type MasterKeys } from '@svc/vault';

import { PROJECT } from './project.js';
import { onStopSignal } from './stop-signals.ts';

const stop = new AbortController();
onStopSignal(
  () => stop.abort(),
  () => process.exit(1),
);
process.exitCode = await run();

/** Encrypts every stored secret with the new master key. Returns the exit code: 0 if no secret is left under another key. */
async function run(): Promise<number> {
  try {
    const url = await findDatabase();
    const { settings } = readEnv(process.env, MASTER_KEY_SETTINGS);
    if (settings.previousMasterKey === undefined)
      throw new SettingsError(['SVC_PREVIOUS_MASTER_KEY is not set: expected the master key before SVC_MASTER_KEY']);
    return await rotate(url, settings);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    console.error(error.message);
    return 1;
  }
}

async function findDatabase(): Promise<string> {
  const { databaseUrl, dataDir } = readLocalStackSettings(process.env, PROJECT);
  const url = databaseUrl ?? (await findRunningPostgres(dataDir));
  if (url === undefined)
    throw new SettingsError(['SVC_DATABASE_URL is not set, and no local stack runs: expected the address of a PostgreSQL database']);
  return url;
}

async function rotate(url: string, keys: MasterKeys): Promise<number> {
  const database = openDatabase({ url, applicationName: 'svc-rotate-master-key', maxConnections: 2 });
  try {
    const { rewrapped, failures } = await rotateMasterKey({
      records: new SealedRecordStore(database),
      vault: createVault(keys),
      signal: stop.signal,
      onProgress: ({ table, rewrapped: done, total }) => console.log(`${table}: ${done} of ${total}`),
    });
    for (const failure of failures) console.error(failure);
    console.log(`${rewrapped} secrets put under the new master key${stop.signal.aborted ? ' before it was stopped: run it again' : ''}.`);
    if (failures.length > 0) console.error(`${failures.length} secrets could not be opened and stay as they are.`);
    return failures.length > 0 || stop.signal.aborted ? 1 : 0;
  } finally {
    await database.close();
  }
}
