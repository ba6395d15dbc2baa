import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';

import { createNetworkGuard } from '@svc/network-guard';
import { type HttpServer, openHttpServer, sendFile } from '@svc/test-kit';

import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

const guard = createNetworkGuard({ allow: ['127.0.0.0/8'] });
let server: HttpServer;
let at: ReadingRuntime;
beforeEach(async () => {
  server = await openHttpServer();
  at = await openReadingRuntime({
    spoolMegabytes: 100,
    reach: { networkGuard: guard, httpLimits: { retryWaitMs: 1, maxRetryWaitMs: 1500 } },
  });
});
afterEach(async () => {
  await at.close();
  await server.close();
});

const MEGABYTE = 2 ** 20;
/** Rows of CSV that exceed a sample. */
const csv = (megabytes: number, row = '1,abc\n'): Buffer =>
  Buffer.concat([
    Buffer.from('n,text\n'),
    Buffer.alloc(megabytes * MEGABYTE, row).subarray(0, Math.floor((megabytes * MEGABYTE) / row.length) * row.length),
  ]);

test.each([
  ['a.csv', 'n,t\n1,x\n2,y\n', 'READ', ['{"n":1,"t":"x"}', '{"n":2,"t":"y"}']],
  ['a.json', '[{"n": 1}, {"n": 2}]', 'READ', ['{"n":1}', '{"n":2}']],
  ['api?x=1', '{"n": [1, 2]}', 'READ_JSON', ['{"n":[1,2]}']],
  ['a.xml', '<r><n>1</n><n>2</n></r>', 'READ', ['{"n":[1,2]}']],
  ['a.txt', 'one\ntwo', 'READ_LINES', ['"one"', '"two"']],
])('%s is read', async (name, content, read, rows) => {
  server.answer((_, response) => response.end(content));
  expect(await at.run(`${read}("${server.origin}/${name}")`)).toEqual(rows);
});

test('the type of the content tells the format where the path does not', async () => {
  server.answer((_, response) => response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' }).end('{"a": 1}\n2\n'));
  expect(await at.typeOf(`READ("${server.origin}/export")`)).toBe('collection(record(`{"a": 1}`: int))');
});

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
])('an answer in %s is decompressed, and asked for as such', async (encoding, compress) => {
  server.answer((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(compress('n\n7\n')));
  expect(await at.run(`READ_CSV("${server.origin}/a")`)).toEqual(['{"n":7}']);
  expect(server.requests[0]?.headers['accept-encoding']).toContain(encoding);
});

test.each([
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
])('an answer in several members of %s is read to its end', async (encoding, compress) => {
  const content = Buffer.concat([compress('n\n7\n'), compress('8\n')]);
  server.answer((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(content));
  expect(await at.run(`READ_CSV("${server.origin}/a")`)).toEqual(['{"n":7}', '{"n":8}']);
});

test.each(['aws-chunked', 'None', 'identity, aws-chunked', ''])('an answer that is encoded as %j is read as it is', async (encoding) => {
  server.answer((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end('n\n7\n'));
  expect(await at.run(`READ_CSV("${server.origin}/a")`)).toEqual(['{"n":7}']);
});

test('method, headers, arguments and body are sent as told', async () => {
  server.answer((_, response) => response.end('[1]'));
  await at.run(`READ_JSON("${server.origin}/find?a=%20~b&c", http_method := "put", http_body := "{\\"q\\": 1}",
    http_headers := [(name: "X-Kind", value: "k"), (name: "x-kind", value: "l")], http_args := [(name: "b c", value: "é&")])`);
  const { method, url, body, headers } = server.requests[0] ?? {};
  expect([method, url, body]).toEqual(['PUT', '/find?a=%20~b&c&b+c=%C3%A9%26', '{"q": 1}']);
  expect(headers).toMatchObject({ 'x-kind': 'k, l', 'content-type': 'application/json' });
  expect(server.requests).toHaveLength(1);
});

test.each([
  ['http_headers := [(name: "Host", value: "a")]', /^! http_headers: "Host" is not a header that can be set at /],
  ['http_headers := [(name: "X", value: "a\\nb")]', /^! http_headers: the value of X has characters that a header cannot hold at /],
  [
    'http_headers := [(name: "X", wert: "s3cret")]',
    /^! option http_headers must be a collection of records of two strings, name and value but got something else at /,
  ],
  ['http_method := "GET", http_body := "x"', /^! a GET has no body: leave out http_body, or http_method at /],
  ['cache := "1 hour"', /^! option cache must be an interval such as interval "10 minutes" but got "1 hour" at "1 hour"/],
])('%s is refused', async (options, message) => {
  expect(await at.run(`READ_JSON("${server.origin}/", ${options})`)).toEqual([expect.stringMatching(message)]);
  expect(server.requests).toEqual([]);
});

test('options of HTTP mean nothing elsewhere', async () => {
  expect(await at.run('READ_JSON("file:a.json", http_method := "GET")')).toEqual([
    '! option http_method has no meaning for file: locations, only for http: and https: at READ_JSON("file:a.json", http_method := "GET")',
  ]);
});

test('of a large file a sample is fetched to know it, and then all of it once', async () => {
  const content = csv(30);
  server.answer((request, response) => sendFile(request, response, content));
  const query = `SELECT COUNT(*) FROM READ("${server.origin}/large.csv")`;
  expect(await at.typeOf(`READ("${server.origin}/large.csv")`)).toBe('collection(record(n: long nullable, text: string nullable))');
  const sampled = server.bytesSent();
  // Includes bytes of the aborted response that the system has buffered.
  expect(sampled).toBeLessThan(12 * MEGABYTE);
  expect(await at.run(query)).toEqual([String(Math.floor((30 * MEGABYTE) / 6))]);
  server.requests.length = 0;
  const before = server.bytesSent();
  expect(await at.run(query)).toEqual([String(Math.floor((30 * MEGABYTE) / 6))]);
  expect(server.requests.map(({ headers }) => headers['if-none-match'])).toEqual(['"1"']);
  expect(server.bytesSent() - before).toBeLessThan(1000);
});

test.each([
  [
    'a JSON array',
    'x.json',
    () => Buffer.from(`[${Array.from({ length: 60_000 }, (_, n) => JSON.stringify({ n, text: 'x'.repeat(40) })).join(',')}]`),
    60_000,
  ],
  [
    'lines of JSON',
    'x.jsonl',
    () => Buffer.from(Array.from({ length: 60_000 }, (_, n) => JSON.stringify({ n, text: 'x'.repeat(40) })).join('\n')),
    60_000,
  ],
  [
    'elements of XML',
    'x.xml',
    () => Buffer.from(`<r>${Array.from({ length: 60_000 }, (_, n) => `<e n="${n}">${'x'.repeat(30)}</e>`).join('\n')}</r>`),
    60_000,
  ],
  [
    'CSV, compressed',
    'x.csv.gz',
    () =>
      gzipSync(
        Buffer.concat([
          Buffer.from('n,text\n'),
          ...Array.from({ length: 90_000 }, (_, n) => Buffer.from(`${n},${(n * 7919 * 104729) % 1e9}${(n * 15485863) % 1e9}\n`)),
        ]),
      ),
    90_000,
  ],
])('what a sample of %s tells holds for all of it', async (_, name, make, rows) => {
  const content = make();
  expect(content.length).toBeGreaterThan(MEGABYTE);
  server.answer((request, response) => sendFile(request, response, content));
  const tag = name.endsWith('xml') ? ', row_tag := "e"' : '';
  const read = `READ("${server.origin}/${name}"${tag})`;
  expect(await at.run(`SELECT COUNT(*) FROM ${read}`)).toEqual([String(rows)]);
  expect(await at.run(`DESCRIBE("${server.origin}/${name}"${tag}).sampled`)).toEqual(['true']);
});

test('what a sample does not tell is looked for in all of it', async () => {
  // One document, longer than a sample.
  server.answer((request, response) => sendFile(request, response, Buffer.from(JSON.stringify({ a: 'x'.repeat(2 * MEGABYTE), b: 1 }))));
  expect(await at.typeOf(`READ("${server.origin}/one.json")`)).toBe('record(a: string, b: int)');
});

test('of Parquet the footer is fetched to know it', async () => {
  await at.makeParquet('large.parquet', 'SELECT i AS n, hash(i)::VARCHAR AS h FROM range(300000) t(i)');
  const content = await readFile(join(at.root, 'large.parquet'));
  expect(content.length).toBeGreaterThan(4 * MEGABYTE);
  server.answer((request, response) => sendFile(request, response, content));
  expect(await at.typeOf(`READ("${server.origin}/large.parquet")`)).toBe('collection(record(n: long nullable, h: string nullable))');
  const ranges = server.requests.flatMap(({ headers }) => headers.range ?? []);
  expect(ranges).toEqual([`bytes=${content.length - 65_536}-${content.length - 1}`]);
  expect(await at.run(`SELECT SUM(n) FROM READ("${server.origin}/large.parquet")`)).toEqual(['44999850000']);
  // If ranges are not supported, the whole file is fetched.
  server.answer((_, response) => response.writeHead(200, { etag: '"2"', 'content-length': content.length }).end(content));
  expect(await at.run(`SELECT COUNT(*) FROM READ("${server.origin}/plain.parquet")`)).toEqual(['300000']);
});

test('an answer that changes is read as it is now, and compiled anew', async () => {
  let content = '[{"n": 1}]';
  server.answer((_, response) => response.end(content));
  const query = `READ_JSON("${server.origin}/changing")`;
  expect(await at.run(query)).toEqual(['{"n":1}']);
  expect(await at.run(query)).toEqual(['{"n":1}']);
  expect(server.requests).toHaveLength(2);
  content = '[{"m": "x"}]';
  expect(await at.run(query)).toEqual(['{"m":"x"}']);
  expect(server.requests).toHaveLength(3);
});

test('a source is asked once in a query, however often it is read, and a POST is never sent twice', async () => {
  server.answer((_, response) => response.end('[1, 2]'));
  const read = `READ_JSON("${server.origin}/once", http_method := "POST", http_body := "[]")`;
  expect(await at.run(`SELECT a + b FROM ${read} a, ${read} b WHERE a = b`)).toEqual(['2', '4']);
  expect(server.requests).toHaveLength(1);
  await at.run(`SELECT a + b FROM ${read} a, ${read} b WHERE a = b`);
  expect(server.requests).toHaveLength(2);
});

test('an answer of which nobody could tell whether it is the same later is fetched once', async () => {
  let asked = 0;
  const content = csv(3);
  server.answer((_, response) => {
    asked += 1;
    response.write(content);
    response.end(`${asked},last\n`);
  });
  expect(await at.run(`SELECT MAX(n) FROM READ_CSV("${server.origin}/stream")`)).toEqual(['1']);
  expect(await at.run(`SELECT MAX(n) FROM READ_CSV("${server.origin}/stream")`)).toEqual(['2']);
  expect(asked).toBe(2);
});

test('cache accepts an answer that old', async () => {
  let asked = 0;
  server.answer((_, response) => response.end(`[${(asked += 1)}]`));
  const read = (age: string): Promise<readonly string[]> => at.run(`READ_JSON("${server.origin}/c", cache := interval "${age}")`);
  expect([await read('1 hour'), await read('1 hour'), await read('0 seconds'), await read('1 hour')]).toEqual([['1'], ['1'], ['2'], ['2']]);
  expect(asked).toBe(2);
});

test('listings show the object that a URL names', async () => {
  server.answer((_, response) => response.writeHead(200, { 'last-modified': 'Sat, 21 Nov 2026 10:00:00 GMT' }).end('n\n1\n'));
  expect(await at.run(`LS("${server.origin}/a.csv?key=s3cret")`)).toEqual([`"${server.origin}/a.csv"`]);
  expect(await at.run(`LL("${server.origin}/a.csv")`)).toEqual([
    `{"url":"${server.origin}/a.csv","size":4,"modified":"2026-11-21T10:00:00.000"}`,
  ]);
  expect(await at.run(`SELECT file_name FROM READ("${server.origin}/a.csv?key=s3cret", file_name := true)`)).toEqual([
    `"${server.origin}/a.csv"`,
  ]);
});

test('what may be asked again is asked again, and no longer than the server says', async () => {
  const answers = [
    { status: 503, headers: {} },
    { status: 429, headers: { 'retry-after': '1' } },
    { status: 200, headers: {} },
  ];
  const times: number[] = [];
  server.answer((_, response) => {
    times.push(performance.now());
    const { status, headers } = answers[times.length - 1] ?? { status: 500, headers: {} };
    response.writeHead(status, headers).end('[1]');
  });
  expect(await at.run(`READ_JSON("${server.origin}/busy")`)).toEqual(['1']);
  expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(990);
  server.requests.length = 0;
  server.answer((_, response) => response.writeHead(429, { 'retry-after': '3600' }).end());
  expect(await at.run(`READ_JSON("${server.origin}/busy")`)).toEqual([
    expect.stringMatching(/^! http.*\/busy: the server answered with status 429 Too Many Requests: it was asked too often at /),
  ]);
  server.answer((_, response) => response.writeHead(503).end());
  await at.run(`READ_JSON("${server.origin}/busy", http_method := "POST")`);
  expect(server.requests).toHaveLength(2);
});
