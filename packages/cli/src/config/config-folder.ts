import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { CommandError } from '../failures/cli-errors.ts';

/** Returns the folder of profiles and tokens: `$SVC_CONFIG_DIR`, else the system's folder for a user's configuration. */
export function configFolder(env: Readonly<Record<string, string | undefined>>): string {
  const given = env['SVC_CONFIG_DIR'];
  if (given) return given;
  const base = process.platform === 'win32' ? env['APPDATA'] : env['XDG_CONFIG_HOME'];
  return join(base || join(homedir(), '.config'), 'svc');
}

/** Reads a JSON file of the folder; undefined if it does not exist. */
export async function readConfigFile(folder: string, name: string): Promise<unknown> {
  const path = join(folder, name);
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) throw new CommandError(`${path} is no JSON: mend it, or delete it to begin anew.`, { cause: error });
    throw new CommandError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`, { cause: error });
  }
}

/** Creates the folder, accessible by its owner only. */
export async function makeConfigFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** Writes a JSON file readable by its owner only. Atomic: readers see the previous file or the whole new one. */
export async function writeConfigFile(folder: string, name: string, content: unknown): Promise<void> {
  const unfinished = join(folder, `.${name}.${process.pid}`);
  try {
    await makeConfigFolder(folder);
    await writeFile(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    // A leftover file keeps its earlier mode.
    await chmod(unfinished, 0o600);
    await rename(unfinished, join(folder, name));
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw new CommandError(`${join(folder, name)} cannot be written: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`, {
      cause: error,
    });
  }
}
