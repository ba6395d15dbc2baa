import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { gzipSync, zstdCompressSync } from 'node:zlib';

import { isServiceError } from '@svc/errors';

import { openRequestStream } from './request-stream.ts';

let server: Server;
beforeAll(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

const BODY = Buffer.from('{"a":1}\n'.repeat(1000));

describe.each([
  ['as they are', '', BODY],
  ['by gzip', 'Content-Encoding: gzip\r\n', gzipSync(BODY)],
  ['by zstd', 'Content-Encoding: zstd\r\n', zstdCompressSync(BODY)],
])('of a client whose rows come %s, and that goes away amid them,', (_, encoding, bytes) => {
  test.each(['before they are read', 'while they are read'])('reading fails at once, where it leaves %s', async (moment) => {
    const asked = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1'); // a listening TCP server has this kind of address
    client.write(`POST / HTTP/1.1\r\nHost: a\r\n${encoding}Content-Length: ${bytes.length}\r\n\r\n`);
    client.write(bytes.subarray(0, 20));
    const [req, res] = await asked;
    const leave = async (): Promise<void> => {
      client.destroy();
      await once(res, 'close');
    };
    if (moment === 'before they are read') await leave();
    const failure = failureOf(openRequestStream(req, res, ['application/x-ndjson']).bytes);
    if (moment === 'while they are read') await leave();
    expect(await failure).not.toBe('request_timeout');
  });
});

/** The code, or the message, of the error in which the bytes end. */
async function failureOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  try {
    for await (const _ of bytes);
  } catch (error) {
    return isServiceError(error) ? error.code : String(error);
  }
  throw new Error('the bytes have ended as if that were all');
}
