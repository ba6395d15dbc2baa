import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';

import { request as undiciRequest } from 'undici';

import type { ExecutorUnderTest } from '../testing/executor-under-test.ts';
import { startExecutorUnderTest } from '../testing/executor-under-test.ts';
import type { ClientReport, ClientRequest, OtherClient } from '../testing/other-clients.ts';
import { OTHER_CLIENTS } from '../testing/other-clients.ts';

let executor: ExecutorUnderTest;
let bearer: string;

const others = OTHER_CLIENTS.filter((client) => client.isAtHand());
const missing = OTHER_CLIENTS.filter((client) => !others.includes(client));
const clients: readonly Pick<OtherClient, 'name' | 'error' | 'ask'>[] = [
  { name: 'fetch', error: 'terminated', ask: askFetch },
  { name: 'undici', error: 'other side closed', ask: askUndici },
  ...others,
];
/** For the names of tests. */
const EVERY_CLIENT = `${listed(clients)}${missing.length === 0 ? '' : ` (NOT at hand: ${listed(missing)})`}`;

beforeAll(async () => {
  executor = await startExecutorUnderTest();
  bearer = `Bearer ${await executor.token()}`;
});
afterAll(() => executor.close());

const FORMATS = ['hjson', 'json', 'csv', 'sqlite', 'parquet-avro', 'parquet-raw'] as const;
const rows = (count: number, zeroAt: number): string =>
  `SELECT x, 1 / (x - ${zeroAt}) AS y, "text " || x * 7919 AS t FROM RANGE(0, ${count}) x`;
const WHOLE = rows(20_000, -1);
const FAILS_EARLY = rows(20_000, 0);
/**
 * The failing row comes after more than the engine buffers before the first bytes are sent: some rows of text, one row group
 * of Parquet per thread.
 */
const FAILS_LATE = { text: rows(50_000, 45_000), file: rows(400_000, 390_000) } as const;

function listed(some: readonly { readonly name: string }[]): string {
  return some.map(({ name }) => name).join(', ');
}

async function ask(
  query: string,
  format: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, ClientReport>>> {
  const headers = { Authorization: bearer, 'Content-Type': 'text/plain', 'X-SVC-output-format': format, ...more };
  const request = { url: `${executor.url}/query`, query, headers };
  const reports: Record<string, ClientReport> = {};
  for (const client of clients) reports[client.name] = await client.ask(request);
  return reports;
}

async function askFetch({ url, query, headers }: ClientRequest): Promise<ClientReport> {
  const response = await fetch(url, { method: 'POST', body: query, headers });
  return { status: response.status, error: await errorOf(response.arrayBuffer()) };
}

async function askUndici({ url, query, headers }: ClientRequest): Promise<ClientReport> {
  const { statusCode, body } = await undiciRequest(url, { method: 'POST', body: query, headers });
  return { status: statusCode, error: await errorOf(body.arrayBuffer()) };
}

async function askAgent(agent: Agent, query: string): Promise<unknown> {
  const sent = httpRequest(`${executor.url}/query`, { method: 'POST', agent, headers: { Authorization: bearer } });
  sent.end(query);
  const [response] = (await once(sent, 'response')) as [IncomingMessage]; // what a request's response event has
  response.on('error', () => undefined).resume();
  await new Promise((resolve) => {
    response.once('close', resolve);
  });
  return { status: response.statusCode, isReused: sent.reusedSocket, isComplete: response.complete };
}

async function errorOf(body: Promise<unknown>): Promise<string | null> {
  return body.then(
    () => null,
    (error: Error) => error.message,
  );
}

function reports(report: (client: (typeof clients)[number]) => ClientReport): Readonly<Record<string, ClientReport>> {
  return Object.fromEntries(clients.map((client) => [client.name, report(client)]));
}

test.each(FORMATS)(
  `%s: a whole result is taken for one, and one that fails after its first byte is noticed: ${EVERY_CLIENT}`,
  async (format) => {
    expect(await ask(WHOLE, format)).toEqual(reports(() => ({ status: 200, error: null })));
    // A database file is sent complete or not at all.
    expect(await ask(FAILS_LATE[format.startsWith('parquet') ? 'file' : 'text'], format)).toEqual(
      reports(({ error }) => (format === 'sqlite' ? { status: 400, error: null } : { status: 200, error })),
    );
    const headers = { Authorization: bearer, 'X-SVC-output-format': format };
    expect(await askFetch({ url: `${executor.url}/query`, query: FAILS_EARLY, headers })).toEqual({ status: 400, error: null });
  },
);

test.each([
  ['hjson', 'gzip'],
  ['json', 'br'],
  ['csv', 'zstd'],
])(`%s, compressed by %s: a result that fails after its first byte is noticed: ${EVERY_CLIENT}`, async (format, encoding) => {
  expect(await ask(FAILS_LATE.text, format, { 'Accept-Encoding': encoding })).toEqual(reports(({ error }) => ({ status: 200, error })));
});

test('a connection lives on after an error that is a 400, and not after an answer that broke off', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answers: unknown[] = [];
  for (const query of [FAILS_EARLY, 'SELECT', '42', FAILS_LATE.text, '43']) answers.push(await askAgent(agent, query));
  agent.destroy();
  expect(answers).toEqual([
    { status: 400, isReused: false, isComplete: true },
    { status: 400, isReused: true, isComplete: true },
    { status: 200, isReused: true, isComplete: true },
    { status: 200, isReused: true, isComplete: false },
    { status: 200, isReused: false, isComplete: true },
  ]);
});

test('a request that was sent behind one whose answer broke off is not answered as its end', async () => {
  const request = (query: string): string =>
    `POST /query HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer}\r\nContent-Length: ${Buffer.byteLength(query)}\r\n\r\n${query}`;
  const socket = connect(Number(new URL(executor.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  const pieces: Buffer[] = [];
  socket.on('data', (piece) => void pieces.push(piece));
  socket.write(request(FAILS_LATE.text) + request('42'));
  await once(socket, 'close');
  const text = Buffer.concat(pieces).toString();
  expect([text.startsWith('HTTP/1.1 200'), text.lastIndexOf('HTTP/1.1'), text.includes('\r\n0\r\n')]).toEqual([true, 0, false]);
});

test.each(['parquet-avro', 'parquet-raw'])('%s: what was sent of a file that fails is none', async (format) => {
  const response = await fetch(`${executor.url}/query`, {
    method: 'POST',
    body: FAILS_LATE.file,
    headers: { Authorization: bearer, 'X-SVC-output-format': format },
  });
  const pieces: Uint8Array[] = [];
  const read = async (): Promise<void> => {
    for await (const piece of response.body ?? []) pieces.push(piece as Uint8Array);
  };
  await expect(read()).rejects.toThrow('terminated');
  const bytes = Buffer.concat(pieces);
  expect([bytes.subarray(0, 4).toString(), bytes.length > 100_000, bytes.subarray(-4).toString() === 'PAR1']).toEqual([
    'PAR1',
    true,
    false,
  ]);
});
