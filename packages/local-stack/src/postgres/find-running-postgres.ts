import { join } from 'node:path';

import { readIfThere } from '@svc/local-authorization';

import { PASSWORD_SUFFIX, USER } from './cluster.ts';
import { readPostmasterFile } from './postmaster-file.ts';

/** Returns the URL of the PostgreSQL that a running local stack started on a data directory; undefined if none runs. */
export async function findRunningPostgres(dataDir: string): Promise<string | undefined> {
  const directory = join(dataDir, 'postgres');
  const [file, password] = await Promise.all([readPostmasterFile(directory), readIfThere(directory + PASSWORD_SUFFIX)]);
  if (file?.isReady !== true || password === undefined) return undefined;
  return `postgresql://${USER}:${password.trim()}@127.0.0.1:${file.port}/postgres`;
}
