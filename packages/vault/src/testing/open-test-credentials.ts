import { randomBytes } from 'node:crypto';

import { CredentialEventStore, CredentialStore, migrate, openDatabase, type Database } from '@svc/database';
import { createTestDatabase } from '@svc/test-kit';

import { Credentials } from '../credentials/credentials.ts';
import { createVault, type Vault } from '../envelope/vault.ts';

/** Credentials over a database of their own. */
export interface TestCredentials {
  readonly url: string;
  readonly database: Database;
  readonly store: CredentialStore;
  readonly events: CredentialEventStore;
  readonly vault: Vault;
  readonly credentials: Credentials;
  readonly close: () => Promise<void>;
}

/** Opens them under a new master key; `close` drops the database. */
export async function openTestCredentials(masterKey = randomBytes(32)): Promise<TestCredentials> {
  const { url, drop } = await createTestDatabase({ migrate });
  const database = openDatabase({ url, applicationName: 'test', connectTimeoutMs: 60_000 });
  const parts = { store: new CredentialStore(database), events: new CredentialEventStore(database), vault: createVault({ masterKey }) };
  const close = async (): Promise<void> => {
    await database.close();
    await drop();
  };
  return { url, database, ...parts, credentials: new Credentials(parts), close };
}
