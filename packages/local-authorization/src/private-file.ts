import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Returns the text of a file readable by its owner only. If it does not exist, it is created with the result of `create`;
 * concurrent processes all get the text of the first.
 */
export async function readOrCreatePrivateFile(path: string, create: () => Promise<string>): Promise<string> {
  const found = await readIfThere(path);
  if (found !== undefined) return found;
  await createPrivateFile(path, await create());
  return readFile(path, 'utf8');
}

/** Creates a file with this text atomically. Returns false and changes nothing if it exists. */
export async function createPrivateFile(path: string, text: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${randomUUID()}`;
  await writeFile(unfinished, text, { mode: 0o600 });
  try {
    await link(unfinished, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(unfinished);
  }
}

/** The text of a file, undefined if it does not exist. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
