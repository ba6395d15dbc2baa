import type { ServerResponse } from 'node:http';

import { markHandled } from '@svc/concurrency';
import type { RunningQuery } from '@svc/query-runtime';

import type { ContentEncoding } from './content-encoding.ts';
import { encodePieces, encodeWhole } from './content-encoding.ts';
import { writePiece } from './write-body.ts';

/** A result up to this size has a Content-Length, and an error before it is a clean answer. */
const BUFFER_BYTES = 16 * 1024;
/** Bytes buffered for this long after the first ones are sent, chunked. */
const BUFFER_MILLIS = 100;
/** A reader that accepts no data for this long is disconnected. */
const STALLED_READER_MILLIS = 60_000;
/** Minimum size for compression. */
const LEAST_ENCODED_BYTES = 1024;

/** Options of a result's response. */
export interface ResultAnswer {
  readonly contentType: string;
  /** Null for identity: for files, and for callers that request it. */
  readonly encoding: ContentEncoding | null;
  readonly serverTiming: () => string;
  /** Breaks the answer off, even while a reader is waited for. */
  readonly signal: AbortSignal;
}

/**
 * Sends the result of a query under back-pressure. A failure before the first byte is thrown; so is a later one, and the
 * error handler destroys the connection, so that an incomplete body never ends like a complete one.
 */
export async function sendResult(res: ServerResponse, query: RunningQuery, answer: ResultAnswer): Promise<void> {
  const iterator = query.body[Symbol.asyncIterator]();
  try {
    const start = await readStart(iterator);
    if (start.isComplete) await sendWhole(res, start.bytes, { query, answer });
    else await sendPieces(res, resume(start, iterator), { query, answer });
  } catch (thrown) {
    // Without chunks the end of the connection is the end of the body, so the connection must be reset.
    if (res.headersSent && !res.chunkedEncoding) res.socket?.resetAndDestroy();
    throw thrown;
  } finally {
    await iterator.return?.();
  }
}

interface Sending {
  readonly query: RunningQuery;
  readonly answer: ResultAnswer;
}

async function sendWhole(res: ServerResponse, bytes: Buffer, { query, answer }: Sending): Promise<void> {
  const encoding = bytes.byteLength < LEAST_ENCODED_BYTES ? null : answer.encoding;
  const body = encoding === null ? bytes : await encodeWhole(bytes, encoding);
  res.writeHead(200, {
    'Content-Type': answer.contentType,
    ...encodingHeaders(encoding),
    'Content-Length': String(body.byteLength),
    'Server-Timing': answer.serverTiming(),
    ...(query.isTruncated() ? { 'X-SVC-Truncated': 'true' } : {}),
  });
  res.end(body);
}

async function sendPieces(res: ServerResponse, pieces: AsyncGenerator<Uint8Array>, { query, answer }: Sending): Promise<void> {
  const size = query.size();
  // HTTP/1.0 has no chunks and no trailers.
  const hasTrailers = size === undefined && res.req.httpVersion !== '1.0';
  res.writeHead(200, {
    'Content-Type': answer.contentType,
    ...encodingHeaders(answer.encoding),
    ...(hasTrailers ? { Trailer: 'X-SVC-Truncated, Server-Timing' } : {}),
    ...(size === undefined ? {} : { 'Content-Length': String(size), 'Server-Timing': answer.serverTiming() }),
  });
  const body = answer.encoding === null ? pieces : encodePieces(pieces, answer.encoding, query.limit);
  const patience = { limitMillis: STALLED_READER_MILLIS, signal: answer.signal };
  for await (const piece of body) await writePiece(res, piece, patience);
  if (hasTrailers) res.addTrailers({ 'X-SVC-Truncated': String(query.isTruncated()), 'Server-Timing': answer.serverTiming() });
  res.end();
}

function encodingHeaders(encoding: ContentEncoding | null): Readonly<Record<string, string>> {
  return encoding === null ? {} : { 'Content-Encoding': encoding };
}

interface Start {
  readonly bytes: Buffer;
  readonly isComplete: boolean;
  /** The pending read of the next chunk. */
  readonly pending: Promise<IteratorResult<Uint8Array>> | null;
}

/** Reads the first bytes: all of a small result, or until the buffer is full or its time is up. */
async function readStart(iterator: AsyncIterator<Uint8Array>): Promise<Start> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let deadline: Promise<'late'> | null = null;
  let timer: NodeJS.Timeout | undefined;
  try {
    for (;;) {
      const pending = iterator.next();
      const next = deadline === null ? await pending : await Promise.race([pending, deadline]);
      if (next === 'late') return { bytes: Buffer.concat(pieces), isComplete: false, pending: markHandled(pending) };
      if (next.done === true) return { bytes: Buffer.concat(pieces), isComplete: true, pending: null };
      pieces.push(next.value);
      size += next.value.byteLength;
      if (size > BUFFER_BYTES) return { bytes: Buffer.concat(pieces), isComplete: false, pending: markHandled(iterator.next()) };
      deadline ??= new Promise((resolve) => {
        timer = setTimeout(() => resolve('late'), BUFFER_MILLIS);
      });
    }
  } finally {
    clearTimeout(timer);
  }
}

async function* resume({ bytes, pending }: Start, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (bytes.byteLength > 0) yield bytes;
  if (pending === null) return;
  for (let next = await pending; next.done !== true; next = await iterator.next()) yield next.value;
}
