import { setTimeout as delay } from 'node:timers/promises';

import { QUERY_MEGABYTES, SERVICES, type AttackTarget, type ServiceName } from './attack-target.ts';

/** The most that was seen of a service. */
export interface ServicePeaks {
  residentMegabytes: number;
  stallMillis: number;
}

/** What watches the services of a target. */
export interface ServiceWatch {
  readonly peaks: Readonly<Record<ServiceName, ServicePeaks>>;
  readonly stop: () => Promise<void>;
}

/** What a service may hold: its runtime and, in the executor, its queries; and three tenths more. */
const LIMIT_MEGABYTES: Readonly<Record<ServiceName, number>> = {
  executor: (300 + QUERY_MEGABYTES) * 1.3,
  gateway: 300 * 1.3,
  credentials: 300 * 1.3,
  stream: (300 + QUERY_MEGABYTES) * 1.3,
};
const MOST_STALL_MILLIS = 250;
const SAMPLE_MILLIS = 100;
const ANSWER_MILLIS = 5_000;

/**
 * Reads the metrics of all services over and over, and reports stalls of their event loops, memory past the limit, and silence. A stall
 * counts where the process worked that long: on a busy machine others take its processor.
 */
export function watchServices(target: AttackTarget, onFinding: (finding: string) => void): ServiceWatch {
  const stop = new AbortController();
  const peaks = Object.fromEntries(SERVICES.map((name) => [name, { residentMegabytes: 0, stallMillis: 0 }])) as Record<
    ServiceName,
    ServicePeaks
  >;
  const watching = SERVICES.map(async (name) => {
    let before = await readMetrics(target.metricsUrls[name]);
    let isSilent = false;
    while (!stop.signal.aborted) {
      await delay(SAMPLE_MILLIS, undefined, { signal: stop.signal }).catch(() => undefined);
      try {
        const now = await readMetrics(target.metricsUrls[name]);
        isSilent = false;
        note(now.residentMegabytes, Math.min(now.stallMillis, (now.cpuSeconds - before.cpuSeconds) * 1000));
        before = now;
      } catch {
        if (!isSilent && !stop.signal.aborted) onFinding(`${name}: no answer to /metrics in ${ANSWER_MILLIS / 1000} s`);
        isSilent = true;
      }
    }
    function note(residentMegabytes: number, stallMillis: number): void {
      const peak = peaks[name];
      if (stallMillis > MOST_STALL_MILLIS && stallMillis > peak.stallMillis)
        onFinding(`${name}: the event loop stood still for ${Math.round(stallMillis)} ms`);
      if (residentMegabytes > LIMIT_MEGABYTES[name] && peak.residentMegabytes <= LIMIT_MEGABYTES[name])
        onFinding(`${name}: ${Math.round(residentMegabytes)} MB, with a limit of ${Math.round(LIMIT_MEGABYTES[name])}`);
      peak.residentMegabytes = Math.max(peak.residentMegabytes, residentMegabytes);
      peak.stallMillis = Math.max(peak.stallMillis, stallMillis);
    }
  });
  return {
    peaks,
    stop: async () => {
      stop.abort();
      await Promise.all(watching);
    },
  };
}

async function readMetrics(url: string) {
  const text = await (await fetch(url, { signal: AbortSignal.timeout(ANSWER_MILLIS) })).text();
  const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? 0);
  return {
    residentMegabytes: value('process_resident_memory_bytes') / 2 ** 20,
    stallMillis: value('nodejs_eventloop_lag_max_seconds') * 1000,
    cpuSeconds: value('process_cpu_seconds_total'),
  };
}
