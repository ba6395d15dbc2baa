import { setTimeout as delay } from 'node:timers/promises';

import { mainThreadMillis } from '@svc/test-kit';

import { QUERY_MEGABYTES, SERVICES, type AttackTarget, type ServiceName } from './attack-target.ts';

/** Peak values of a service. */
export interface ServicePeaks {
  residentMegabytes: number;
  stallMillis: number;
}

/** The monitor of a target's services. */
export interface ServiceWatch {
  readonly peaks: Readonly<Record<ServiceName, ServicePeaks>>;
  readonly stop: () => Promise<void>;
}

/** Memory limit of a service: its runtime and, in the executor, its queries; plus 30 %. */
export const LIMIT_MEGABYTES: Readonly<Record<ServiceName, number>> = {
  executor: (300 + QUERY_MEGABYTES) * 1.3,
  gateway: 300 * 1.3,
  credentials: 300 * 1.3,
  stream: (300 + QUERY_MEGABYTES) * 1.3,
};
/** Maximum stall of an event loop. */
export const MOST_STALL_MILLIS = 250;
const SAMPLE_MILLIS = 100;
const ANSWER_MILLIS = 5_000;

/**
 * Polls the metrics of all services and reports stalls of their event loops, memory above the limit, and missing responses.
 * A stall counts only if the event-loop thread was computing that long, since other processes may use the processor of a
 * busy machine. A finding names the attacks that were running, as `runningAt` returns them.
 */
export function watchServices(
  target: AttackTarget,
  { onFinding, runningAt }: { readonly onFinding: (finding: string) => void; readonly runningAt: (service: ServiceName) => string },
): ServiceWatch {
  const stop = new AbortController();
  const peaks = Object.fromEntries(SERVICES.map((name) => [name, { residentMegabytes: 0, stallMillis: 0 }])) as Record<
    ServiceName,
    ServicePeaks
  >;
  const watching = SERVICES.map(async (name) => {
    let before = await readSample(target, name);
    let isSilent = false;
    while (!stop.signal.aborted) {
      await delay(SAMPLE_MILLIS, undefined, { signal: stop.signal }).catch(() => undefined);
      try {
        const now = await readSample(target, name);
        isSilent = false;
        note(now.residentMegabytes, Math.min(now.stallMillis, now.workedMillis - before.workedMillis));
        before = now;
      } catch {
        if (!isSilent && !stop.signal.aborted) onFinding(`${name}: no answer to /metrics in ${ANSWER_MILLIS / 1000} s`);
        isSilent = true;
      }
    }
    function note(residentMegabytes: number, stallMillis: number): void {
      const peak = peaks[name];
      if (stallMillis > MOST_STALL_MILLIS && stallMillis > peak.stallMillis)
        onFinding(`${name}: the event loop stood still for ${Math.round(stallMillis)} ms; under way: ${runningAt(name)}`);
      if (residentMegabytes > LIMIT_MEGABYTES[name] && peak.residentMegabytes <= LIMIT_MEGABYTES[name])
        onFinding(
          `${name}: ${Math.round(residentMegabytes)} MB, with a limit of ${Math.round(LIMIT_MEGABYTES[name])}; under way: ${runningAt(name)}`,
        );
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

async function readSample({ metricsUrls }: AttackTarget, name: ServiceName) {
  const text = await (await fetch(metricsUrls[name], { signal: AbortSignal.timeout(ANSWER_MILLIS) })).text();
  const value = (metric: string): number => Number(new RegExp(`^${metric} (\\S+)`, 'm').exec(text)?.[1] ?? 0);
  return {
    residentMegabytes: value('process_resident_memory_bytes') / 2 ** 20,
    stallMillis: value('nodejs_eventloop_lag_max_seconds') * 1000,
    // All threads of the process, if the main thread's time is not available.
    workedMillis: (await mainThreadMillis(name)) ?? value('process_cpu_seconds_total') * 1000,
  };
}
