import { readFile } from 'node:fs/promises';

/** Linux counts the time of threads in hundredths of a second. */
const MILLIS_OF_TICK = 10;

/**
 * Returns the milliseconds of CPU that the thread of a service's event loop has used, undefined where that cannot be known: elsewhere than on
 * Linux, and while the service is not there. Services are children of this process.
 */
export async function mainThreadMillis(service: string): Promise<number | undefined> {
  try {
    const children = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
    for (const pid of children.trim().split(' ')) {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
      if (command.includes(`services/${service}/`)) return await readMillis(pid);
    }
  } catch {
    // A process may end during the inspection.
  }
  return undefined;
}

/** The first thread of a process has its number. */
async function readMillis(pid: string): Promise<number> {
  const stat = await readFile(`/proc/${pid}/task/${pid}/stat`, 'utf8');
  // The name is in parentheses and may contain blanks. User and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MILLIS_OF_TICK;
}
