import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { types } from 'node:util';
import { createGunzip } from 'node:zlib';

import { ServiceError } from '@svc/errors';
import { createZstdDecoder } from '@svc/zstd';

import type { RequestStream } from '../routes/route.ts';
import { utf8MediaType } from './media-type.ts';

/** A client that sends nothing for this long is disconnected, so that it does not hold an open upload. */
const STALLED_CLIENT_MILLIS = 60_000;

const DECODERS: ReadonlyMap<string, () => Duplex> = new Map<string, () => Duplex>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['zstd', createZstdDecoder],
]);

/**
 * Opens the body of a request as a stream. Rejects (415) other media types, charsets other than UTF-8 and compressions other
 * than gzip and zstd, by the headers alone; corrupt compressed bytes are a `bad_request` when they are reached.
 */
export function openRequestStream(req: IncomingMessage, res: ServerResponse, mediaTypes: readonly [string, ...string[]]): RequestStream {
  const mediaType = mediaTypeOf(req.headers['content-type'], mediaTypes);
  const encoding = req.headers['content-encoding']?.trim().toLowerCase() ?? '';
  const decoder = DECODERS.get(encoding);
  if (encoding !== '' && encoding !== 'identity' && decoder === undefined)
    throw new ServiceError('unsupported_media_type', `The Content-Encoding must be gzip or zstd, found ${JSON.stringify(encoding)}.`);
  return { mediaType, bytes: read(req, res, decoder) };
}

function mediaTypeOf(header: string | undefined, mediaTypes: readonly [string, ...string[]]): string {
  if (header === undefined) return mediaTypes[0];
  const type = utf8MediaType(header);
  if (type === undefined || !mediaTypes.includes(type))
    throw new ServiceError(
      'unsupported_media_type',
      `The Content-Type must be ${mediaTypes.join(' or ')} with charset=utf-8, found ${JSON.stringify(header)}.`,
    );
  return type;
}

async function* read(req: IncomingMessage, res: ServerResponse, decoder: (() => Duplex) | undefined): AsyncGenerator<Uint8Array> {
  // The server leaves this to the application (see startService), so that a client that waits for "100 Continue" never sends
  // a rejected body.
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  if (decoder === undefined) yield* unlessStalled(req);
  else yield* decoded(req, decoder());
}

async function* decoded(req: IncomingMessage, decoder: Duplex): AsyncGenerator<Uint8Array> {
  const fail = (): void => void decoder.destroy(new Error('The client went away before the end of its request.'));
  // The iterator reports errors to its reader; an error without a reader must not be an exception.
  decoder.on('error', () => undefined);
  req.once('error', fail).once('aborted', fail);
  // A client that disconnected earlier emits no further event.
  if (req.destroyed) fail();
  req.pipe(decoder);
  try {
    yield* unlessStalled(decoder);
  } catch (cause) {
    // Only errors of the decoder have such a code; a disconnected client reads no response.
    const code = types.isNativeError(cause) && 'code' in cause ? String(cause.code) : '';
    if (/^Z_|^ZSTD_/.test(code)) throw new ServiceError('bad_request', 'The compressed body is broken.', { cause });
    throw cause;
  } finally {
    req.off('error', fail).off('aborted', fail);
    req.unpipe(decoder);
    decoder.destroy();
    req.resume();
  }
}

/** Yields the chunks of a stream. Leaving early does not destroy it: the rest is discarded until Node has sent the response. */
async function* unlessStalled(stream: IncomingMessage | Duplex): AsyncGenerator<Uint8Array> {
  const iterator = stream.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      // Bytes, since no encoding was set.
      const next = await unlessSilent(iterator.next() as Promise<IteratorResult<Uint8Array>>);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not awaited: after a stall it would wait for the missing chunk.
    iterator.return?.().catch(() => {});
    stream.resume();
  }
}

/** Returns the next chunk. The timeout promise is created per chunk: a single one would retain every chunk until the end. */
async function unlessSilent<Piece>(piece: Promise<Piece>): Promise<Piece> {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => silence.reject(new ServiceError('request_timeout', `Nothing of the body came for ${STALLED_CLIENT_MILLIS / 1000} seconds.`)),
    STALLED_CLIENT_MILLIS,
  );
  try {
    return await Promise.race([piece, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}
