import type { Express } from 'express';
import request from 'supertest';

import { failedQuery, ServiceError } from '@svc/errors';

import { createHttpMetrics } from '../metrics/http-metrics.ts';
import { createExampleApp, exchange, good } from '../testing/example-app.ts';

let app: Express;
let lines: readonly string[];

beforeEach(() => {
  ({ app, lines } = createExampleApp());
});

describe('request id', () => {
  test('a usable one is taken and echoed, in the log too', async () => {
    const res = await request(app).get('/tables/a').set(good).set('X-Request-Id', 'abc-1');

    expect(res.headers['x-request-id']).toBe('abc-1');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      request: { id: 'abc-1', method: 'GET', path: '/tables/a' },
      response: { status: 200 },
    });
  });

  test.each(['', 'a b', 'x'.repeat(129), '"quoted"'])('%p is replaced by one of ours', async (given) => {
    const res = await request(app).get('/tables/a').set(good).set('X-Request-Id', given);

    expect(res.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

test('the log holds no header, no body and nothing after the question mark', async () => {
  await request(app).post('/query?token=sesame').set(good).set('Cookie', 'c=sesame').type('text/plain').send('sesame').expect(200);

  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toMatch(/sesame|good/);
});

describe('failures', () => {
  test('an unexpected error shows its request id only, and its cause is in the one log line', async () => {
    const res = await request(app).get('/failures/any').set(good).set('X-Request-Id', 'r-9');

    expect(res.status).toBe(500);
    expect(res.body).toEqual({ code: 'internal_error', message: 'Something went wrong inside the service. The request id is r-9.' });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'error',
      request: { id: 'r-9' },
      err: { message: 'password=hunter2 at /var/lib/secret' },
    });
  });

  test('what a service knows better is answered so', async () => {
    const { app: knowing } = createExampleApp({ toPublic: () => new ServiceError('forbidden', 'Not today.') });
    await request(knowing).get('/failures/any').set(good).expect(403, { code: 'forbidden', message: 'Not today.' });
  });

  test('the failure of a query has its own form', async () => {
    await request(app)
      .get('/failures/query')
      .set(good)
      .expect(400, { validationErrors: [{ message: 'Unknown name "a".', positions: [] }], runtimeError: null });
  });

  test.each([
    ['warn', 'written', Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })],
    ['warn', 'spilled', new Error('IO Error: Could not write all bytes: No space left on device')],
    ['warn', 'written by SQLite', Object.assign(new Error('database or disk is full'), { errcode: 13 })],
    ['info', 'more than it may use', new Error('Out of Memory Error: max_temp_directory_size')],
  ])('is logged as %s where what a query needs is %s', async (level, _, reason) => {
    const cause = new Error('spool-full', { cause: reason });
    const full = createExampleApp({ toPublic: () => failedQuery({ message: 'no room', positions: [] }, { cause }) });
    await request(full.app).get('/failures/any').set(good).expect(400);
    expect(full.lines).toHaveLength(1);
    expect(JSON.parse(full.lines[0] ?? '')).toMatchObject({ level, response: { status: 400, code: 'query_failure' } });
    expect(full.lines[0]).toContain(reason.message);
  });

  test('headers of an error are sent', async () => {
    const res = await request(app).get('/failures/busy').set(good);

    expect([res.status, res.headers['retry-after']]).toEqual([503, '3']);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', response: { status: 503, code: 'service_unavailable' } });
    expect(lines[0]).not.toMatch(/stack|"err"/);
  });

  test('an answer that has begun is cut off without its last chunk', async () => {
    const answer = await exchange(app, 'GET /failures/late HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good\r\n\r\n');

    expect(answer).toMatch(/half of the answer\r\n$/);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'error',
      err: { message: 'password=hunter2 at /var/lib/secret' },
      response: { code: 'internal_error' },
    });
  });
});

test('requests are counted by pattern, never by the names in their paths', async () => {
  const metrics = createHttpMetrics();
  const counted = createExampleApp({ metrics }).app;
  await request(counted).get('/tables/a').set(good);
  await request(counted).get('/tables/b').set(good);
  await request(counted).get('/whatever').set(good);

  const text = await metrics.registry.metrics();

  expect(text).toContain('svc_http_requests_total{method="GET",route="/tables/:name",status="200"} 2');
  expect(text).toContain('svc_http_requests_total{method="GET",route="none",status="404"} 1');
  expect(text).not.toContain('whatever');
});
