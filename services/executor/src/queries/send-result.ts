import type { ServerResponse } from 'node:http';

import type { RunningQuery } from '@svc/query-runtime';

/** A result up to this size has a Content-Length, and an error before it is a clean answer. */
const BUFFER_BYTES = 16 * 1024;
/** What came in this time after the first bytes is sent at once, chunked. */
const BUFFER_MILLIS = 100;
/** A reader that takes nothing for so long is cut off. */
const STALLED_READER_MILLIS = 60_000;

/** What the answer says beside its body. */
export interface ResultHeaders {
  readonly contentType: string;
  readonly serverTiming: () => string;
}

/**
 * Sends the bytes of a query under back-pressure. Throws while nothing has been sent; after that a failure, too, is thrown,
 * and whoever handles it destroys the connection, so that the body never ends like a complete one.
 */
export async function sendResult(res: ServerResponse, query: RunningQuery, headers: ResultHeaders): Promise<void> {
  const iterator = query.body[Symbol.asyncIterator]();
  try {
    const start = await readStart(iterator);
    if (start.isComplete) {
      res.writeHead(200, {
        'Content-Type': headers.contentType,
        'Content-Length': String(start.bytes.byteLength),
        'Server-Timing': headers.serverTiming(),
        ...(query.isTruncated() ? { 'X-SVC-Truncated': 'true' } : {}),
      });
      res.end(start.bytes);
      return;
    }
    const size = query.size();
    res.writeHead(200, {
      'Content-Type': headers.contentType,
      ...(size === undefined
        ? { Trailer: 'X-SVC-Truncated, Server-Timing' }
        : { 'Content-Length': String(size), 'Server-Timing': headers.serverTiming() }),
    });
    await write(res, start.bytes);
    if (start.pending !== null) await sendRest(res, iterator, start.pending);
    if (size === undefined) res.addTrailers({ 'X-SVC-Truncated': String(query.isTruncated()), 'Server-Timing': headers.serverTiming() });
    res.end();
  } finally {
    await iterator.return?.();
  }
}

interface Start {
  readonly bytes: Buffer;
  readonly isComplete: boolean;
  /** The next piece, asked for already. */
  readonly pending: Promise<IteratorResult<Uint8Array>> | null;
}

/** The first bytes: all of a small result, or what comes before the buffer is full or its time is up. */
async function readStart(iterator: AsyncIterator<Uint8Array>): Promise<Start> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let deadline: Promise<'late'> | null = null;
  let timer: NodeJS.Timeout | undefined;
  try {
    for (;;) {
      const pending = iterator.next();
      const next = deadline === null ? await pending : await Promise.race([pending, deadline]);
      if (next === 'late') return { bytes: Buffer.concat(pieces), isComplete: false, pending };
      if (next.done === true) return { bytes: Buffer.concat(pieces), isComplete: true, pending: null };
      pieces.push(next.value);
      size += next.value.byteLength;
      if (size > BUFFER_BYTES) return { bytes: Buffer.concat(pieces), isComplete: false, pending: iterator.next() };
      deadline ??= new Promise((resolve) => {
        timer = setTimeout(() => resolve('late'), BUFFER_MILLIS);
      });
    }
  } finally {
    clearTimeout(timer);
  }
}

async function sendRest(
  res: ServerResponse,
  iterator: AsyncIterator<Uint8Array>,
  first: Promise<IteratorResult<Uint8Array>>,
): Promise<void> {
  for (let next = await first; next.done !== true; next = await iterator.next()) await write(res, next.value);
}

/** Writes one piece and waits until the reader has taken it. */
async function write(res: ServerResponse, bytes: Uint8Array): Promise<void> {
  if (res.destroyed) throw new Error('the client has gone away');
  if (res.write(bytes)) return;
  await new Promise<void>((resolve, reject) => {
    const finish = (act: () => void): void => {
      clearTimeout(timer);
      res.off('drain', onDrain);
      res.off('close', onClose);
      act();
    };
    const onDrain = (): void => finish(resolve);
    const onClose = (): void => finish(() => reject(new Error('the client has gone away')));
    const timer = setTimeout(
      () => finish(() => reject(new Error(`the client took nothing for ${STALLED_READER_MILLIS} ms`))),
      STALLED_READER_MILLIS,
    );
    res.once('drain', onDrain);
    res.once('close', onClose);
  });
}
