import { randomInt } from 'node:crypto';
import { readdir } from 'node:fs/promises';

import { createNetworkGuard } from '@svc/network-guard';
import { createTestBucket, eventually, openHttpServer, openTcpProxy, type TcpProxy, type TestBucket } from '@svc/test-kit';

import { SourceFailure } from '../source-failure.ts';
import { findObject } from './list-objects.ts';
import { openObject, type ObjectRequest } from './open-object.ts';
import { S3Clients } from './s3-clients.ts';
import { ownersAccess } from './testing/local-clients.ts';

const signal = AbortSignal.timeout(600_000);
const [SILENCE_MS, PATIENCE_MS] = [150, 30_000];
const CONTENT = Array.from({ length: 600 }, (_, i) => `${1000 + i},x`).join('\n');

let bucket: TestBucket;
let proxy: TcpProxy;
let whole: ObjectRequest;
const guards: { readonly close: () => void }[] = [];

function clientsAt(endpoint: string, attempts: number, silenceTimeoutMs = PATIENCE_MS): S3Clients {
  const guard = createNetworkGuard({ allow: ['127.0.0.1'] });
  guards.push(guard);
  return new S3Clients({ guard, endpoint, limits: { attempts, silenceTimeoutMs } });
}

beforeAll(async () => {
  bucket = await createTestBucket();
  await bucket.put('rows.csv', CONTENT);
  const { hostname: host, port } = new URL(bucket.endpoint);
  proxy = await openTcpProxy({ host, port: Number(port) });
  const access = ownersAccess(bucket);
  const client = await clientsAt(bucket.endpoint, 3).clientFor(access, signal);
  const listing = { client, access, location: 's3://here', pageSize: null, signal };
  const { etag = '', size = 0 } = (await findObject(listing, 'rows.csv')) ?? {};
  whole = { client, access, key: 'rows.csv', location: 's3://here', etag, size, range: null, silenceTimeoutMs: PATIENCE_MS };
});

afterEach(() => proxy.setFault(null));

afterAll(async () => {
  for (const guard of guards) guard.close();
  await proxy.close();
});

async function through(clients: S3Clients): Promise<ObjectRequest> {
  const { silenceTimeoutMs } = clients.limits;
  return { ...whole, client: await clients.clientFor(whole.access, signal), silenceTimeoutMs };
}

/** Returns the content, or the error. */
async function read(request: ObjectRequest): Promise<string> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of openObject(request, signal)) pieces.push(piece);
  } catch (thrown) {
    return thrown instanceof SourceFailure ? `! ${thrown.message}` : `!! ${String(thrown)}`;
  }
  return Buffer.concat(pieces).toString();
}

const openFiles = async (): Promise<number> => (await readdir('/proc/self/fd')).length;

const AT_ONCE = 16;
const [STEP, TIME_MS] = process.env['SVC_EVERY_BYTE'] === '1' ? [1, 600_000] : [13, 60_000];

test(
  'an answer that breaks off is never taken for a whole one, wherever it breaks, and leaves nothing open',
  async () => {
    const request = await through(clientsAt(`http://127.0.0.1:${proxy.port}`, 1));
    expect(await read(request)).toBe(CONTENT);
    const length = proxy.bytes();
    proxy.cut();
    const before = await openFiles();
    // Every byte of the head, and of the beginning and end of the content; others by steps from a random start, since
    // requests are slow.
    const first = randomInt(STEP);
    const head = length - CONTENT.length + 32;
    const cuts = Array.from({ length }, (_, i) => i).filter((i) => i < head || i >= length - 16 || i % STEP === first);
    let next = 0;
    proxy.setFault(() => ({ kind: 'die', afterBytes: cuts[next++] ?? 0 }));
    const wrong: string[] = [];
    for (let i = 0; i < cuts.length; i += AT_ONCE) {
      const answers = await Promise.all(cuts.slice(i, i + AT_ONCE).map(() => read(request)));
      wrong.push(...answers.filter((answer) => !BROKEN.test(answer)).map((answer) => `${cuts[i]}: ${answer.slice(0, 200)}`));
    }
    expect(cuts.length).toBeGreaterThan(600);
    expect(wrong).toEqual([]);
    await eventually(async () => expect(await openFiles()).toBeLessThanOrEqual(before + 1));
  },
  TIME_MS,
);

const BROKEN = /^! s3:\/\/here: (the connection to the object store broke|the object store could not be reached)/;

test('a store that goes silent is given up, before its answer and within', async () => {
  const request = await through(clientsAt(`http://127.0.0.1:${proxy.port}`, 1, SILENCE_MS));
  proxy.cut();
  proxy.setFault({ kind: 'stall', afterBytes: 0 });
  expect(await read(request)).toBe('! s3://here: the object store did not answer in time');
  proxy.setFault({ kind: 'stall', afterBytes: 2500 });
  expect(await read(request)).toBe('! s3://here: the object store sent nothing for 0.15 s');
});

test('a connection that the store has closed meanwhile is no trouble', async () => {
  const request = await through(clientsAt(`http://127.0.0.1:${proxy.port}`, 3));
  expect(await read(request)).toBe(CONTENT);
  const connections = proxy.connections();
  proxy.cut();
  expect(await read(request)).toBe(CONTENT);
  expect(proxy.connections()).toBeGreaterThan(connections);
});

test.each([
  ['says that it sends more', { 'content-length': String(CONTENT.length + 1) }, CONTENT, /sent 4200 bytes where 4199 were asked for/],
  ['says that it sends less', { 'content-length': '10' }, CONTENT.slice(0, 10), /sent 10 bytes where 4199 were asked for/],
  ['sends more and does not say so', {}, `${CONTENT}more`, /broke after \d+ of 4199 bytes/],
  ['sends less and does not say so', {}, CONTENT.slice(0, -1), /broke after 4198 of 4199 bytes/],
])('a store that %s is not believed', async (_, headers, body, message) => {
  expect(CONTENT).toHaveLength(4199);
  const liar = await openHttpServer();
  liar.answer((_request, response) => response.writeHead(200, { etag: whole.etag, ...headers }).end(body));
  expect(await read(await through(clientsAt(liar.origin, 1)))).toMatch(message);
  await eventually(() => expect(liar.openConnections()).toBeLessThanOrEqual(1));
  await liar.close();
});

test.each([
  ['other bytes', { 'content-range': 'bytes 0-9/4199' }, /sent other bytes of the object than were asked for/],
  [
    'another state of the object',
    { 'content-range': 'bytes 10-19/4199', etag: '"2"' },
    /the object has changed since the query looked at it/,
  ],
])('a store that sends %s where some were asked for is not believed', async (_, headers, message) => {
  const liar = await openHttpServer();
  liar.answer((_request, response) => response.writeHead(206, { etag: whole.etag, ...headers }).end(CONTENT.slice(0, 10)));
  expect(await read({ ...(await through(clientsAt(liar.origin, 1))), range: { start: 10, end: 20 } })).toMatch(message);
  await liar.close();
});
