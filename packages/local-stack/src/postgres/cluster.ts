import { randomBytes } from 'node:crypto';
import { chown, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { StartError } from '@svc/service-kit';

import { readIfThere } from '@svc/local-authorization';
import { runToEnd } from '../run-to-end.ts';
import { POSTGRES_MAJOR, type PostgresBinaries } from './postgres-binaries.ts';
import type { UnprivilegedCommand } from './unprivileged-command.ts';

/** The files of a PostgreSQL server that is not running, and how to log in once it does. */
export interface Cluster {
  readonly directory: string;
  readonly user: string;
  readonly password: string;
}

/** Name of the superuser. */
export const USER = 'svc';
/** Stored beside the data directory: PostgreSQL requires the directory for itself. */
export const PASSWORD_SUFFIX = '-password';

/**
 * Returns the cluster in `directory`, initialized if there is none. It is built beside the directory and moved into place as
 * a whole, so that an interrupted start leaves nothing incomplete. Throws a StartError for data of another major version, and for
 * those of another user, which PostgreSQL refuses.
 */
export async function prepareCluster(directory: string, binaries: PostgresBinaries, command: UnprivilegedCommand): Promise<Cluster> {
  const found = await readIfThere(join(directory, 'PG_VERSION'));
  if (found === undefined) await createCluster(directory, binaries, command);
  else if (found.trim() !== POSTGRES_MAJOR) {
    throw new StartError(
      `${directory} holds data of PostgreSQL ${found.trim()}, and this is PostgreSQL ${POSTGRES_MAJOR}: set SVC_DATA_DIR to another directory.`,
    );
  } else await requireOwner(directory, command);
  const password = await readIfThere(directory + PASSWORD_SUFFIX);
  if (password === undefined)
    throw new StartError(`${directory + PASSWORD_SUFFIX} is missing, so nobody can log in to the database beside it.`);
  return { directory, user: USER, password: password.trim() };
}

async function requireOwner(directory: string, { owner }: UnprivilegedCommand): Promise<void> {
  const { uid } = await stat(directory);
  if (uid === (owner?.uid ?? process.getuid?.() ?? uid)) return;
  throw new StartError(
    `${directory} belongs to the user with number ${uid}: start as that user, or set SVC_DATA_DIR to another directory.`,
  );
}

async function createCluster(directory: string, binaries: PostgresBinaries, command: UnprivilegedCommand): Promise<void> {
  const unfinished = `${directory}-unfinished`;
  const passwordFile = directory + PASSWORD_SUFFIX;
  await mkdir(dirname(directory), { recursive: true });
  for (const path of [unfinished, directory, passwordFile]) await rm(path, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (command.owner !== undefined) {
    for (const path of [unfinished, passwordFile]) await chown(path, command.owner.uid, command.owner.gid);
  }
  const options = [
    '--encoding=UTF8',
    '--locale=C',
    '--auth=scram-sha-256',
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    '--no-instructions',
  ];
  try {
    await runToEnd([...command.prefix, binaries.initdb, `--pgdata=${unfinished}`, ...options], command.owner);
  } catch (error) {
    throw new StartError(`PostgreSQL could not make its data: ${(error as Error).message}`, { cause: error });
  }
  await rename(unfinished, directory);
}
