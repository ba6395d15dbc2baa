import { readFile, writeFile } from 'node:fs/promises';

/** Resident memory of a process in megabytes. */
export interface ProcessMemory {
  readonly now: number;
  /** The most since it began, or since `forgetPeak`. */
  readonly peak: number;
}

/** Returns the memory of a process, as reported by Linux. */
export async function memoryOf(pid: number): Promise<ProcessMemory> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string): number => {
    const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
    if (kibibytes === undefined) throw new Error(`the process ${pid} has ended`);
    return Number(kibibytes) / 1024;
  };
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

/** Resets the peak to the current memory of the process. */
export async function forgetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
}
