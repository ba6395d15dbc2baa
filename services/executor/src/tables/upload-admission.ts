import { serviceUnavailable } from '@svc/errors';
import { Admission } from '@svc/query-runtime';

/** How many uploads there may be. */
export interface UploadLimits {
  /** Of all callers; one caller has half of them at most. */
  readonly places: number;
  /** How long an upload waits for its place. */
  readonly waitMillis: number;
}

const WAITING_FOR_EACH_PLACE = 8;

/** Decides which upload of rows begins: each holds a connection to the database until its client has sent the last row. */
export function createUploadAdmission({ places, waitMillis }: UploadLimits): Admission {
  return new Admission({
    concurrency: places,
    concurrencyPerSubject: Math.ceil(places / 2),
    waitMillis,
    maxWaiting: places * WAITING_FOR_EACH_PLACE,
    refusal: () => serviceUnavailable('Too many uploads are running. Try again later.'),
  });
}
