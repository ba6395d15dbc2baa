import { randomInt } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createNetworkGuard, type NetworkGuard } from '@svc/network-guard';
import { eventually, openFileHost, openHttpServer, openTcpProxy, type FileHost, type HttpServer, type TcpProxy } from '@svc/test-kit';

import { NO_CREDENTIALS, type CredentialLookup } from '../../credentials/credential-lookup.ts';
import { QueryReading } from '../../reading/query-reading.ts';
import { asFiles } from '../../reading/take-samples.ts';
import { SpoolLedger } from '../../spool/spool-ledger.ts';
import { Spool } from '../../spool/spool.ts';
import { createHttpClient, HTTP_LIMITS, type HttpClient } from '../http/http-client.ts';
import { SourceFailure } from '../source-failure.ts';
import type { ByteRange, FoundObject, ObjectTransport } from '../transport.ts';
import type { FileHostLocation } from '../../locations/location.ts';
import { createFileHostTransport } from './file-host-transport.ts';

const [STEP, TIME_MS] = process.env['SVC_EVERY_BYTE'] === '1' ? [1, 600_000] : [13, 60_000];
const SILENCE_MS = 200;
const TOKEN = 'sl.c4n4ry';
const CONTENT = Array.from({ length: 600 }, (_, i) => `${1000 + i},x`).join('\n');
const PATH = '/rows.csv';
const { signal } = new AbortController();

let directory: string;
let ledger: SpoolLedger;
let spool: Spool;
let host: FileHost;
let proxy: TcpProxy;
let guard: NetworkGuard;
let patient: HttpClient;
const clients: HttpClient[] = [];
let identity = '1';
const credentials: CredentialLookup = { ...NO_CREDENTIALS, fileHostToken: async () => ({ accessToken: TOKEN, identity }) };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-file-host-'));
  ledger = new SpoolLedger({ megabytes: 8 });
  spool = new Spool({ directory, ledger });
  host = await openFileHost();
  host.token(TOKEN);
  const { hostname, port } = new URL(host.origin);
  proxy = await openTcpProxy({ host: hostname, port: Number(port) });
  guard = createNetworkGuard({ allow: ['127.0.0.1'] });
  patient = clientOf(HTTP_LIMITS.idleTimeoutMs);
});

beforeEach(() => host.put(PATH, CONTENT));

afterEach(() => {
  proxy.setFault(null);
  identity = '1';
});

afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await Promise.all([proxy.close(), host.close()]);
  guard.close();
  await rm(directory, { recursive: true, force: true });
});

function clientOf(silenceMs: number): HttpClient {
  const client = createHttpClient(guard, { ...HTTP_LIMITS, retryWaitMs: 0, headersTimeoutMs: silenceMs, idleTimeoutMs: silenceMs });
  clients.push(client);
  return client;
}

function transportTo(origin: string, client = patient): ObjectTransport<FileHostLocation> {
  return createFileHostTransport({ client, credentials, base: new URL(origin) });
}

const throughProxy = (client = patient): ObjectTransport<FileHostLocation> => transportTo(`http://127.0.0.1:${proxy.port}`, client);

async function find(transport: ObjectTransport<FileHostLocation>): Promise<FoundObject> {
  const reading = new QueryReading('ann');
  try {
    const [found] = await transport.find({ kind: 'filehost', path: PATH }, { reading, options: {}, signal });
    if (found === undefined) throw new Error('it is not found');
    return found;
  } finally {
    reading.close();
  }
}

let reads = 0;

/** Returns what a query would read of the file, or the error. */
async function read(object: FoundObject): Promise<string> {
  // A name per read, so that no read uses another's copy.
  const [file] = await asFiles([{ ...object, identity: `${object.identity} ${(reads += 1)}` }], spool);
  if (file?.copy === undefined) throw new Error('a file elsewhere is copied');
  const { copy, path } = file;
  return told(async () => {
    const release = await spool.hold(copy, signal);
    try {
      return await readFile(path, 'utf8');
    } finally {
      release();
    }
  });
}

async function readRange({ bytes }: FoundObject, range: ByteRange): Promise<string> {
  if (bytes.kind !== 'remote') throw new Error('the file lies elsewhere');
  return told(async () => {
    const pieces: Uint8Array[] = [];
    for await (const piece of bytes.open(range, signal)) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  });
}

async function told(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (thrown) {
    return thrown instanceof SourceFailure ? `! ${thrown.message}` : `!! ${String(thrown)}`;
  }
}

const openFiles = async (): Promise<number> => (await readdir('/proc/self/fd')).length;
const copies = async (): Promise<number> => (await readdir(join(directory, 'copies'))).length;

const BROKEN = /^! filehost:\/rows\.csv: (the connection broke|fewer or more bytes came than were announced|the answer is not HTTP)$/;

/** Reads with the connection cut after each number of bytes; returns the reads that succeeded, or failed with another error. */
async function readsCut(bytes: number, each: (i: number) => boolean, work: () => Promise<string>): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (let i = 0; i < bytes; i += 1) {
    if (!each(i)) continue;
    proxy.setFault({ kind: 'die', afterBytes: i });
    const answer = await work();
    if (!BROKEN.test(answer)) wrong.push(`${i}: ${answer.slice(0, 200)}`);
  }
  return wrong;
}

test(
  'a download that breaks off is never taken for a whole one, wherever it breaks, and leaves nothing',
  async () => {
    const object = await find(throughProxy());
    const asked = proxy.bytes();
    expect(await read(object)).toBe(CONTENT);
    const length = proxy.bytes() - asked;
    proxy.cut();
    const before = [await copies(), ledger.taken, await openFiles()] as const;
    const first = randomInt(STEP);
    // Every byte of the head, and of the beginning and end of the content.
    const head = length - CONTENT.length + 32;
    const wrong = await readsCut(
      length,
      (i) => i < head || i >= length - 16 || i % STEP === first,
      () => read(object),
    );
    expect(length).toBeGreaterThan(4096);
    expect(wrong).toEqual([]);
    expect([await copies(), ledger.taken]).toEqual(before.slice(0, 2));
    await eventually(async () => expect(await openFiles()).toBeLessThanOrEqual(before[2] + 1));
  },
  TIME_MS,
);

test(
  'an answer about a file that breaks off is no answer, wherever it breaks',
  async () => {
    const transport = throughProxy();
    await find(transport);
    proxy.cut();
    const asked = proxy.bytes();
    await find(transport);
    const length = proxy.bytes() - asked;
    proxy.cut();
    const wrong = await readsCut(
      length,
      () => true,
      () => told(async () => (await find(transport)).location),
    );
    expect(length).toBeGreaterThan(300);
    expect(wrong).toEqual([]);
  },
  TIME_MS,
);

test('a file host that goes silent is given up, before its answer and within', async () => {
  const transport = throughProxy(clientOf(SILENCE_MS));
  const object = await find(transport);
  for (const [afterBytes, message] of [
    [0, 'no answer came in time'],
    [2500, 'the answer stopped to come'],
  ] as const) {
    proxy.cut();
    proxy.setFault({ kind: 'stall', afterBytes });
    expect(await read(object)).toBe(`! filehost:/rows.csv: ${message}`);
  }
});

test('a file that changes between the look at it and the download is a failure', async () => {
  const object = await find(transportTo(host.origin));
  host.put(PATH, CONTENT.toUpperCase());
  const changed = '! filehost:/rows.csv: it has changed since the query looked at it';
  expect(await read(object)).toBe(changed);
  expect(await readRange(object, { start: 0, end: 10 })).toBe(changed);
});

test('a token that is replaced between the look and the download reads nothing', async () => {
  const object = await find(transportTo(host.origin));
  identity = '2';
  expect(await read(object)).toBe('! filehost:/rows.csv: the token of the file host has changed since the query looked at it');
});

describe('a file host that lies', () => {
  const METADATA = { '.tag': 'file', path_display: PATH, id: 'id:1', rev: '1', size: CONTENT.length };
  let liar: HttpServer;
  let download: (response: ServerResponse) => void;
  let object: FoundObject;
  beforeEach(async () => {
    liar = await openHttpServer();
    liar.answer(({ url }, response) => {
      if (url.endsWith('/download')) download(response);
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(METADATA));
    });
    object = await find(transportTo(liar.origin));
  });
  afterEach(() => liar.close());

  test.each([
    [
      'announces more than it sends',
      { 'content-length': String(CONTENT.length + 1) },
      CONTENT,
      /: (the connection broke|fewer or more bytes)/,
    ],
    ['announces less than the file has', { 'content-length': '10' }, CONTENT.slice(0, 10), /: fewer bytes came than the 4199 /],
    ['sends more than the file has', {}, `${CONTENT}more`, /: more bytes came than the 4199 that were announced/],
    ['sends less than the file has', {}, CONTENT.slice(0, -1), /: fewer bytes came than the 4199 that were announced/],
    ['sends nothing', {}, '', /: fewer bytes came than the 4199 that were announced/],
  ])('and %s is not believed', async (_, headers, body, message) => {
    download = (response) => {
      response.writeHead(200, headers).write(body);
      response.end();
      if ('content-length' in headers) response.socket?.end();
    };
    expect(await read(object)).toMatch(message);
    await eventually(() => expect(liar.openConnections()).toBeLessThanOrEqual(1));
  });

  test.each([
    ['sends all of the file', 200, {}, CONTENT, 'the file host sent other bytes of the file than were asked for'],
    [
      'sends other bytes',
      206,
      { 'content-range': 'bytes 11-20/4199' },
      CONTENT.slice(11, 21),
      'the file host sent other bytes of the file than were asked for',
    ],
    ['does not say which', 206, {}, CONTENT.slice(10, 20), 'the file host sent other bytes of the file than were asked for'],
    [
      'sends fewer',
      206,
      { 'content-range': 'bytes 10-19/4199' },
      CONTENT.slice(10, 19),
      'fewer bytes came than the 10 that were announced',
    ],
    ['sends more', 206, { 'content-range': 'bytes 10-19/4199' }, CONTENT.slice(10, 21), 'more bytes came than the 10 that were announced'],
  ])('of a range: what %s is not believed', async (_, status, headers, body, message) => {
    download = (response) => void response.writeHead(status, { ...headers }).end(body);
    expect(await readRange(object, { start: 10, end: 20 })).toBe(`! filehost:/rows.csv: ${message}`);
  });

  test.each(['', '{', '[]', 'null', '<html>', '{"entries":1}', JSON.stringify({ ...METADATA, size: '1' })])(
    'an answer %j about a file cannot be understood',
    async (body) => {
      liar.answer((_, response) => void response.writeHead(200).end(body));
      expect(await told(async () => (await find(transportTo(liar.origin))).location)).toBe(
        '! filehost:/rows.csv: the answer of the file host cannot be understood',
      );
    },
  );
});
