import { readdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { eventually } from '@svc/test-kit';

import type { ExecutorUnderTest } from '../testing/executor-under-test.ts';
import { startExecutorUnderTest } from '../testing/executor-under-test.ts';

let executor: ExecutorUnderTest;
let bearer: string;

beforeAll(async () => {
  executor = await startExecutorUnderTest();
  bearer = `Bearer ${await executor.token()}`;
});
afterAll(() => executor.close());
// A client that knows a file's length receives the last byte a moment before the file is deleted.
afterEach(() => untilFolders(0));

const FILE_FORMATS = ['sqlite', 'parquet-avro', 'parquet-raw'];
const MANY = 'SELECT x, x * 2 AS twice, "text " || x AS text FROM RANGE(0, 200000) x';

/** Folders of results that are still there. */
async function leftBehind(): Promise<readonly string[]> {
  return (await readdir(executor.spool)).filter((name) => name.startsWith('result-'));
}

/** Waits until there are `count` folders. */
async function untilFolders(count: number): Promise<void> {
  await eventually(async () => {
    const found = await leftBehind();
    if (found.length !== count) throw new Error(`folders of results: ${found.join(', ')}`);
  });
}

async function post(
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly response: Response; readonly bytes: Buffer }> {
  const response = await fetch(`${executor.url}/query`, {
    method: 'POST',
    body,
    headers: { Authorization: bearer, 'Content-Type': 'text/plain', ...headers },
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

test.each([
  ['sqlite', 'application/vnd.sqlite3', /^SQLite format 3\0/],
  ['parquet-avro', 'application/vnd.apache.parquet', /^PAR1.*PAR1$/s],
  ['parquet-raw', 'application/vnd.apache.parquet', /^PAR1.*PAR1$/s],
])('%s is answered as a whole file', async (format, type, form) => {
  for (const query of ['[1, 2]', MANY, 'SELECT 1 AS a FROM [1] WHERE FALSE', '42', '(a: 1, b: "x")']) {
    const { response, bytes } = await post(query, { 'X-SVC-output-format': format });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    // Parquet is sent while it is written: its length is known only if the result is small or was counted.
    const hasLength = format === 'sqlite' || query !== MANY;
    expect(response.headers.get('content-length')).toBe(hasLength ? String(bytes.length) : null);
    expect(response.headers.get('trailer')).toBe(hasLength ? null : 'X-SVC-Truncated, Server-Timing');
    expect(bytes.toString('latin1')).toMatch(form);
  }
});

test('an Accept that names one type of file alone decides', async () => {
  for (const [accept, start] of [
    ['application/vnd.sqlite3', 'SQLite format 3'],
    ['application/vnd.apache.parquet', 'PAR1'],
  ] as const) {
    const { response, bytes } = await post('[1]', { Accept: accept });
    expect([response.headers.get('content-type'), bytes.subarray(0, start.length).toString()]).toEqual([accept, start]);
  }
});

test('a database holds all rows, in order', async () => {
  const { bytes } = await post(MANY, { 'X-SVC-output-format': 'sqlite' });
  const path = join(executor.root, 'many.db');
  await writeFile(path, bytes);
  const database = new DatabaseSync(path, { readOnly: true });
  expect(
    database.prepare('SELECT count(*) AS n, min(x) AS least, max(x) AS most, sum(x = rowid - 1) AS inOrder FROM result').get(),
  ).toEqual({
    n: 200_000,
    least: 0,
    most: 199_999,
    inOrder: 200_000,
  });
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  database.close();
});

test('what a database cannot hold is refused before it runs', async () => {
  const { response, bytes } = await post('SELECT 1 / 0 AS a, [1] AS b FROM [0]', { 'X-SVC-output-format': 'sqlite' });
  expect(response.status).toBe(400);
  expect(bytes.toString()).toContain('sqlite cannot hold the field b of type collection(int)');
});

const DIVIDED = (row: number): string => `SELECT x, 1 / (x - ${row}) AS a, "text " || x * 7919 AS t FROM RANGE(0, 250000) x`;

test.each([
  ['sqlite', 249_999],
  ['parquet-avro', 100],
  ['parquet-raw', 100],
])('a failure before the first byte is a clean run-time error, and no file: %s, row %i', async (format, row) => {
  const { response, bytes } = await post(DIVIDED(row), { 'X-SVC-output-format': format });
  expect([response.status, JSON.parse(bytes.toString())]).toMatchObject([
    400,
    { validationErrors: [], runtimeError: { message: '/ by zero', positions: [{ begin: { line: 1, column: 11 } }] } },
  ]);
});

test.each(FILE_FORMATS)(
  'a file of more than X-SVC-max-bytes is result_too_large, be it small or of several row groups: %s',
  async (format) => {
    for (const query of ['[1, 2, 3]', MANY.replace('200000', '130000')]) {
      const { bytes } = await post(query, { 'X-SVC-output-format': format });
      const limited = async (maxBytes: number): Promise<unknown> => {
        const answer = await post(query, { 'X-SVC-output-format': format, 'X-SVC-max-bytes': String(maxBytes) });
        return answer.response.status === 200
          ? answer.bytes.equals(bytes)
          : (JSON.parse(answer.bytes.toString()) as { readonly code: string }).code;
      };
      const results = [await limited(bytes.length - 1), await limited(bytes.length), await limited(bytes.length + 1)];
      expect(results).toEqual(['result_too_large', true, true]);
    }
  },
);

test.each(FILE_FORMATS)('a client that goes away ends the query and the file: %s', async (format) => {
  const endless = MANY.replace('200000) x', '9000) x, RANGE(0, 10000) y');
  for (const body of [endless, MANY.replace('200000', '1000000')]) {
    const socket = connect(Number(new URL(executor.url).port), '127.0.0.1');
    socket.write(
      `POST /query HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer}\r\nX-SVC-output-format: ${format}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    if (body === endless) await untilFolders(1);
    else
      await new Promise((resolve) => {
        socket.once('data', resolve);
      });
    socket.destroy();
    await eventually(async () => expect([executor.admission.load(), await leftBehind()]).toEqual([{ running: 0, waiting: 0 }, []]));
  }
});
