import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { eventually } from '@svc/test-kit';

import type { ExecutorUnderTest } from '../testing/executor-under-test.ts';
import { startExecutorUnderTest } from '../testing/executor-under-test.ts';

let executor: ExecutorUnderTest;
let bearer: string;

beforeAll(async () => {
  executor = await startExecutorUnderTest();
  bearer = `Bearer ${await executor.token()}`;
  await writeFile(join(executor.root, 'people.csv'), 'id,name,born\n1,Ann,1990-01-02\n2,"Bo, jr",\n3,Cy,2001-12-31\n');
});
afterAll(() => executor.close());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function post(path: string, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const response = await fetch(executor.url + path, {
    method: 'POST',
    body,
    headers: { Authorization: bearer, 'Content-Type': 'text/plain', ...headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function firstError(answer: Answer): unknown {
  const body = JSON.parse(answer.text) as { readonly validationErrors: readonly unknown[]; readonly runtimeError: unknown };
  return body.runtimeError ?? body.validationErrors[0];
}

test('a query over a file answers one JSON value per line, with its length and an id', async () => {
  // Known to be small in advance; for other results the end may come too late for a Content-Length.
  const answer = await post('/query', 'SELECT name, born FROM READ("file:people.csv") LIMIT 10');
  expect(answer.status).toBe(200);
  expect(answer.text).toBe('{"name":"Ann","born":"1990-01-02"}\n{"name":"Bo, jr","born":null}\n{"name":"Cy","born":"2001-12-31"}\n');
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(answer.text)));
  expect(answer.headers.get('x-svc-query-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers.get('server-timing')).toMatch(
    /^wait;dur=\d+\.\d, check;dur=\d+\.\d, plan;dur=\d+\.\d, read;dur=\d+\.\d, execute;dur=\d+\.\d$/,
  );
});

test.each([
  ['json', 'application/json; charset=utf-8', '[{"id":1},{"id":2},{"id":3}]\n'],
  ['csv', 'text/csv; charset=utf-8', 'id\n1\n2\n3\n'],
])('the format %s is chosen by the header, or by an Accept that names it alone', async (format, type, text) => {
  const query = 'SELECT id AS id FROM READ("file:people.csv")';
  const byHeader = await post('/query', query, { 'X-SVC-Output-Format': format.toUpperCase(), Accept: 'application/x-ndjson' });
  expect([byHeader.status, byHeader.headers.get('content-type'), byHeader.text]).toEqual([200, 'text/plain; charset=utf-8', text]);
  const byAccept = await post('/query', query, { Accept: type.split(';')[0] ?? '' });
  expect([byAccept.status, byAccept.headers.get('content-type'), byAccept.text]).toEqual([200, type, text]);
});

test('line endings are those of the interface', async () => {
  const answer = await post('/query', '[1, 2]', { 'X-SVC-Windows-Line-Ending': 'true' });
  expect(answer.text).toBe('1\n\r2\n\r');
});

test('an option header that cannot be used is refused before the query is looked at', async () => {
  const answer = await post('/query', 'not a query (', { 'X-SVC-Output-Format': 'xml' });
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.text)).toEqual({
    code: 'bad_request',
    message: 'The header X-SVC-output-format must be one of hjson, json, csv, sqlite, parquet-avro, parquet-raw.',
  });
});

test('a result that a flat format cannot hold is refused before it runs', async () => {
  const answer = await post('/query', 'SELECT 1 AS a, [1] AS b FROM [0]', { 'X-SVC-Output-Format': 'csv' });
  expect(answer.status).toBe(400);
  expect(firstError(answer)).toMatchObject({ message: expect.stringContaining('the field b of type collection(int)') });
});

test('X-SVC-max-bytes stops after the last whole line that fits', async () => {
  const sizes = await Promise.all(
    [5, 6, 7].map(async (bytes) => (await post('/query', '[10, 20, 30]', { 'X-SVC-Max-Bytes': String(bytes) })).text),
  );
  expect(sizes).toEqual(['10\n', '10\n20\n', '10\n20\n']);
  const cut = await post('/query', '[10, 20, 30]', { 'X-SVC-Max-Bytes': '6' });
  expect(cut.headers.get('x-svc-truncated')).toBe('true');
  const whole = await post('/query', '[10, 20, 30]', { 'X-SVC-Max-Bytes': '9' });
  expect([whole.text, whole.headers.get('x-svc-truncated')]).toEqual(['10\n20\n30\n', null]);
});

test('a value that cannot be cut does not fit with result_too_large', async () => {
  const answer = await post('/query', '"a long text"', { 'X-SVC-Max-Bytes': '5' });
  expect([answer.status, (JSON.parse(answer.text) as { readonly code: string }).code]).toEqual([400, 'result_too_large']);
});

test('an invalid query answers every error with its position', async () => {
  const answer = await post('/query', 'bb +\n cc');
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.text)).toEqual({
    validationErrors: [
      { message: 'bb is not declared', positions: [{ begin: { line: 1, column: 1 }, end: { line: 1, column: 3 } }] },
      { message: 'cc is not declared', positions: [{ begin: { line: 2, column: 2 }, end: { line: 2, column: 4 } }] },
    ],
    runtimeError: null,
  });
});

test('a failure while running answers a runtimeError with its position', async () => {
  const answer = await post('/query', 'SELECT 10 / (id - 2) FROM READ("file:people.csv")');
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.text)).toEqual({
    validationErrors: [],
    runtimeError: { message: '/ by zero', positions: [{ begin: { line: 1, column: 8 }, end: { line: 1, column: 21 } }] },
  });
});

test('an overflow, too, is reported at the expression that failed', async () => {
  expect(firstError(await post('/query', 'SELECT id + 1, id * 2147483647 FROM READ("file:people.csv")'))).toEqual({
    message: 'integer overflow',
    positions: [{ begin: { line: 1, column: 16 }, end: { line: 1, column: 31 } }],
  });
});

test('a file that has changed gives its new type, not the remembered one', async () => {
  const path = join(executor.root, 'changing.csv');
  const query = 'SELECT x FROM READ("file:changing.csv")';
  await writeFile(path, 'x\n1\n');
  expect((await post('/query-validate', query)).text).toBe('{"type":"collection(int)"}');
  expect((await post('/query', query)).text).toBe('1\n');
  await writeFile(path, 'x\nabc\n');
  expect((await post('/query', query)).text).toBe('"abc"\n');
  expect((await post('/query-validate', query)).text).toBe('{"type":"collection(string)"}');
});

test('patterns read files in order of their paths, gzip too', async () => {
  await writeFile(join(executor.root, 'part-1.csv'), 'n\n1\n');
  await writeFile(join(executor.root, 'part-2.csv'), 'n\n2\n');
  await writeFile(join(executor.root, 'zipped.jsonl.gz'), gzipSync('{"a":1}\n{"a":2}\n'));
  expect((await post('/query', 'SELECT n FROM READ("file:part-*.csv")')).text).toBe('1\n2\n');
  expect((await post('/query', 'SELECT a FROM READ("file:zipped.jsonl.gz")')).text).toBe('1\n2\n');
});

test.each(['../x.csv', '/etc/passwd', 'people.csv/../../x', '/proc/self/environ', 'a\\0b.csv'])('file:%s does not exist', async (path) => {
  const answer = await post('/query', `READ("file:${path}")`);
  expect(answer.status).toBe(400);
  expect(firstError(answer)).toMatchObject({ message: expect.stringContaining('path not found') });
});

test('a query that ends in a function takes its arguments from the URL', async () => {
  const query = '\\(least: int, name: string := "x") -> SELECT id FROM READ("file:people.csv") WHERE id >= least';
  expect((await post('/query?least=2', query)).text).toBe('2\n3\n');
  expect(firstError(await post('/query', query))).toMatchObject({ message: 'missing mandatory arguments: least' });
  expect(firstError(await post('/query?least=2&more=1', query))).toMatchObject({ message: 'unknown argument: more' });
  expect(firstError(await post('/query?least=two', query))).toMatchObject({ message: 'argument least cannot be cast to int' });
  expect((await post('/query?least=2&least=3', query)).status).toBe(400);
  expect((await post('/query-validate', query)).text).toBe('{"type":"(least: int, name: string) -> collection(int)"}');
});

test('every answer of the query endpoints has an id of its own', async () => {
  const answers = await Promise.all([
    post('/query', '1'),
    post('/query?x=1', '1'),
    post('/query', '1 +'),
    post('/query', '1', { 'X-SVC-max-bytes': '0' }),
    post('/query', '1', { 'X-SVC-max-bytes': '1' }),
    post('/query', '1', { 'Content-Type': 'application/json' }),
    post('/query', '1', { Accept: 'image/png' }),
    post('/query', 'x'.repeat(70_000)),
    post('/query-validate', '1'),
    post('/query-validate', '1 +'),
  ]);
  const put = await fetch(`${executor.url}/query`, { method: 'PUT', headers: { Authorization: bearer } });
  expect([...answers.map(({ status }) => status), put.status]).toEqual([200, 200, 400, 400, 400, 415, 406, 413, 200, 400, 405]);
  const ids = [...answers, put].map(({ headers }) => headers.get('x-svc-query-id'));
  // Request targets as clients send them to proxies, and malformed ones.
  for (const target of [`${executor.url}/query`, '/query#x', '/query?x=%zz']) ids.push(await idOf(target));
  expect([ids.includes(null), new Set(ids).size]).toEqual([false, ids.length]);
});

/** Returns the id in the response to a request with exactly this target. */
async function idOf(target: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(executor.url);
    const sent = request({ hostname, port, path: target, method: 'POST', headers: { Authorization: bearer } }, (res) => {
      res.resume();
      const id = res.headers['x-svc-query-id'];
      resolve(typeof id === 'string' ? id : null);
    });
    sent.on('error', reject);
    sent.end('1');
  });
}

test.each([
  ['no token', 401, {}],
  ['a token that is none', 401, { Authorization: 'Bearer abc' }],
])('%s answers %i, with the id of the query', async (_, status, headers) => {
  const response = await fetch(`${executor.url}/query`, { method: 'POST', body: '1', headers });
  expect(response.status).toBe(status);
  expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
  expect(response.headers.get('x-svc-query-id')).not.toBeNull();
});

test('bodies: a charset or type that is not text is 415, bytes that are not UTF-8 and too many are refused, a BOM is dropped', async () => {
  expect((await post('/query', '1', { 'Content-Type': 'application/json' })).status).toBe(415);
  expect((await post('/query', '1', { 'Content-Type': 'text/plain; charset=latin1' })).status).toBe(415);
  expect((await post('/query', Buffer.from([0xff, 0xfe]))).status).toBe(400);
  expect((await post('/query', `"${'x'.repeat(70_000)}"`)).status).toBe(413);
  expect((await post('/query', '\uFEFF1')).text).toBe('1\n');
  expect(firstError(await post('/query', ''))).toMatchObject({
    positions: [{ begin: { line: 1, column: 1 }, end: { line: 1, column: 1 } }],
  });
});

test('a large result is chunked and complete', async () => {
  const answer = await post('/query', 'SELECT x FROM RANGE(0, 200000) x');
  expect(answer.headers.get('content-length')).toBeNull();
  expect(answer.text.split('\n')).toHaveLength(200_001);
});

test('a failure after the first byte leaves the body without its end', async () => {
  const failing = 'SELECT 1 / (x - 300000) FROM RANGE(0, 400000) x';
  for (const format of ['hjson', 'json', 'csv']) {
    const response = await fetch(`${executor.url}/query`, {
      method: 'POST',
      body: failing,
      headers: { Authorization: bearer, 'Content-Type': 'text/plain', 'X-SVC-Output-Format': format },
    });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  }
});

test('a client that goes away ends its query', async () => {
  const body = 'SELECT COUNT(*) FROM RANGE(0, 1000000) x, RANGE(0, 1000000) y WHERE x * y % 7 = 3';
  const socket = connect(Number(new URL(executor.url).port), '127.0.0.1');
  socket.write(
    `POST /query HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer}\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await eventually(() => expect(executor.admission.load().running).toBe(1));
  socket.destroy();
  await eventually(() => expect(executor.admission.load()).toEqual({ running: 0, waiting: 0 }));
});

test('one caller does not take all places, and who waits too long is told to come back', async () => {
  const hurried = await startExecutorUnderTest({ waitMillis: 200 });
  const slow = 'SELECT COUNT(*) FROM RANGE(0, 1000000) x, RANGE(0, 1000000) y WHERE x * y % 7 = 3';
  const client = new AbortController();
  const send = async (who: string, body: string, signal?: AbortSignal): Promise<Response> =>
    fetch(`${hurried.url}/query`, {
      method: 'POST',
      body,
      ...(signal === undefined ? {} : { signal }),
      headers: { Authorization: `Bearer ${await hurried.token(who)}`, 'Content-Type': 'text/plain' },
    });
  try {
    const running = [1, 2].map(() => send('ann', slow, client.signal).catch(() => null));
    await eventually(() => expect(hurried.admission.load().running).toBe(2));
    const third = await send('ann', '1');
    expect([third.status, third.headers.get('retry-after')]).toEqual([503, '5']);
    expect(third.headers.get('x-svc-query-id')).not.toBeNull();
    const other = await send('bob', '1');
    expect([other.status, await other.text()]).toEqual([200, '1\n']);
    client.abort();
    await Promise.all(running);
    await eventually(() => expect(hurried.admission.load().running).toBe(0));
  } finally {
    await hurried.close();
  }
});

test('the executor describes itself without a token', async () => {
  const response = await fetch(`${executor.url}/openapi.json`);
  const document = (await response.json()) as { readonly openapi: string; readonly paths: Readonly<Record<string, unknown>> };
  expect(document.openapi).toBe('3.1.0');
  expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/query', '/query-validate']));
});

test('a query past its time is 504 query_timeout, and its line in the log has its id', async () => {
  const hurried = await startExecutorUnderTest({ timeoutMillis: 150 });
  try {
    const response = await fetch(`${hurried.url}/query`, {
      method: 'POST',
      body: 'SELECT COUNT(*) FROM RANGE(0, 1000000) x, RANGE(0, 1000000) y WHERE x * y % 7 = 3',
      headers: { Authorization: `Bearer ${await hurried.token()}`, 'Content-Type': 'text/plain' },
    });
    expect([response.status, ((await response.json()) as { readonly code: string }).code]).toEqual([504, 'query_timeout']);
    const queryId = response.headers.get('x-svc-query-id');
    expect(queryId).not.toBeNull();
    await eventually(async () => expect(hurried.log).toMatchObject([{ response: { status: 504, queryId } }]));
  } finally {
    await hurried.close();
  }
});
