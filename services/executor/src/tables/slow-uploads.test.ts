import { request, type ClientRequest } from 'node:http';

import { eventually } from '@svc/test-kit';

import { ask } from '../testing/ask.ts';
import { DATABASE_CONNECTIONS, startExecutorUnderTest, type ExecutorUnderTest } from '../testing/executor-under-test.ts';

let executor: ExecutorUnderTest;
beforeAll(async () => {
  executor = await startExecutorUnderTest({ waitMillis: 500 });
});
afterAll(() => executor.close());

const ROWS = { 'Content-Type': 'application/x-ndjson' };

/** An upload that has begun and does not end, with the status of its answer. */
function beginUpload(token: string): { readonly req: ClientRequest; readonly status: Promise<number> } {
  const { promise: status, resolve } = Promise.withResolvers<number>();
  const headers = { ...ROWS, Authorization: `Bearer ${token}` };
  const req = request(`${executor.url}/tables/t/rows`, { method: 'POST', headers }, (res) => {
    res.resume();
    resolve(res.statusCode ?? 0);
  });
  req.on('error', () => resolve(0));
  req.write('{"a":1}\n');
  return { req, status };
}

test('uploads of one caller that do not end leave room for those of others, and are refused past half of the places', async () => {
  const [ann, bob] = [await executor.token('ann'), await executor.token('bob')];
  for (const as of [ann, bob]) await ask(executor.url, 'put', '/tables/t', { as, body: { type: 'collection(record(a: int))' } });
  const uploads = Array.from({ length: 10 }, () => beginUpload(ann));
  const refused: number[] = [];
  for (const { status } of uploads) void status.then((code) => refused.push(code));
  const places = Math.ceil((DATABASE_CONNECTIONS - 1) / 2);
  await eventually(() => expect(refused).toEqual(Array.from({ length: 10 - places }, () => 503)));
  const answer = await ask(executor.url, 'post', '/tables/t/rows', { as: bob, body: '{"a":1}\n', headers: ROWS });
  expect([answer.status, answer.body]).toEqual([200, { rows: 1 }]);
  expect((await ask(executor.url, 'post', '/query', { as: bob, body: 'SELECT COUNT(*) FROM t' })).status).toBe(200);
  for (const { req } of uploads) req.destroy();
  await eventually(async () =>
    expect((await ask(executor.url, 'post', '/tables/t/rows', { as: ann, body: '{"a":2}\n', headers: ROWS })).status).toBe(200),
  );
});
