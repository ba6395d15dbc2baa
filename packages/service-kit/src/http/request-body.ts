import type { IncomingMessage, ServerResponse } from 'node:http';

import { ServiceError } from '@svc/errors';

import { utf8MediaType } from './media-type.ts';

/** Kind of body that a route accepts. */
export type BodyKind = 'text' | 'json';

const MEDIA_TYPES = { text: 'text/plain', json: 'application/json' } as const satisfies Record<BodyKind, string>;

/**
 * Rejects (415) a body that is not plain UTF-8 text or JSON, or that is compressed. A missing Content-Type defaults to the
 * type that the route expects. Reads headers only.
 */
export function checkBodyType(req: IncomingMessage, kind: BodyKind): void {
  const encoding = req.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') {
    throw new ServiceError('unsupported_media_type', 'The request body must not be compressed: send it without Content-Encoding.');
  }
  const header = req.headers['content-type'];
  // The usual ones need no parsing.
  if (header === undefined || header === MEDIA_TYPES[kind] || utf8MediaType(header) === MEDIA_TYPES[kind]) return;
  const expected = `${MEDIA_TYPES[kind]}; charset=utf-8`;
  throw new ServiceError('unsupported_media_type', `The Content-Type must be ${expected}, found ${JSON.stringify(header)}.`);
}

/**
 * Reads a whole body of at most `limitBytes`; a longer one is `payload_too_large`, immediately if Content-Length exceeds the
 * limit. Node discards the rest of such a body after the response, so that a client reads the response and not a reset.
 */
export async function readBody(req: IncomingMessage, res: ServerResponse, limitBytes: number): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  // The server leaves this to the application (see startService), so that a client that waits for "100 Continue" never sends
  // a rejected body.
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  return collect(req, limitBytes);
}

/** Uses events instead of async iteration, which costs several times as much and would destroy a request that it leaves early. */
async function collect(req: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let length = 0;
  const take = (chunk: Buffer): void => {
    length += chunk.length;
    if (length <= limitBytes) chunks.push(chunk);
    else reject(tooLarge(limitBytes));
  };
  const stop = (): void => void req.off('data', take).off('end', finish).off('close', fail);
  const finish = (): void => {
    // Immediately: `close` is emitted before the awaiting code runs.
    stop();
    resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length));
  };
  const fail = (): void => reject(new Error('The client went away before the end of its request.'));
  req.on('data', take).once('end', finish).once('close', fail);
  if (req.destroyed) fail();
  try {
    return await promise;
  } finally {
    // Data after a rejection is discarded until Node has sent the response.
    stop();
  }
}

function tooLarge(limitBytes: number): ServiceError {
  return new ServiceError('payload_too_large', `${limitBytes} bytes`);
}

/** The text of a body; a byte order mark is dropped, bytes that are not UTF-8 are a `bad_request`. */
export function decodeText(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (cause) {
    throw new ServiceError('bad_request', 'The body is not UTF-8 text.', { cause });
  }
}

/**
 * Parses a JSON body; malformed JSON is a `bad_request` that names the position and never quotes the body. With
 * `keepsDigits`, numbers that a double would change are kept as raw JSON.
 */
export function parseJson(body: Buffer, { keepsDigits = false } = {}): unknown {
  const text = decodeText(body);
  if (text.trim() === '') throw new ServiceError('bad_request', 'The body is empty: expected JSON.');
  try {
    return keepsDigits ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch (cause) {
    const place = /\(line \d+ column \d+\)/.exec(String(cause))?.[0];
    throw new ServiceError('bad_request', `The body is not JSON${place === undefined ? '' : `: syntax error ${place}`}.`, { cause });
  }
}

/** Part of the JSON source text proposal that Node implements and TypeScript's library does not declare yet. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

function keepDigits(this: unknown, _key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return String(value) === context.source ? value : rawJSON(context.source);
}
