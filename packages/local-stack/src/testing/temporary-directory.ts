import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Passes a temporary directory to `use`, and removes it afterwards. */
export async function withTemporaryDirectory(use: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-stack-'));
  try {
    await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
