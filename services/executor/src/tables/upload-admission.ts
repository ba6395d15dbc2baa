import { serviceUnavailable } from '@svc/errors';
import { Admission } from '@svc/query-runtime';

/** Limits of concurrent uploads. */
export interface UploadLimits {
  /** For all callers; one caller gets at most half of them. */
  readonly places: number;
  /** Maximum time an upload waits for a slot. */
  readonly waitMillis: number;
}

const WAITING_FOR_EACH_PLACE = 8;

/** Limits concurrent uploads: each takes room of the spool, and then a database connection. */
export function createUploadAdmission({ places, waitMillis }: UploadLimits): Admission {
  return new Admission({
    concurrency: places,
    concurrencyPerSubject: Math.ceil(places / 2),
    waitMillis,
    maxWaiting: places * WAITING_FOR_EACH_PLACE,
    refusal: () => serviceUnavailable('Too many uploads are running. Try again later.'),
  });
}
