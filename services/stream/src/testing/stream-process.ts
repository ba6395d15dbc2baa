import { fileURLToPath } from 'node:url';

import { startServiceChild, type ServiceChild } from '@svc/test-kit';

import type { InjectionPoint } from '../jobs/injection.ts';

/** The injection point, the number of times it is reached, and the signal sent to the process. */
export interface StopAt {
  readonly point: InjectionPoint;
  readonly count: number;
  readonly signal?: NodeJS.Signals;
}

const MAIN = fileURLToPath(new URL('./stopped-main.ts', import.meta.url));

/** Starts a stream service in a separate process, and waits until it listens. */
export function startStreamProcess(env: Readonly<Record<string, string>>, stopAt?: StopAt): Promise<ServiceChild> {
  const stop =
    stopAt === undefined ? {} : { TEST_STOP_AT: `${stopAt.point}:${stopAt.count}`, TEST_STOP_SIGNAL: stopAt.signal ?? 'SIGKILL' };
  return startServiceChild({ entry: MAIN, env: { SVC_STREAM_PORT: '0', SVC_STREAM_ADMIN_PORT: '0', ...env, ...stop } });
}
