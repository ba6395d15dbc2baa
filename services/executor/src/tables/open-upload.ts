import { serviceUnavailable, ServiceError } from '@svc/errors';
import { isEngineFailure, type EnginePool } from '@svc/query-engine';
import { isReadFailure } from '@svc/text-formats';
import type { Admission } from '@svc/query-runtime';
import type { SpoolLedger } from '@svc/sources';
import type { AppendResources } from '@svc/user-tables';

/** Spool of the bodies of uploads, and the engine that reads them. */
export interface UploadReading {
  readonly engine: EnginePool;
  /** Admission of queries, which includes uploads while the engine works for them. */
  readonly admission: Admission;
  /** An existing folder that the engine may read. */
  readonly spoolDirectory: string;
  /** Counts the bytes of bodies in it. */
  readonly ledger: SpoolLedger;
}

const MEBIBYTE = 2 ** 20;

/** Opens spool and engine for one upload of a caller; `close` frees its space. */
export function openUpload(
  { engine, admission, spoolDirectory: directory, ledger }: UploadReading,
  subject: string,
): Omit<AppendResources, 'database'> & { readonly close: () => void } {
  let taken = 0;
  const reserve = (bytes: number): void => {
    if (taken + bytes > ledger.maxBytes) throw new ServiceError('payload_too_large', `${ledger.maxBytes / MEBIBYTE} MB`);
    if (!ledger.reserve(bytes)) throw serviceUnavailable('The spool has no room for these rows. Try again later.');
    taken += bytes;
  };
  return {
    spool: { directory, reserve },
    lease: async (signal) => {
      const leave = await admission.enter(subject, signal);
      try {
        const lease = await engine.lease(signal, 'narrow');
        return { lease, release: () => lease.release().finally(leave) };
      } catch (thrown) {
        leave();
        throw thrown;
      }
    },
    close: () => ledger.free(taken),
  };
}

/** A failure of an upload as the caller may see it. */
export function toUploadFailure(thrown: unknown): unknown {
  if (typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ENOSPC')
    return serviceUnavailable('The disk of the spool is full. Try again later.', thrown);
  if (!isReadFailure(thrown) && (!isEngineFailure(thrown) || thrown.failureClass === 'internal')) return thrown;
  if (thrown.failureClass === 'interrupted') return serviceUnavailable('The service is stopping.', thrown);
  return new ServiceError('bad_request', `No row was stored: ${thrown.message}.`, { cause: thrown });
}
