import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

import type { ExecutorUnderTest } from '../testing/executor-under-test.ts';
import { startExecutorUnderTest } from '../testing/executor-under-test.ts';

let executor: ExecutorUnderTest;
let bearer: string;

beforeAll(async () => {
  executor = await startExecutorUnderTest();
  bearer = `Bearer ${await executor.token()}`;
});
afterAll(() => executor.close());

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly trailers: IncomingMessage['trailers'];
  readonly bytes: Buffer;
  /** True if the body had its proper end. */
  readonly isComplete: boolean;
}

/** Uses Node's client, which decodes nothing and exposes trailers. */
async function post(body: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${executor.url}/query`,
      { method: 'POST', agent: false, headers: { Authorization: bearer, 'Content-Type': 'text/plain', ...headers } },
      (res) => {
        const pieces: Buffer[] = [];
        res.on('data', (piece: Buffer) => void pieces.push(piece));
        res.on('error', () => undefined);
        res.on('close', () => {
          const { headers: got, trailers, complete } = res;
          resolve({ status: res.statusCode ?? 0, headers: got, trailers, bytes: Buffer.concat(pieces), isComplete: complete });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The bytes of a connection until it is closed, and whether it was closed as a complete one. */
async function exchange(head: string, body: string): Promise<{ readonly text: string; readonly hasReset: boolean }> {
  const socket = connect(Number(new URL(executor.url).port), '127.0.0.1');
  const pieces: Buffer[] = [];
  let hasReset = false;
  socket.on('data', (piece) => void pieces.push(piece));
  socket.on('error', () => {
    hasReset = true;
  });
  socket.write(`${head}\r\nHost: x\r\nAuthorization: ${bearer}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  await new Promise((resolve) => {
    socket.once('close', resolve);
  });
  return { text: Buffer.concat(pieces).toString('latin1'), hasReset };
}

const decode = {
  gzip: (bytes: Buffer) => gunzipSync(bytes),
  br: (bytes: Buffer) => brotliDecompressSync(bytes),
  zstd: (bytes: Buffer) => zstdDecompressSync(bytes),
} as const;

/** Returns whether a reader that ignores the broken connection could mistake the bytes for a complete document. */
const looksWhole: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  ...Object.fromEntries(Object.entries(decode).map(([name, read]) => [name, (bytes: Buffer) => works(() => read(bytes))])),
  json: (bytes) => works(() => JSON.parse(bytes.toString())),
};

function works(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

const ENCODINGS = ['gzip', 'br', 'zstd'] as const;
const MANY = 'SELECT x, "text of some length " || x AS t FROM RANGE(0, 50000) x';

describe('Accept-Encoding', () => {
  test.each(ENCODINGS)('%s: a large and a small result are the same as without', async (encoding) => {
    // The small result is known to be complete with its rows, without waiting for the stream to be closed.
    for (const query of [MANY, `${MANY} LIMIT 100`]) {
      const plain = await post(query);
      const encoded = await post(query, { 'Accept-Encoding': encoding });
      expect([encoded.status, encoded.headers['content-encoding'], encoded.isComplete]).toEqual([200, encoding, true]);
      expect(encoded.headers['content-length'] === undefined).toBe(plain.headers['content-length'] === undefined);
      expect(encoded.bytes.byteLength).toBeLessThan(plain.bytes.byteLength / 2);
      expect(decode[encoding](encoded.bytes).equals(plain.bytes)).toBe(true);
      expect(encoded.trailers['x-svc-truncated']).toBe(plain.trailers['x-svc-truncated']);
    }
  });

  test('a result of a few bytes, an error and a file are sent as they are', async () => {
    const all = { 'Accept-Encoding': 'zstd, br, gzip' };
    const answers = await Promise.all([post('42', all), post('SELECT', all), post(MANY, { ...all, 'X-SVC-output-format': 'parquet-raw' })]);
    expect(answers.map(({ status, headers }) => [status, headers['content-encoding']])).toEqual([
      [200, undefined],
      [400, undefined],
      [200, undefined],
    ]);
  });

  test('X-SVC-max-bytes counts before compression', async () => {
    const plain = await post(MANY, { 'X-SVC-max-bytes': '100000' });
    const encoded = await post(MANY, { 'X-SVC-max-bytes': '100000', 'Accept-Encoding': 'gzip' });
    expect(gunzipSync(encoded.bytes).equals(plain.bytes)).toBe(true);
    expect([plain.bytes.byteLength > 99_900, plain.bytes.byteLength <= 100_000]).toEqual([true, true]);
    expect([encoded.trailers['x-svc-truncated'], plain.trailers['x-svc-truncated']]).toEqual(['true', 'true']);
  });
});

describe('a failure after the first byte', () => {
  const FAILING = 'SELECT 1 / (x - 300000) FROM RANGE(0, 400000) x';
  const cases = ['hjson', 'json', 'csv'].flatMap((format) => ['identity', ...ENCODINGS].map((encoding) => [format, encoding] as const));

  test.each(cases)('%s, %s: the body lacks its end, for this client and for fetch, and is no whole document', async (format, encoding) => {
    const headers = { 'X-SVC-output-format': format, 'Accept-Encoding': encoding };
    const answer = await post(FAILING, headers);
    expect([answer.status, answer.isComplete, answer.bytes.byteLength > 0]).toEqual([200, false, true]);
    expect(answer.trailers).toEqual({});
    expect((looksWhole[encoding] ?? looksWhole[format])?.(answer.bytes) ?? false).toBe(false);
    const response = await fetch(`${executor.url}/query`, {
      method: 'POST',
      body: FAILING,
      headers: { Authorization: bearer, ...headers },
    });
    await expect(response.arrayBuffer()).rejects.toThrow('terminated');
  });

  test('over HTTP/1.0, which has no chunks, the connection is reset', async () => {
    const failed = await exchange('POST /query HTTP/1.0', FAILING);
    expect([failed.text.startsWith('HTTP/1.1 200'), failed.hasReset]).toEqual([true, true]);
    const whole = await exchange('POST /query HTTP/1.0', 'SELECT x FROM RANGE(0, 50000) x');
    expect([whole.text.endsWith('\n49999\n'), whole.hasReset, whole.text.toLowerCase().includes('trailer')]).toEqual([true, false, false]);
  });
});

describe('X-SVC-max-bytes', () => {
  const VALUES = '["a", "ä", "😀", "€\\n", "", "zz"]';
  const boundaries: readonly (readonly [string, string, string, readonly string[], string])[] = [
    ['hjson', 'false', VALUES, ['"a"\n', '"ä"\n', '"😀"\n', '"€\\n"\n', '""\n', '"zz"\n'], ''],
    ['hjson', 'true', VALUES, ['"a"\n\r', '"ä"\n\r', '"😀"\n\r', '"€\\n"\n\r', '""\n\r', '"zz"\n\r'], ''],
    ['json', 'false', VALUES, ['["a"', ',"ä"', ',"😀"', ',"€\\n"', ',""', ',"zz"'], ']\n'],
    ['csv', 'false', VALUES, ['value\n', 'a\n', 'ä\n', '😀\n', '"€\n"\n', '""\n', 'zz\n'], ''],
    ['csv', 'true', VALUES, ['value\n\r', 'a\n\r', 'ä\n\r', '😀\n\r', '"€\n"\n\r', '""\n\r', 'zz\n\r'], ''],
    ['csv', 'false', 'SELECT x AS n, "é" AS t FROM [1, 22] x', ['n,t\n', '1,é\n', '22,é\n'], ''],
  ];

  test.each(boundaries)('%s, windows %s: one byte too few drops a value, at %s', async (format, windows, query, values, end) => {
    for (let count = 1; count <= values.length; count += 1) {
      const text = values.slice(0, count).join('') + end;
      const shorter = (values.slice(0, count - 1).join('') || (format === 'json' ? '[' : '')) + end;
      const limit = Buffer.byteLength(text);
      const send = (maxBytes: number): Promise<Answer> =>
        post(query, { 'X-SVC-output-format': format, 'X-SVC-windows-line-ending': windows, 'X-SVC-max-bytes': String(maxBytes) });
      const [below, at, above] = [await send(limit - 1), await send(limit), await send(limit + 1)];
      expect([at.bytes.toString(), above.bytes.toString()]).toEqual([text, text]);
      const isWhole = count === values.length;
      expect([at.headers['x-svc-truncated'], above.headers['x-svc-truncated']]).toEqual(
        isWhole ? [undefined, undefined] : ['true', 'true'],
      );
      // A csv header beyond the limit makes the whole result an error.
      const isRefused = count === 1 && format === 'csv';
      expect([below.status, isRefused ? '' : below.bytes.toString()]).toEqual([isRefused ? 400 : 200, isRefused ? '' : shorter]);
    }
  });

  test.each([
    ['json', 'SELECT x FROM [1] x WHERE FALSE', '[]\n'],
    ['json', '(a: 1, b: "x")', '{"a":1,"b":"x"}\n'],
    ['hjson', '(a: "ä", b: 1)', '{"a":"ä","b":1}\n'],
    ['hjson', '"€"', '"€"\n'],
  ])('%s: what cannot be cut fits or is result_too_large: %s', async (format, query, text) => {
    const statuses: (readonly [number, string])[] = [];
    for (const extra of [-1, 0, 1]) {
      const answer = await post(query, { 'X-SVC-output-format': format, 'X-SVC-max-bytes': String(Buffer.byteLength(text) + extra) });
      statuses.push([
        answer.status,
        answer.status === 200 ? answer.bytes.toString() : (JSON.parse(answer.bytes.toString()) as { readonly code: string }).code,
      ]);
    }
    expect(statuses).toEqual([
      [400, 'result_too_large'],
      [200, text],
      [200, text],
    ]);
  });

  /** Returns the end offsets of the values of a large result, without the trailer; no value contains a line end or a brace. */
  function endsOf(format: string, bytes: string): readonly number[] {
    const end = format === 'json' ? /\}/g : /\n/g;
    return [...bytes.matchAll(end)].map((match) => match.index + 1).slice(format === 'csv' ? 1 : 0);
  }

  test.each([
    ['hjson', 'identity', ''],
    ['json', 'gzip', ']\n'],
    ['csv', 'br', ''],
  ] as const)('a large result is cut in its middle, at the byte, and says so in its trailer: %s, %s', async (format, encoding, suffix) => {
    const headers = { 'X-SVC-output-format': format, 'Accept-Encoding': encoding };
    const read = ({ bytes }: Answer): string => (encoding === 'identity' ? bytes : decode[encoding](bytes)).toString('latin1');
    const query = MANY.replace('length', 'length, é,');
    const whole = await post(query, headers);
    const body = read(whole);
    const ends = endsOf(format, body);
    expect([ends.length, whole.trailers['x-svc-truncated']]).toEqual([50_000, 'false']);
    for (const count of [17_001, 50_000]) {
      const at = (ends[count - 1] ?? 0) + suffix.length;
      for (const [extra, expected] of [
        [-1, count - 1],
        [0, count],
        [1, count],
      ] as const) {
        const cut = await post(query, { ...headers, 'X-SVC-max-bytes': String(at + extra) });
        expect(read(cut) === body.slice(0, ends[expected - 1]) + suffix).toBe(true);
        expect([cut.isComplete, cut.trailers['x-svc-truncated']]).toEqual([true, String(expected < 50_000)]);
      }
    }
  });
});

test('trailers are announced and sent on chunked answers, headers stand in small ones', async () => {
  const [large, small] = [await post(MANY), await post('1')];
  expect(large.headers['trailer']).toBe('X-SVC-Truncated, Server-Timing');
  expect(large.trailers['server-timing']).toMatch(/execute;dur=\d/);
  expect([small.headers['trailer'], small.trailers]).toEqual([undefined, {}]);
  expect(small.headers['server-timing']).toMatch(/execute;dur=\d/);
});

describe('Accept', () => {
  test.each([
    [undefined, 200, 'text/plain; charset=utf-8'],
    ['*/*', 200, 'text/plain; charset=utf-8'],
    ['text/*', 200, 'text/plain; charset=utf-8'],
    ['text/csv', 200, 'text/csv; charset=utf-8'],
    ['TEXT/CSV; charset=utf-8', 200, 'text/csv; charset=utf-8'],
    ['application/x-ndjson', 200, 'application/x-ndjson; charset=utf-8'],
    ['application/json;q=0.5', 200, 'application/json; charset=utf-8'],
    ['application/json,', 200, 'application/json; charset=utf-8'],
    ['text/csv;q=0.9, text/csv', 200, 'text/csv; charset=utf-8'],
    ['application/json, text/csv', 200, 'text/plain; charset=utf-8'],
    ['application/json, */*;q=0.1', 200, 'text/plain; charset=utf-8'],
    ['image/png', 406, 'application/json; charset=utf-8'],
    ['application/json;q=0', 406, 'application/json; charset=utf-8'],
    ['*/*;q=0', 406, 'application/json; charset=utf-8'],
  ])('%p answers %i, %s', async (accept, status, type) => {
    const answer = await post('SELECT x AS x FROM [1] x', accept === undefined ? {} : { Accept: accept });
    expect([answer.status, answer.headers['content-type']]).toEqual([status, type]);
  });

  test('the header of the format decides, whatever Accept says', async () => {
    const answer = await post('[1]', { Accept: 'text/csv', 'X-SVC-output-format': 'json' });
    expect([answer.headers['content-type'], answer.bytes.toString()]).toEqual(['text/plain; charset=utf-8', '[1]\n']);
  });
});
