import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A query that is sent again and again. */
export interface Ask {
  readonly url: string;
  readonly token: string;
  readonly query: string;
  readonly format: string;
}

/** Size and duration of a response. */
export interface Received {
  readonly bytes: number;
  readonly seconds: number;
  readonly firstByteMillis: number;
}

/** Into which all answers are read, one after the other. */
const RECEIVE_BUFFER = Buffer.allocUnsafeSlow(256 * 1024);
const END_OF_HEADERS = '\r\n\r\n';
/** The last chunk of a body that is complete; trailers follow. */
const LAST_CHUNK = '\r\n0\r\n';
const LONGEST_TRAILERS = 1000;

/**
 * Reads a whole response, or only its start, and discards it. Client and server share a machine, so it does as little as
 * possible: it parses no chunks, and `bytes` includes their sizes.
 */
export async function receive(ask: Ask, { isLeftEarly = false } = {}): Promise<Received> {
  const began = performance.now();
  let bytes = 0;
  let firstByteMillis = 0;
  let headers: string | null = null;
  let tail = Buffer.alloc(0);
  const { hostname, port } = new URL(ask.url);
  const onData = (size: number, buffer: Uint8Array): boolean => {
    const received = Buffer.from(buffer.buffer, buffer.byteOffset, size);
    const headerEnd = headers === null ? received.indexOf(END_OF_HEADERS) : 0;
    headers ??= received.toString('latin1', 0, headerEnd);
    const body = bytes === 0 && headerEnd > 0 ? received.subarray(headerEnd + END_OF_HEADERS.length) : received;
    if (bytes === 0 && body.byteLength > 0) firstByteMillis = performance.now() - began;
    bytes += body.byteLength;
    tail = Buffer.concat([tail, body.subarray(-LONGEST_TRAILERS)]).subarray(-LONGEST_TRAILERS);
    if (isLeftEarly && bytes > 0) socket.destroy();
    return true;
  };
  const socket = connect({ host: hostname, port: Number(port), onread: { buffer: RECEIVE_BUFFER, callback: onData } });
  socket.write(requestText(ask));
  await once(socket, 'close');
  const [status = 'no answer'] = (headers ?? '').split('\r\n');
  if (!status.startsWith('HTTP/1.1 200')) throw new Error(`${ask.format}: ${status}`);
  if (!isLeftEarly && !isComplete(headers ?? '', bytes, tail)) throw new Error(`${ask.format}: the answer broke off`);
  return { bytes, seconds: (performance.now() - began) / 1000, firstByteMillis };
}

function isComplete(headers: string, bytes: number, tail: Buffer): boolean {
  const length = /^content-length: (\d+)/im.exec(headers)?.[1];
  return length === undefined ? tail.includes(LAST_CHUNK) : bytes === Number(length);
}

function requestText({ url, token, query, format }: Ask): string {
  const { pathname, host } = new URL(url);
  const headers = [
    `Host: ${host}`,
    'Connection: close',
    `Authorization: Bearer ${token}`,
    'Content-Type: text/plain',
    `X-SVC-output-format: ${format}`,
    `Content-Length: ${Buffer.byteLength(query)}`,
  ];
  return `POST ${pathname} HTTP/1.1\r\n${headers.join('\r\n')}${END_OF_HEADERS}${query}`;
}

/** Reads at a limited rate for the given number of seconds, then disconnects. Returns whether the response lasted until then. */
export async function readSlowly(ask: Ask, at: { readonly bytesPerSecond: number; readonly seconds: number }): Promise<boolean> {
  const res = await send(ask);
  for (let second = 0; second < at.seconds; second += 1) {
    await sleep(1000);
    res.read(at.bytesPerSecond);
  }
  const goesOn = !res.complete && !res.destroyed;
  res.destroy();
  return goesOn;
}

async function send({ url, token, query, format }: Ask): Promise<IncomingMessage> {
  const req = request(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain', 'x-svc-output-format': format },
  });
  req.end(query);
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  if (res.statusCode !== 200) throw new Error(`${format}: status ${res.statusCode}`);
  return res;
}
