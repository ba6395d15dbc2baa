import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Linux counts the time of processes in hundredths of a second, and their memory in pages. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;
const SAMPLE_MILLIS = 100;

/** Seconds of CPU that a process has used, of all its threads. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name is in parentheses and may contain blanks. User and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Resident megabytes of a process. */
export async function residentMegabytesOf(pid: number): Promise<number> {
  const [, pages] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ');
  return (Number(pages) * PAGE_BYTES) / 1024 / 1024;
}

/** Samples the memory of a process; `stop` returns the maximum. */
export function watchMemory(pid: number): { readonly stop: () => Promise<number> } {
  const stopped = new AbortController();
  const watching = (async () => {
    let peak = 0;
    while (!stopped.signal.aborted) {
      peak = Math.max(peak, await residentMegabytesOf(pid));
      await delay(SAMPLE_MILLIS);
    }
    return peak;
  })();
  return {
    stop: async () => {
      stopped.abort();
      return watching;
    },
  };
}
