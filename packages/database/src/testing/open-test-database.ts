import { createTestDatabase } from '@svc/test-kit';

import { openDatabase, type Database } from '../connection/open-database.ts';
import { migrate } from '../migrations/migrate.ts';

/** An open database of a suite's own, with the newest schema or empty; `close` drops it. */
export async function openTestDatabase(schema: 'migrated' | 'empty' = 'migrated'): Promise<Database & { readonly url: string }> {
  const { url, drop } = await createTestDatabase(schema === 'migrated' ? { migrate } : {});
  const database = openDatabase({ url, applicationName: 'test', maxConnections: 5, connectTimeoutMs: 60_000 });
  const close = async (): Promise<void> => {
    await database.close();
    await drop();
  };
  return { ...database, url, close };
}
