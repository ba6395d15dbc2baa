import { setTimeout as sleep } from 'node:timers/promises';

const SAMPLE_MILLIS = 100;

/** Peak values of a process. */
export interface ProcessPeaks {
  readonly residentBytes: number;
  /** Longest time for which one task occupied its event loop. */
  readonly stallMillis: number;
}

/** Polls the metrics of a process; `stop` returns the peaks. */
export function watchProcess(metricsUrl: string): { readonly stop: () => Promise<ProcessPeaks> } {
  const peaks = { residentBytes: 0, stallMillis: 0 };
  const stopped = new AbortController();
  const watch = async (): Promise<void> => {
    await readPeaks(metricsUrl); // what was before is forgotten
    while (!stopped.signal.aborted) {
      await sleep(SAMPLE_MILLIS);
      const { residentBytes, stallMillis } = await readPeaks(metricsUrl);
      peaks.residentBytes = Math.max(peaks.residentBytes, residentBytes);
      peaks.stallMillis = Math.max(peaks.stallMillis, stallMillis);
    }
  };
  const watching = watch().catch((error: unknown) => error);
  return {
    stop: async () => {
      stopped.abort();
      const error = await watching;
      if (error !== undefined) throw new Error('the process could not be watched', { cause: error });
      return peaks;
    },
  };
}

/** Seconds of CPU that a process has used. */
export async function cpuSecondsOf(metricsUrl: string): Promise<number> {
  return valueOf(await metricsOf(metricsUrl), 'process_cpu_seconds_total');
}

/** Returns the resident bytes of a process. */
export async function residentBytesOf(metricsUrl: string): Promise<number> {
  return valueOf(await metricsOf(metricsUrl), 'process_resident_memory_bytes');
}

async function readPeaks(url: string): Promise<ProcessPeaks> {
  const text = await metricsOf(url);
  return {
    residentBytes: valueOf(text, 'process_resident_memory_bytes'),
    stallMillis: valueOf(text, 'nodejs_eventloop_lag_max_seconds') * 1000,
  };
}

async function metricsOf(url: string): Promise<string> {
  return (await fetch(url)).text();
}

function valueOf(text: string, name: string): number {
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN);
}
