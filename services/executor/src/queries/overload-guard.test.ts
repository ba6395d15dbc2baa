import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Admission } from '@svc/query-runtime';
import { createHttpMetrics, createLogger } from '@svc/service-kit';

import { createOverloadGuard, createRefusalCounter } from './overload-guard.ts';

const never = new AbortController().signal;
const admission = new Admission({ concurrency: 1, concurrencyPerSubject: 1, waitMillis: 60_000, maxWaiting: 2 });
const metrics = createHttpMetrics();
const overloadGuard = createOverloadGuard({
  admission,
  countRefusal: createRefusalCounter(metrics, createLogger({ service: 'overload-guard', level: 'silent' })),
  authenticate: async (req) => ({ subject: req.headers.authorization ?? '', namespace: '', scopes: [], kind: 'token' }),
});
/** Reports that it was reached. */
const server: Server = createServer(
  overloadGuard.guard((req, res) => {
    void overloadGuard.authenticate(req).then(() => {
      if (req.headers['x-stay'] === undefined) res.end('application');
      else staying.push({ arrive: () => overloadGuard.arrive(req), end: () => res.end('application') });
    });
  }),
);
/** Requests that the application has not answered yet. */
const staying: { readonly arrive: () => void; readonly end: () => void }[] = [];
let url: string;
const leaving: (() => void)[] = [];

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a listening TCP server has this kind of address
  leaving.push(await admission.enter('ann', never));
  for (const _ of [1, 2]) void admission.enter('ann', never).then((leave) => leaving.push(leave));
});
afterAll(async () => {
  while (leaving.length > 0) {
    leaving.pop()?.();
    await new Promise(setImmediate);
  }
  server.closeAllConnections();
  server.close();
});

async function post(path: string, who: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url + path, { method: 'POST', body: 'x'.repeat(100_000), headers: { authorization: who, ...headers } });
}

test('a query of a known caller for whom the queue is full is turned away with all that a 503 has', async () => {
  expect(await (await post('/query', 'ann')).text()).toBe('application');
  const answer = await post('/query?x=1', 'ann');
  expect(answer.status).toBe(503);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'retry-after': '5',
    'content-type': 'application/json; charset=utf-8',
    'x-svc-query-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(await answer.json()).toEqual({ code: 'service_unavailable', message: 'Too many queries are running. Try again later.' });
  expect(await metrics.registry.getSingleMetricAsString('svc_queries_refused_total')).toMatch(/svc_queries_refused_total 1$/);
});

test.each([
  ['a caller who is not known', '/query', 'eve', {}],
  ['a caller with fewer in the queue', '/query', 'bob', {}],
  ['another path', '/query-validate', 'ann', {}],
  ['a browser', '/query', 'ann', { origin: 'https://example.com' }],
  ['who wants problem details', '/query', 'ann', { accept: 'application/problem+json' }],
  ['who has an id of its own', '/query', 'ann', { 'x-request-id': 'a' }],
])('%s is answered by the application', async (_, path, who, headers) => {
  for (const _again of [1, 2]) expect(await (await post(path, who, headers)).text()).toBe('application');
});

test('a query that passed the guard counts until it asks for its place, or its request ends', async () => {
  // Frees one of the two slots of the queue.
  leaving.pop()?.();
  await new Promise(setImmediate);
  expect(admission.load()).toEqual({ running: 1, waiting: 1 });
  for (const end of ['arrive', 'end'] as const) {
    expect(await (await post('/query', 'ann')).text()).toBe('application');
    const stays = post('/query', 'ann', { 'x-stay': 'yes' }).then(async (answer) => answer.text());
    while (staying.length === 0) await new Promise(setImmediate);
    expect((await post('/query', 'ann')).status).toBe(503);
    const [request] = staying.splice(0);
    request?.[end]();
    if (end === 'end') await stays;
    expect(await (await post('/query', 'ann')).text()).toBe('application');
    request?.end();
    expect(await stays).toBe('application');
  }
});
