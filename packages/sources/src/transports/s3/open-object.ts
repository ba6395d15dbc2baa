import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { EngineFailure } from '@svc/query-engine';
import type { Readable } from 'node:stream';

import type { BucketAccess } from './s3-clients.ts';
import { explainS3 } from './s3-failure.ts';

/** A part of an object: bytes from `start` up to, and without, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Which object is read, in which state. */
export interface ObjectRequest {
  readonly client: S3Client;
  readonly access: BucketAccess;
  readonly key: string;
  readonly etag: string;
  /** Of the whole object. */
  readonly size: number;
  /** All of it where there is none. */
  readonly range?: ByteRange | undefined;
}

const SILENCE_TIMEOUT_MS = 30_000;

/**
 * Yields the bytes of an object, or of a part of it, as it was when it was found. Fails with an EngineFailure where the object has changed
 * since, where its bytes end early or stop to come, and for every other cause with a message of its own.
 */
export async function* openObject(request: ObjectRequest, signal: AbortSignal): AsyncGenerator<Buffer> {
  const { start, end } = request.range ?? { start: 0, end: request.size };
  if (end <= start) return;
  const body = await startReading(request, { start, end }, signal);
  let received = 0;
  try {
    for await (const piece of withSilenceLimit(body)) {
      received += piece.length;
      yield piece;
    }
  } catch (thrown) {
    if (signal.aborted) throw new EngineFailure('interrupted', 'the query was cancelled', { cause: signal.reason });
    if (thrown instanceof EngineFailure) throw thrown;
    throw brokenOff(received, end - start, thrown);
  } finally {
    body.destroy();
  }
  if (received !== end - start) throw brokenOff(received, end - start);
}

async function startReading(request: ObjectRequest, { start, end }: ByteRange, signal: AbortSignal): Promise<Readable> {
  const { client, access, key, etag, size } = request;
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
    if (body === undefined) throw new EngineFailure('unreadable', 'the object store sent no content');
    if (answer.ContentLength !== undefined && answer.ContentLength !== end - start) {
      body.destroy();
      throw new EngineFailure('unreadable', `the object store sent ${answer.ContentLength} bytes where ${end - start} were asked for`);
    }
    return body;
  } catch (thrown) {
    if (signal.aborted) throw new EngineFailure('interrupted', 'the query was cancelled', { cause: signal.reason });
    throw explainS3(thrown, access);
  }
}

function brokenOff(received: number, expected: number, cause?: unknown): EngineFailure {
  return new EngineFailure('unreadable', `the connection to the object store broke after ${received} of ${expected} bytes`, { cause });
}

/** A body that says nothing for too long is given up. */
async function* withSilenceLimit(body: Readable): AsyncGenerator<Buffer> {
  let timer: NodeJS.Timeout | undefined;
  const giveUp = (): void => {
    body.destroy(new EngineFailure('unreadable', `the object store sent nothing for ${SILENCE_TIMEOUT_MS / 1000} s`));
  };
  const iterator = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>; // no encoding is set
  try {
    for (;;) {
      // Only the store's silence counts, not the time that the reader takes.
      timer = setTimeout(giveUp, SILENCE_TIMEOUT_MS);
      const next = await iterator.next();
      clearTimeout(timer);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    clearTimeout(timer);
  }
}
