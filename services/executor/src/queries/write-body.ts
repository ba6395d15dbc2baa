import type { ServerResponse } from 'node:http';

import { ServiceError } from '@svc/errors';
import { freeBytes } from '@svc/query-engine';

/** Limits of waiting for a reader. */
export interface Patience {
  readonly limitMillis: number;
  /** Ends the waiting, with its reason. */
  readonly signal: AbortSignal;
}

/**
 * Writes one chunk, whose memory is released once written, and waits until there is room for another. A reader that accepts
 * no data for `limitMillis` is a `request_timeout`.
 */
export async function writePiece(res: ServerResponse, bytes: Uint8Array, { limitMillis, signal }: Patience): Promise<void> {
  if (res.destroyed) throw new Error('the client has gone away');
  signal.throwIfAborted();
  const onWritten = (failed?: Error | null): void => {
    if (failed === undefined || failed === null) freeBytes(bytes);
  };
  if (res.write(bytes, onWritten)) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onClose = (): void => reject(new Error('the client has gone away'));
  const onAbort = (): void => reject(signal.reason as Error); // whoever aborts gives one
  const onLate = (): void => reject(new ServiceError('request_timeout', `The client took nothing of the answer for ${limitMillis} ms.`));
  const timer = setTimeout(onLate, limitMillis);
  res.once('drain', resolve);
  res.once('close', onClose);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    res.off('drain', resolve);
    res.off('close', onClose);
    signal.removeEventListener('abort', onAbort);
  }
}
