import type { Readable } from 'node:stream';

import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { interrupted } from '@svc/text-formats';

import { isContentRange } from '../content-range.ts';
import { SourceFailure } from '../source-failure.ts';
import type { ByteRange } from '../transport.ts';
import type { BucketAccess } from './s3-clients.ts';
import { explainS3 } from './s3-failure.ts';

/** The object to read, and its state. */
export interface ObjectRequest {
  readonly client: S3Client;
  readonly access: BucketAccess;
  readonly key: string;
  /** Location as the user wrote it. */
  readonly location: string;
  readonly etag: string;
  /** Size of the whole object. */
  readonly size: number;
  /** Null for the whole object. */
  readonly range: ByteRange | null;
  /** Between two pieces. */
  readonly silenceTimeoutMs: number;
}

/**
 * Yields the bytes of an object, or of a range of it, in the state in which it was found. Fails with a SourceFailure if the
 * object has changed since, if its bytes end early or stall, and for other causes with a message each.
 */
export async function* openObject(request: ObjectRequest, signal: AbortSignal): AsyncGenerator<Buffer> {
  const { start, end } = clipped(request);
  if (end <= start) return;
  const body = await startReading(request, { start, end }, signal);
  let received = 0;
  try {
    for await (const piece of withSilenceLimit(body, request.silenceTimeoutMs)) {
      received += piece.length;
      yield piece;
    }
  } catch (thrown) {
    if (signal.aborted) throw interrupted(signal.reason);
    if (thrown instanceof Silence) throw new SourceFailure('timed-out', `${request.location}: ${thrown.message}`);
    throw brokenOff(request, { received, expected: end - start }, thrown);
  } finally {
    body.destroy();
  }
  if (received !== end - start) throw brokenOff(request, { received, expected: end - start });
}

/** Clips a range that extends beyond the end. */
function clipped({ range, size }: ObjectRequest): ByteRange {
  return range === null ? { start: 0, end: size } : { start: range.start, end: Math.min(range.end, size) };
}

async function startReading(request: ObjectRequest, { start, end }: ByteRange, signal: AbortSignal): Promise<Readable> {
  const { client, access, key, etag, size, location } = request;
  const isWhole = start === 0 && end === size;
  try {
    const command = new GetObjectCommand({
      Bucket: access.bucket,
      Key: key,
      IfMatch: etag,
      ...(isWhole ? {} : { Range: `bytes=${start}-${end - 1}` }),
    });
    const answer = await client.send(command, { abortSignal: signal });
    const body = answer.Body as Readable | undefined; // of the handler for Node
    if (body === undefined) throw new SourceFailure('broken', `${location}: the object store sent no content`);
    if (answer.ContentLength !== undefined && answer.ContentLength !== end - start) {
      body.destroy();
      throw new SourceFailure(
        'broken',
        `${location}: the object store sent ${answer.ContentLength} bytes where ${end - start} were asked for`,
      );
    }
    const isOther = answer.ContentRange !== undefined && !isContentRange(answer.ContentRange, { start, end });
    if (isOther || (answer.ETag !== undefined && answer.ETag !== etag)) {
      body.destroy();
      if (isOther) throw new SourceFailure('broken', `${location}: the object store sent other bytes of the object than were asked for`);
      throw new SourceFailure('changed', `${location}: the object has changed since the query looked at it`);
    }
    return body;
  } catch (thrown) {
    if (signal.aborted) throw interrupted(signal.reason);
    throw explainS3(thrown, access, location);
  }
}

function brokenOff(
  { location }: ObjectRequest,
  { received, expected }: { readonly received: number; readonly expected: number },
  cause?: unknown,
): SourceFailure {
  return new SourceFailure('broken', `${location}: the connection to the object store broke after ${received} of ${expected} bytes`, {
    cause,
  });
}

/** The other side sent nothing for too long. */
class Silence extends Error {
  constructor(timeoutMs: number) {
    super(`the object store sent nothing for ${timeoutMs / 1000} s`);
    this.name = 'Silence';
  }
}

/** Yields the chunks of a body, with a limit on inactivity. */
async function* withSilenceLimit(body: Readable, timeoutMs: number): AsyncGenerator<Buffer> {
  let timer: NodeJS.Timeout | undefined;
  const giveUp = (): void => {
    body.destroy(new Silence(timeoutMs));
  };
  const iterator = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>; // no encoding is set
  try {
    for (;;) {
      // Only the store's inactivity counts, not the reader's.
      timer = setTimeout(giveUp, timeoutMs);
      const next = await iterator.next();
      clearTimeout(timer);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    clearTimeout(timer);
  }
}
