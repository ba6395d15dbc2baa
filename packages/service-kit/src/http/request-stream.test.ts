import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { gzipSync, zstdCompressSync } from 'node:zlib';

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
    const reading = expect(readAll(openRequestStream(req, res, ['application/x-ndjson']).bytes)).rejects.not.toMatchObject({
      code: 'request_timeout',
    });
    if (moment === 'while they are read') await leave();
    await reading;
  });
});

async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes);
}
