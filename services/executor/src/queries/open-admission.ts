import { Admission, queryRefused } from '@svc/query-runtime';

import type { ExecutorConfig } from '../config.ts';

/** Queries that may wait, for each that may run. */
const WAITING_PER_PLACE = 16;

/** Options of the admission of queries. */
export interface QueryAdmissionOptions extends Pick<ExecutorConfig, 'queryConcurrency' | 'queryConcurrencyPerSubject'> {
  readonly waitMillis: number;
  /** Called for each query that is rejected. */
  readonly countRefusal: () => void;
}

/** Creates the admission of queries. */
export function openAdmission(options: QueryAdmissionOptions): Admission {
  const { queryConcurrency, queryConcurrencyPerSubject, waitMillis, countRefusal } = options;
  return new Admission({
    concurrency: queryConcurrency,
    waitMillis,
    maxWaiting: queryConcurrency * WAITING_PER_PLACE,
    concurrencyPerSubject: queryConcurrencyPerSubject ?? Math.max(1, Math.ceil(queryConcurrency / 2)),
    refusal: () => {
      countRefusal();
      return queryRefused();
    },
  });
}
