import { setTimeout as delay } from 'node:timers/promises';

import type { ApplicationStore } from '@svc/database';
import type { Logger } from '@svc/service-kit';

import { openApplication } from './application-reader.ts';

/** Dependencies of the collection of definition faults. */
export interface DefinitionFaultsOptions {
  readonly applications: ApplicationStore;
  readonly logger: Logger;
  /** Between two readings, however often packages change. */
  readonly pauseMillis?: number;
}

/** The faults of the stored definitions, for the operator. */
export interface DefinitionFaults {
  /** Returns the faults of endpoints that cannot be served now, by application. */
  readonly faults: () => ReadonlyMap<string, readonly string[]>;
  /** Notes that an application or a package has changed. */
  readonly refresh: () => void;
  readonly close: () => Promise<void>;
}

const PAUSE_MILLIS = 1_000;
const PAGE_SIZE = 50;

/** Reads all definitions after each change, at most once a second, so that `/ready` is cheap. */
export function watchDefinitionFaults({ applications, logger, pauseMillis = PAUSE_MILLIS }: DefinitionFaultsOptions): DefinitionFaults {
  const stop = new AbortController();
  let faults: ReadonlyMap<string, readonly string[]> = new Map();
  let work: Promise<void> | undefined;
  let isStale = false;
  const read = async (): Promise<void> => {
    while (isStale && !stop.signal.aborted) {
      isStale = false;
      try {
        faults = await readFaults(applications);
      } catch (error) {
        isStale = true;
        logger.debug({ err: error }, 'definitions cannot be read now');
      }
      await delay(pauseMillis, undefined, { signal: stop.signal }).catch(() => undefined);
    }
    work = undefined;
  };
  return {
    faults: () => faults,
    refresh: () => {
      isStale = true;
      if (!stop.signal.aborted) work ??= read();
    },
    close: async () => {
      stop.abort();
      await work;
    },
  };
}

async function readFaults(applications: ApplicationStore): Promise<ReadonlyMap<string, readonly string[]>> {
  const faults = new Map<string, readonly string[]>();
  for (let after = ''; ;) {
    const page = await applications.listAll({ after, limit: PAGE_SIZE });
    for (const stored of page) {
      const { problems } = await openApplication(applications, stored);
      if (problems.length > 0)
        faults.set(
          stored.name,
          problems.map(({ message }) => message),
        );
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_SIZE) return faults;
    after = last.name;
  }
}
