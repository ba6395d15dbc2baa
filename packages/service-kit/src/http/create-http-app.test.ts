import type { Express } from 'express';
import request from 'supertest';

import { as, createExampleApp, exchange, good } from '../testing/example-app.ts';

let app: Express;

beforeEach(() => {
  ({ app } = createExampleApp());
});

test('no header tells what the service is built with, and no ETag is made', async () => {
  expect(app.disabled('etag')).toBe(true);
  const res = await request(app).get('/tables/a').set(good);

  expect(Object.keys(res.headers).toSorted()).toEqual(['connection', 'content-length', 'content-type', 'date', 'x-request-id']);
});

test.each([
  ['1.1', 400],
  ['1.0', 200],
])('a request of HTTP/%s without Host is answered %i in our form, with the headers of every answer', async (version, status) => {
  const answer = await exchange(app, `GET /public HTTP/${version}\r\nConnection: close\r\n\r\n`);

  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\r\nX-Request-Id: `));
  expect(answer.includes('{"code":"bad_request","message":"The header Host is missing."}')).toBe(status === 400);
});

test('a request with two headers Host is refused, and one with a header of a similar name is not', async () => {
  const twice = await exchange(app, 'GET /public HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n');
  expect(twice).toMatch(/^HTTP\/1\.1 400 /);
  expect(twice).toContain('{"code":"bad_request","message":"The header Host is given more than once."}');
  expect(await exchange(app, 'GET /public HTTP/1.1\r\nHost: a\r\nHosT2: b\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
});

test('a Host that is none is refused', async () => {
  for (const host of ['a b', 'a"<', 'a/b', 'user@a'])
    expect(await exchange(app, `GET /public HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toContain(
      '{"code":"bad_request","message":"The header Host must be a host, with or without a port."}',
    );
  for (const host of ['', 'a-b_c.example:8080', '[::1]:80', '127.0.0.1'])
    expect(await exchange(app, `GET /public HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
});

test('the description of a service is made once, and has an ETag', async () => {
  const first = await request(app).get('/openapi.json').expect(200);
  expect(first.body).toMatchObject({ openapi: '3.1.0' });
  const again = await request(app).get('/openapi.json').set('If-None-Match', String(first.headers['etag'])).expect(304);
  expect(again.text).toBe('');
  await request(app).get('/openapi.json').set('If-None-Match', '"another"').expect(200);
  const plain = await request(app).get('/openapi.json').set('Accept-Encoding', 'identity').expect(200);
  expect([plain.headers['content-encoding'], plain.headers['vary']]).toEqual([undefined, 'Accept-Encoding']);
  expect(first.body).toEqual(plain.body);
  for (const encoding of ['gzip', 'br']) {
    const head = await request(app).head('/openapi.json').set('Accept-Encoding', encoding).expect(200);
    expect(head.headers).toMatchObject({ 'content-encoding': encoding, 'content-type': 'application/json; charset=utf-8' });
    expect(Number(head.headers['content-length'])).toBeLessThan(Number(plain.headers['content-length']) / 2);
    await request(app).get('/openapi.json').set('If-None-Match', String(head.headers['etag'])).expect(304);
  }
});

describe('order of checks', () => {
  const long = 'x'.repeat(2000);

  test.each([
    ['401 before bad encoding', 'get', '/tables/%zz', {}, 401],
    ['401 before 404', 'get', '/nowhere', {}, 401],
    ['401 before 405', 'post', '/tables/a', {}, 401],
    ['403 before bad encoding', 'get', '/tables/%zz', as('weak'), 403],
    ['bad encoding before 404', 'get', '/nowhere/%zz', good, 400],
    ['bad encoding in the query before 404', 'get', '/nowhere?a=%ff', good, 400],
    ['404', 'get', '/nowhere', good, 404],
    ['405 before 406', 'post', '/tables/a', { ...good, Accept: 'image/png' }, 405],
    ['406 before 415', 'post', '/query?force=maybe', { ...good, Accept: 'image/png', 'Content-Type': 'text/html' }, 406],
    ['415 before 413', 'post', '/query?force=maybe', { ...good, 'Content-Type': 'text/html' }, 415],
    ['413 before query parameters', 'post', '/query?force=maybe', { ...good, 'Content-Type': 'text/plain' }, 413],
  ] as const)('%s', async (_name, method, path, headers, status) => {
    const res = await request(app)[method](path).set(headers).send(long);

    expect(res.status).toBe(status);
    expect(res.body).toEqual({ code: expect.any(String), message: expect.any(String) });
  });

  test('query parameters and option headers before the bytes of the body, all named at once', async () => {
    const res = await request(app)
      .post('/query?force=maybe&limit=0')
      .set(good)
      .set('X-SVC-output-format', 'xml')
      .type('text/plain')
      .send(Buffer.from([0xff, 0xfe]));

    expect(res.status).toBe(400);
    expect(res.body).toEqual({
      code: 'bad_request',
      message:
        'The query parameter force must be true or false. The query parameter limit must be a whole number from 1 to 999999999999999. The header X-SVC-output-format must be one of json, hjson.',
    });
  });
});

describe('CORS', () => {
  test('without origins no browser may call', async () => {
    const res = await request(app).get('/tables/a').set(good).set('Origin', 'https://app.example.com');

    expect(res.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('a preflight from a listed origin needs no token', async () => {
    const res = await request(createExampleApp({ corsOrigins: ['https://app.example.com'] }).app)
      .options('/query')
      .set({
        Origin: 'https://app.example.com',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization',
      });

    expect(res.status).toBe(204);
    expect(res.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-allow-headers': 'authorization',
    });
  });

  test('an answer to a listed origin, an error too, lets scripts read our headers', async () => {
    const res = await request(createExampleApp({ corsOrigins: ['https://app.example.com'] }).app)
      .get('/tables/a')
      .set('Origin', 'https://app.example.com');

    expect(res.status).toBe(401);
    expect(res.headers['access-control-allow-origin']).toBe('https://app.example.com');
    expect(res.headers['access-control-expose-headers']).toContain('X-SVC-Query-Id');
    expect(res.headers['access-control-expose-headers']).toContain('Link');
  });

  test('an answer that varies by other headers still varies by the origin', async () => {
    const { app: open } = createExampleApp({ corsOrigins: ['https://app.example.com'] });
    const { headers } = await request(open).get('/openapi.json').expect(200);

    expect(headers['vary']).toBe('Origin, Accept-Encoding');
    const again = await request(open).get('/openapi.json').set('If-None-Match', String(headers['etag'])).expect(304);
    expect(again.headers['vary']).toBe('Origin, Accept-Encoding');
  });

  test('another origin is not let in', async () => {
    const res = await request(createExampleApp({ corsOrigins: ['https://app.example.com'] }).app)
      .get('/tables/a')
      .set({ ...good, Origin: 'https://evil.example.com' });

    expect(res.headers['access-control-allow-origin']).toBeUndefined();
  });
});

test('early handlers give their headers to every answer, to a 401 too', async () => {
  const early = createExampleApp({
    early: [
      (_req, res, next) => {
        res.setHeader('Cache-Control', 'no-store');
        next();
      },
    ],
  }).app;

  const res = await request(early).get('/tables/a');

  expect([res.status, res.headers['cache-control']]).toEqual([401, 'no-store']);
});
