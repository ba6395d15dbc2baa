import { request as undiciRequest } from 'undici';

import type { ExecutorUnderTest } from '../testing/executor-under-test.ts';
import { startExecutorUnderTest } from '../testing/executor-under-test.ts';
import type { ClientReport, ClientRequest, OtherClient } from '../testing/other-clients.ts';
import { OTHER_CLIENTS } from '../testing/other-clients.ts';

let executor: ExecutorUnderTest;
let bearer: string;
let clients: readonly Pick<OtherClient, 'name' | 'error' | 'ask'>[];

beforeAll(async () => {
  executor = await startExecutorUnderTest();
  bearer = `Bearer ${await executor.token()}`;
  const atHand = await Promise.all(OTHER_CLIENTS.map(async (client) => ((await client.isAtHand()) ? [client] : [])));
  clients = [
    { name: 'fetch', error: 'terminated', ask: askFetch },
    { name: 'undici', error: 'other side closed', ask: askUndici },
    ...atHand.flat(),
  ];
});
afterAll(() => executor.close());

const FORMATS = ['hjson', 'json', 'csv', 'sqlite', 'parquet-avro', 'parquet-raw'] as const;
const rows = (count: number, zeroAt: number): string =>
  `SELECT x, 1 / (x - ${zeroAt}) AS y, "text " || x * 7919 AS t FROM RANGE(0, ${count}) x`;
const WHOLE = rows(20_000, -1);
const FAILS_EARLY = rows(20_000, 0);
/** After more than the engine makes before the first of it is sent: some rows of text, a row group of Parquet for each thread. */
const FAILS_LATE = { text: rows(50_000, 45_000), file: rows(400_000, 390_000) } as const;

async function ask(query: string, format: string): Promise<Readonly<Record<string, ClientReport>>> {
  const headers = { Authorization: bearer, 'Content-Type': 'text/plain', 'X-SVC-output-format': format };
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

function isText(format: (typeof FORMATS)[number]): boolean {
  return format === 'hjson' || format === 'json' || format === 'csv';
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

test.each(FORMATS)('%s: every client takes a whole result for one, and notices one that fails after its first byte', async (format) => {
  expect(await ask(WHOLE, format)).toEqual(reports(() => ({ status: 200, error: null })));
  // A database is sent when it is whole, or not at all.
  expect(await ask(FAILS_LATE[isText(format) ? 'text' : 'file'], format)).toEqual(
    reports(({ error }) => (format === 'sqlite' ? { status: 400, error: null } : { status: 200, error })),
  );
  expect(await ask(FAILS_EARLY, format)).toEqual(reports(() => ({ status: 400, error: null })));
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
