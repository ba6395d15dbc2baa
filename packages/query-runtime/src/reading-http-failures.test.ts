import { readdir } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

import { createNetworkGuard } from '@svc/network-guard';
import { eventually, type HttpServer, openHttpServer, sendFile } from '@svc/test-kit';

import { READER } from './testing/test-runtime.ts';
import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

const guard = createNetworkGuard({ allow: ['127.0.0.0/8'] });
const MEGABYTE = 2 ** 20;
const LIMITS = { retryWaitMs: 1, headersTimeoutMs: 300, idleTimeoutMs: 300, connectTimeoutMs: 300 };
let server: HttpServer;
let at: ReadingRuntime;
beforeEach(async () => {
  server = await openHttpServer();
  at = await openReadingRuntime({ spoolMegabytes: 8, reach: { networkGuard: guard, httpLimits: LIMITS } });
});
afterEach(async () => {
  await at.close();
  await server.close();
});

/** Returns the error without its position. */
const failure = async (read: string): Promise<string> => (await at.run(read)).map((line) => line.split(' at READ')[0]).join('\n');

const openFiles = async (): Promise<number> => (await readdir('/proc/self/fd')).length;

/** Rows that exceed a sample. */
const rows = (megabytes: number): Buffer => Buffer.concat([Buffer.from('n\n'), Buffer.alloc(megabytes * MEGABYTE, '1\n')]);

describe('an answer that breaks off', () => {
  /** A server that sends the given bytes and closes. */
  let raw: Server;
  let origin: string;
  let said: Buffer;
  let [sockets, asked] = [new Set<Socket>(), 0];
  beforeEach(async () => {
    [sockets, asked] = [new Set(), 0];
    raw = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
      socket.once('data', () => {
        asked += 1;
        socket.end(said);
      });
    });
    raw.listen(0, '127.0.0.1');
    await once(raw, 'listening');
    origin = `http://127.0.0.1:${(raw.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    raw.close();
    await once(raw, 'close');
  });

  const body = `[${Array.from({ length: 512 }, (_, i) => String(1 + (i % 9)).repeat(7)).join(',')}]`;
  const answer = (head: string, content: string | Buffer): Buffer =>
    Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`), Buffer.from(content)]);
  const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

  test.each([
    ['of a known length', answer(`content-length: ${body.length}`, body)],
    ['in chunks', answer('transfer-encoding: chunked', chunked)],
    ['compressed', answer(`content-encoding: gzip\r\ncontent-length: ${gzipSync(body).length}`, gzipSync(body))],
  ])(
    '%s is never taken for a whole one, wherever it breaks',
    async (_, whole) => {
      said = whole;
      expect(await at.run(`SELECT COUNT(*) FROM READ_JSON("${origin}/whole")`)).toEqual(['512']);
      const before = await openFiles();
      const until = Math.min(whole.length, 4096);
      // Every byte of the head, and a sample of the rest.
      const places = Array.from({ length: until }, (_empty, i) => i).filter((i) => i < 60 || i > whole.length - 12 || i % 97 === 0);
      for (const place of places) {
        said = whole.subarray(0, place);
        expect([place, await failure(`READ_JSON("${origin}/part")`)]).toEqual([
          place,
          expect.stringMatching(
            /^! http:\/\/127\.0\.0\.1:\d+\/part: (the connection broke|fewer or more bytes|the compressed answer ended|the answer is not HTTP)/,
          ),
        ]);
      }
      expect(asked).toBeGreaterThanOrEqual(places.length);
      await eventually(async () => expect(await openFiles()).toBeLessThanOrEqual(before + 3));
    },
    120_000,
  );

  test('that is longer than was said is cut there by HTTP, and is no JSON', async () => {
    said = answer('content-length: 100', body);
    expect(await failure(`READ_JSON("${origin}/long")`)).toMatch(/malformed JSON/);
  });

  test('that is not HTTP at all is told', async () => {
    said = Buffer.from('SSH-2.0-OpenSSH_9.2\r\n');
    expect(await failure(`READ_JSON("${origin}/ssh")`)).toBe(`! ${origin}/ssh: the answer is not HTTP`);
  });
});

describe('a large file', () => {
  const content = rows(3);
  const query = (): string => `SELECT COUNT(*) FROM READ("${server.origin}/large.csv")`;

  test('that breaks while it is read is a run-time error, at its place, and leaves nothing', async () => {
    let isWhole = true;
    server.answer((request, response) => {
      if (isWhole || request.headers.range !== undefined) sendFile(request, response, content);
      else {
        response.writeHead(200, { etag: '"1"', 'accept-ranges': 'bytes', 'content-length': content.length });
        response.write(content.subarray(0, 2 * MEGABYTE), () => response.destroy());
      }
    });
    expect(await at.typeOf(`READ("${server.origin}/large.csv")`)).toBe('collection(record(n: long nullable))');
    isWhole = false;
    const read = `READ("${server.origin}/large.csv")`;
    expect(await at.run(query())).toEqual([`! ${server.origin}/large.csv: the connection broke at ${read}`]);
    isWhole = true;
    expect(await at.run(query())).toEqual([String((3 * MEGABYTE) / 2)]);
  });

  test('that changes between inference and reading is told, and read as it is the next time', async () => {
    let asked = 0;
    const changed = Buffer.concat([Buffer.from('n\n'), Buffer.alloc(3 * MEGABYTE, '2\n')]);
    // The file changes between inference and reading.
    server.answer((request, response) => {
      asked += 1;
      sendFile(request, response, asked <= 2 ? content : changed, asked <= 2 ? '"1"' : '"2"');
    });
    expect(await failure(query())).toBe(`! ${server.origin}/large.csv: it has changed since the query looked at it`);
    expect(await at.run(`SELECT MAX(n) FROM READ("${server.origin}/large.csv")`)).toEqual(['2']);
  });

  test.each([true, false])('that is larger than the spool is refused before it is fetched (in parts: %s)', async (hasParts) => {
    server.answer((request, response) => {
      if (hasParts) sendFile(request, response, rows(64));
      else
        Readable.from(Array.from({ length: 64 }, () => rows(1))).pipe(response.writeHead(200, { 'content-length': 64 * (MEGABYTE + 2) }));
    });
    expect(await failure(query())).toMatch(/^! the query needs more spool space than is left of the 8 MB that queries may use/);
    expect(server.bytesSent()).toBeLessThan(32 * MEGABYTE); // a sample, and what a connection holds
  });

  test('is given up when its query is cancelled, and the connection closed', async () => {
    server.answer((_, response) => {
      response.writeHead(200, { 'content-length': 6 * MEGABYTE });
      response.write(rows(1));
    });
    const leaving = new AbortController();
    const asking = at.run(query(), {}, { caller: READER, signal: leaving.signal });
    await eventually(() => expect(server.requests).toHaveLength(1));
    leaving.abort();
    await expect(asking).rejects.toMatchObject({ failureClass: 'interrupted' });
    await eventually(() => expect(server.openConnections()).toBe(0));
  });
});

test.each([
  ['that never begins', () => undefined, 'no answer came in time'],
  ['that stops to come', (response: ServerResponse) => void response.writeHead(200).write('[1,'), 'the answer stopped to come'],
])('an answer %s is given up', async (_, stall, message) => {
  server.answer((_request, response) => stall(response));
  expect(await failure(`READ_JSON("${server.origin}/slow")`)).toBe(`! ${server.origin}/slow: ${message}`);
  await eventually(() => expect(server.openConnections()).toBe(0));
});

test.each([
  [404, 'path not found: ORIGIN/x'],
  [410, 'path not found: ORIGIN/x'],
  [401, 'authentication failed: ORIGIN/x: did you register credentials for ORIGIN?'],
  [403, 'authentication failed: ORIGIN/x: did you register credentials for ORIGIN?'],
  [500, 'ORIGIN/x: the server answered with status 500 Internal Server Error'],
  [503, 'ORIGIN/x: the server answered with status 503 Service Unavailable'],
  [418, "ORIGIN/x: the server answered with status 418 I'm a Teapot"],
  [206, 'ORIGIN/x: the server answered with status 206 Partial Content'],
  [304, 'ORIGIN/x: it redirects too often, or to nowhere (status 304)'],
])('status %s is told', async (status, message) => {
  server.answer((_, response) => response.writeHead(status).end());
  expect(await failure(`READ_JSON("${server.origin}/x")`)).toBe(`! ${message.replaceAll('ORIGIN', server.origin)}`);
});

test('a host that is not known, and a port where nobody listens, are told', async () => {
  expect(await failure('READ_JSON("http://nowhere.invalid/x")')).toMatch(
    /^! http:\/\/nowhere\.invalid\/x: the host (is not known|could not be looked up)$/,
  );
  await server.close();
  const { origin } = server;
  server = await openHttpServer();
  expect(await failure(`READ_JSON("${origin}/x")`)).toBe(`! ${origin}/x: the connection was refused`);
});

test('TRY_READ of what cannot be had is NULL, and is not once it can', async () => {
  expect(await at.run(`TRY_READ_JSON("${server.origin}/x" AS collection(int))`)).toEqual(['null']);
  server.answer((_, response) => response.end('[1]'));
  expect(await at.run(`TRY_READ_JSON("${server.origin}/x" AS collection(int))`)).toEqual(['[1]']);
});

test.each(['READ_JSON', 'READ_CSV', 'READ_PARQUET', 'READ_AVRO', 'READ_EXCEL', 'READ'])(
  'a page where %s expects data is told as such',
  async (read) => {
    server.answer((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('\n<!DOCTYPE html><html><p>Sign in</p></html>'),
    );
    expect(await failure(`${read}("${server.origin}/data.json")`)).toBe(
      `! ${server.origin}/data.json: the answer is an HTML page and no data: is this the right address, and are you signed in there?`,
    );
    expect(await at.run(`LEN(READ_TEXT("${server.origin}/data.json"))`)).toEqual(['43']);
  },
);

test('an encoding that nobody knows is told', async () => {
  server.answer((_, response) => response.writeHead(200, { 'content-encoding': 'rot13' }).end('x'));
  expect(await failure(`READ_TEXT("${server.origin}/x")`)).toBe(
    `! ${server.origin}/x: the answer is encoded as rot13, which is not known here`,
  );
  server.answer((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'));
  expect(await failure(`READ_TEXT("${server.origin}/x")`)).toBe(`! ${server.origin}/x: the answer cannot be decompressed`);
});
