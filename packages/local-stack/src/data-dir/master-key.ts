import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { readOrCreatePrivateFile } from '@svc/local-authorization';

/** Returns the path of the stack's master key, which is created once per data directory, readable by its owner only. */
export async function provideMasterKeyFile(dataDir: string): Promise<string> {
  const path = join(dataDir, 'master-key');
  await readOrCreatePrivateFile(path, async () => `${randomBytes(32).toString('base64')}\n`);
  return path;
}
