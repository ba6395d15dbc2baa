import { join } from 'node:path';

import { lock } from 'proper-lockfile';

import { makeConfigFolder, readConfigFile, writeConfigFile } from '../config/config-folder.ts';
import { CommandError } from '../failures/cli-errors.ts';

/** The sign-in of a profile. */
export interface StoredTokens {
  readonly issuer: string;
  readonly clientId: string;
  readonly audience: string | undefined;
  readonly accessToken: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly refreshToken?: string | undefined;
}

const FILE = 'tokens.json';
const LOCK = { realpath: false, stale: 30_000, retries: { retries: 200, factor: 1, minTimeout: 50, maxTimeout: 100 } } as const;

/** Reads the tokens of a profile; undefined if there are none. */
export async function readTokens(folder: string, profile: string): Promise<StoredTokens | undefined> {
  const all = await readAll(folder);
  return Object.hasOwn(all, profile) ? all[profile] : undefined;
}

/**
 * Changes the tokens of a profile, one process at a time: a refresh token works once. Undefined deletes them. Returns the
 * stored tokens.
 */
export async function changeTokens(
  folder: string,
  profile: string,
  change: (stored: StoredTokens | undefined) => Promise<StoredTokens | undefined>,
): Promise<StoredTokens | undefined> {
  // The lock is a file beside it.
  await makeConfigFolder(folder);
  const release = await lock(join(folder, FILE), LOCK).catch((error: unknown) => {
    throw new CommandError(`Another svc keeps ${join(folder, FILE)} locked.`, { cause: error });
  });
  try {
    const all = await readAll(folder);
    const changed = await change(Object.hasOwn(all, profile) ? all[profile] : undefined);
    const { [profile]: _before, ...others } = all;
    await writeConfigFile(folder, FILE, changed === undefined ? others : { ...others, [profile]: changed });
    return changed;
  } finally {
    await release();
  }
}

async function readAll(folder: string): Promise<Readonly<Record<string, StoredTokens>>> {
  // Written by `changeTokens`.
  return ((await readConfigFile(folder, FILE)) ?? {}) as Readonly<Record<string, StoredTokens>>;
}
