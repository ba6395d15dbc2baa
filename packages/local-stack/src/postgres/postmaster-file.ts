import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Contents of the file that a PostgreSQL server writes into its data directory. */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  readonly isReady: boolean;
}

/** Undefined if there is no running or killed server on this data. Lines: pid, directory, start, port, socket, host, memory, status. */
export async function readPostmasterFile(directory: string): Promise<PostmasterFile | undefined> {
  try {
    const lines = (await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n');
    const pid = Number(lines[0]);
    return Number.isInteger(pid) && pid > 0 ? { pid, port: Number(lines[3]), isReady: lines[7]?.trim() === 'ready' } : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
