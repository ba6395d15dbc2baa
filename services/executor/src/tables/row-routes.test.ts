import { setImmediate } from 'node:timers/promises';
import { gzipSync, zstdCompressSync } from 'node:zlib';

import { eventually } from '@svc/test-kit';

import { startExecutorUnderTest, type ExecutorUnderTest } from '../testing/executor-under-test.ts';
import { refusal, tableRequests } from '../testing/table-requests.ts';

let executor: ExecutorUnderTest;
let ann: string;

beforeAll(async () => {
  executor = await startExecutorUnderTest({ concurrency: 8 });
  ann = await executor.token('ann');
});
afterAll(() => executor.close());

const { answer, put, send } = tableRequests(() => ({ url: executor.url, token: ann }));

test('rows are stored all or none, and errors name line and field', async () => {
  await put('people', { type: 'collection(record(id: int, name: string nullable))' });
  expect(await send('people', '{"id":1,"name":"Ann"}\n{"id":2}\n')).toEqual([200, { rows: 2 }]);
  expect(await send('people', 'name,id\n"Bo, jr",3\n', { headers: { 'Content-Type': 'text/csv; charset=UTF-8' } })).toEqual([
    200,
    { rows: 1 },
  ]);
  expect(await send('people', '{"id":4}\n{"id":"x"}\n')).toEqual(
    refusal('bad_request', /^No row was stored: line 2, field id: expected int .*, found "x"\.$/),
  );
  expect(await send('people', '')).toEqual([200, { rows: 0 }]);
  expect(await send('nope', '{"id":1}')).toEqual(refusal('table_not_found', 'Table "nope" does not exist.'));
  expect(await answer('get', '/tables_optimize/people')).toEqual([200, '']);
  expect(await answer('post', '/tables_vacuum/people')).toEqual([200, '']);
});

test('rows may be compressed, and nothing else may be said of them', async () => {
  await put('packed');
  const lines = '{"a":1}\n'.repeat(10_000);
  expect(await send('packed', gzipSync(lines), { headers: { 'Content-Encoding': 'gzip' } })).toEqual([200, { rows: 10_000 }]);
  expect(await send('packed', zstdCompressSync(lines), { headers: { 'Content-Encoding': 'zstd' } })).toEqual([200, { rows: 10_000 }]);
  for (const [encoding, compress] of [
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
  ] as const) {
    const joined = Buffer.concat([compress(lines), compress('{"a":2}\n')]);
    expect(await send('packed', joined, { headers: { 'Content-Encoding': encoding } })).toEqual([200, { rows: 10_001 }]);
    const broken = await send('packed', Buffer.concat([compress(lines), Buffer.from('more')]), {
      headers: { 'Content-Encoding': encoding },
    });
    expect(broken).toEqual(refusal('bad_request', 'The compressed body is broken.'));
  }
  expect(await send('packed', Buffer.from('not gzip'), { headers: { 'Content-Encoding': 'gzip' } })).toEqual(
    refusal('bad_request', 'The compressed body is broken.'),
  );
  const [status, body] = await send('packed', 'x', { headers: { 'Content-Encoding': 'br' } });
  expect([status, body]).toEqual([
    415,
    { code: 'unsupported_media_type', message: 'The Content-Encoding must be gzip or zstd, found "br".' },
  ]);
  expect(await send('packed', 'x', { headers: { 'Content-Type': 'application/json' } })).toMatchObject([
    415,
    { code: 'unsupported_media_type' },
  ]);
});

test.each(['constructor', '__proto__', 'hasOwnProperty', 'valueOf', 'gzip, gzip', 'toString\t'])(
  'a name that every object has is no compression: %j is refused like any other',
  async (encoding) => {
    await put(`odd_${encoding.length}`);
    expect(await send(`odd_${encoding.length}`, '{"a":1}', { headers: { 'Content-Encoding': encoding } })).toEqual([
      415,
      {
        code: 'unsupported_media_type',
        message: `The Content-Encoding must be gzip or zstd, found ${JSON.stringify(encoding.trim().toLowerCase())}.`,
      },
    ]);
  },
);

test('rows sent again under their key are stored once', async () => {
  await put('keyed');
  const headers = { 'Idempotency-Key': 'a key' };
  const results = await Promise.all(Array.from({ length: 5 }, () => send('keyed', '{"a":1}\n{"a":2}\n', { headers })));
  expect(results).toEqual(results.map(() => [200, { rows: 2 }]));
  expect(await send('keyed', '{"a":3}\n', { headers })).toEqual(refusal('bad_request', /^This Idempotency-Key was used for other rows/));
  expect(await send('keyed', '{"a":3}\n', { headers: { 'Idempotency-Key': '' } })).toMatchObject([400, { code: 'bad_request' }]);
});

test('rows of a body that the client does not end are not stored, and its table can be deleted', async () => {
  await put('cut');
  const controller = new AbortController();
  let pieces = 0;
  const body = new ReadableStream({
    pull: async (stream) => {
      stream.enqueue(Buffer.from('{"a":1}\n'.repeat(1000)));
      pieces += 1;
      await setImmediate();
      if (pieces < 100) return;
      controller.abort();
      stream.error(new Error('the client has gone')); // or else it would be pulled for ever
    },
  });
  const cut = fetch(`${executor.url}/tables/cut/rows`, {
    method: 'POST',
    body,
    duplex: 'half',
    signal: controller.signal,
    headers: { Authorization: `Bearer ${ann}`, 'Content-Type': 'application/x-ndjson' },
  } as RequestInit);
  await expect(cut).rejects.toThrow('aborted');
  await eventually(async () => expect(await answer('delete', '/table/cut')).toEqual([204, '']));
});

test('texts that are long and odd are read in time that grows with their length', async () => {
  await put('odd', { type: 'collection(record(a: string nullable, d: decimal nullable))' });
  const csv = { headers: { 'Content-Type': 'text/csv' } };
  const began = performance.now();
  expect(await send('odd', `a,d\n"${'x\n'.repeat(200_000)}",1\n`, csv)).toEqual([200, { rows: 1 }]);
  expect(await send('odd', `a,d\n"${'x ""y""\n'.repeat(100_000)}`, csv)).toEqual(refusal('bad_request', /a quoted cell does not end/));
  expect(await send('odd', `a,d\n"x\ny" z,1\n`, csv)).toEqual(refusal('bad_request', /text after the closing quote/));
  expect(await send('odd', `{"d":"${'0'.repeat(100_000)}1"}\n`)).toEqual([200, { rows: 1 }]);
  expect(await send('odd', `{"d":"1.${'0'.repeat(100_000)}1"}\n`)).toEqual(refusal('bad_request', /field d: expected decimal/));
  expect(performance.now() - began).toBeLessThan(5000);
});
