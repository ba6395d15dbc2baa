import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { createNetworkGuard } from '@svc/network-guard';

import { NO_CREDENTIALS } from '../../credentials/credential-lookup.ts';
import { QueryReading } from '../../reading/query-reading.ts';
import { asFiles } from '../../reading/take-samples.ts';
import { Spool } from '../../spool/spool.ts';
import { SpoolLedger } from '../../spool/spool-ledger.ts';
import { SourceFailure } from '../source-failure.ts';
import { createHttpClient, HTTP_LIMITS, type HttpClient } from './http-client.ts';
import { HttpTransport } from './http-transport.ts';

const { signal } = new AbortController();
let server: Server;
let origin: string;
/** Bytes that the server sends before it closes the connection. */
let said: Buffer;
let directory: string;
let ledger: SpoolLedger;
let spool: Spool;
let client: HttpClient;
let transport: HttpTransport;
beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    // The path is the number of bytes.
    socket.once('data', (asked: Buffer) => socket.end(said.subarray(0, Number(/\/(\d+)\.json/.exec(asked.toString('latin1'))?.[1]))));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  directory = await mkdtemp(join(tmpdir(), 'svc-http-'));
  ledger = new SpoolLedger({ megabytes: 4 });
  spool = new Spool({ directory, ledger });
  const guard = createNetworkGuard({ allow: ['127.0.0.1'] });
  client = createHttpClient(guard, { ...HTTP_LIMITS, retryWaitMs: 0 });
  transport = new HttpTransport({ guard, client, spool, credentials: NO_CREDENTIALS });
});
afterAll(async () => {
  await Promise.all([transport.close(), client.close()]);
  server.close();
  await once(server, 'close');
  await rm(directory, { recursive: true, force: true });
});

/** Returns what a query would read of a response that ends after a number of bytes. */
async function content(bytes: number): Promise<string> {
  const url = new URL(`${origin}/${bytes}.json`);
  const reading = new QueryReading('reader');
  try {
    const found = await transport.find({ kind: 'http', url }, { reading, options: {}, signal });
    const [file] = await asFiles(found, spool);
    return await readFile(file?.path ?? '', 'utf8');
  } finally {
    reading.close();
  }
}

const body = `[${Array.from({ length: 600 }, (_, i) => String(1 + (i % 9)).repeat(7)).join(',')}]`;
const answer = (head: string, bytes: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`), Buffer.from(bytes as string)]);
const packed = gzipSync(body, { level: 0 });

const AT_ONCE = 16;

// Every byte for the first case, a sample for the others, which are slower.
test.each([
  ['of a known length', 1, answer(`content-length: ${body.length}`, body)],
  ['in chunks', 7, answer('transfer-encoding: chunked', `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)],
  ['compressed, of no known length', 7, answer('content-encoding: gzip\r\nconnection: close', packed)],
])(
  'an answer %s that ends too early is a failure, wherever it ends, and leaves nothing',
  async (_, step, whole) => {
    said = whole;
    expect(await content(whole.length)).toBe(body);
    const before = [(await readdir(join(directory, 'copies'))).length, ledger.taken];
    const ends = Array.from({ length: Math.ceil(whole.length / step) }, (_empty, i) => i * step);
    const wrong: unknown[] = [];
    while (ends.length > 0) {
      await Promise.all(
        ends.splice(0, AT_ONCE).map(async (end) => {
          const failure = await content(end).then(
            (text) => `${text.length} characters`,
            (thrown: unknown) => (thrown instanceof SourceFailure ? thrown.message.replace(`${origin}/${end}.json`, '') : String(thrown)),
          );
          if (!FAILURE.test(failure)) wrong.push([end, failure]);
        }),
      );
    }
    expect(whole.length).toBeGreaterThan(4096);
    expect(wrong).toEqual([]);
    expect([(await readdir(join(directory, 'copies'))).length, ledger.taken]).toEqual(before);
  },
  120_000,
);

const FAILURE = /^: (the connection broke|the compressed answer ended too early|the answer is not HTTP)$/;
