import { StartError } from '@svc/service-kit';

import { launchService, type ServiceProcessOptions } from './service-process.ts';

/** A service that is started again when its process dies. */
export interface KeptService {
  /** Waits for the first start. Rejects if the process ends before it is ready: a restart would not help. */
  readonly becomesReady: () => Promise<void>;
  /** Resolves after too many crashes, with a message for the operator. */
  readonly givenUp: Promise<string>;
  /** Lets the service finish its requests, and waits for its end. */
  readonly stop: () => Promise<void>;
}

/** After this many crashes within the window a service is given up. */
const MAX_DEATHS = 5;
const WINDOW_MS = 60_000;

/** Starts a service, and starts it again each time it dies. `onNotice` is called with a line for the operator. */
export function keepRunning(options: ServiceProcessOptions, onNotice: (line: string) => void): KeptService {
  const { name } = options;
  const givenUp = Promise.withResolvers<string>();
  let current = launchService(options);
  let isStopping = false;
  const watch = async (): Promise<void> => {
    let deaths: readonly number[] = [];
    for (;;) {
      const how = await current.ended.catch((error: unknown) => String(error));
      if (isStopping) return;
      const now = performance.now();
      deaths = [...deaths.filter((death) => now - death < WINDOW_MS), now];
      if (deaths.length >= MAX_DEATHS) {
        givenUp.resolve(`The ${name} has ended ${MAX_DEATHS} times within a minute (${how}): it is not started again.`);
        return;
      }
      onNotice(`The ${name} has ended (${how}): it is started again.`);
      current = launchService(options);
      void current.becomesReady().then(
        () => onNotice(`The ${name} is ready again.`),
        // The next turn reports a process that has ended.
        (error: unknown) => isStopping || error instanceof StartError || onNotice(String(error)),
      );
    }
  };
  return {
    becomesReady: async () => {
      await current.becomesReady();
      void watch();
    },
    givenUp: givenUp.promise,
    stop: () => {
      isStopping = true;
      return current.stop();
    },
  };
}
