import { gzipSync } from 'node:zlib';

import type { Express } from 'express';
import request from 'supertest';

import { createExampleApp, exchange, good } from '../testing/example-app.ts';

let app: Express;

beforeEach(() => {
  ({ app } = createExampleApp());
});

describe('text bodies', () => {
  const send = (body: string | Buffer, headers: Record<string, string>) => {
    const pending = request(app).post('/query').set(good).set(headers);
    return pending.send(body);
  };

  test.each(['text/plain', 'text/plain; charset=utf-8', 'text/plain;charset="UTF-8"', 'TEXT/PLAIN; charset=utf8'])(
    '%s is read',
    async (type) => {
      const res = await send('é', { 'Content-Type': type });

      expect(res.text).toBe('ann|é|hjson||10|');
    },
  );

  test.each(['text/plain; charset=latin1', 'application/json', 'application/x-www-form-urlencoded', 'nonsense', ''])(
    '%p is refused',
    async (type) => {
      const res = await send('x', { 'Content-Type': type });

      expect(res.status).toBe(415);
    },
  );

  test('a missing Content-Type is read as text', async () => {
    const answer = await exchange(
      app,
      'POST /query HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good\r\nContent-Length: 2\r\nConnection: close\r\n\r\n\xc3\xa9',
    );

    expect(answer).toContain('ann|\xc3\xa9|hjson');
  });

  test('a byte order mark is dropped', async () => {
    const res = await send(Buffer.from('\uFEFFabc'), { 'Content-Type': 'text/plain' });

    expect(res.text).toBe('ann|abc|hjson||10|');
  });

  test('bytes that are not UTF-8 are a bad request', async () => {
    const res = await send(Buffer.from([0x61, 0xff]), { 'Content-Type': 'text/plain' });

    expect(res.body).toEqual({ code: 'bad_request', message: 'The body is not UTF-8 text.' });
  });

  test('a compressed body is refused', async () => {
    const res = await send(gzipSync('abc'), { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' });

    expect(res.status).toBe(415);
  });

  test('the limit is exact, with and without Content-Length', async () => {
    await send('x'.repeat(1024), { 'Content-Type': 'text/plain' }).expect(200);
    const res = await send('x'.repeat(1025), { 'Content-Type': 'text/plain' });
    const chunked = await exchange(
      app,
      `POST /query HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n401\r\n${'x'.repeat(1025)}\r\n0\r\n\r\n`,
    );

    expect(res.status).toBe(413);
    expect(res.body.message).toBe('The request body is longer than the limit of 1024 bytes.');
    expect(chunked).toMatch(/^HTTP\/1.1 413 /);
  });

  test('option headers are read without regard to the case of their values', async () => {
    const res = await send('q', { 'Content-Type': 'text/plain', 'X-SVC-Output-Format': 'JSON', 'X-SVC-max-bytes': '5' });

    expect(res.text).toBe('ann|q|json|5|10|');
  });

  test.each(['0', '-1', '1.5', '1e3', '', '0x10', ' ', '99999999999999999999'])('an X-SVC-max-bytes of %p is refused', async (value) => {
    const res = await send('q', { 'Content-Type': 'text/plain', 'X-SVC-max-bytes': value });

    expect(res.status).toBe(400);
    expect(res.body.message).toMatch(/^The header X-SVC-max-bytes must be a whole number from 1 to 999999999999999\.$/);
  });
});

test('a query parameter given twice is a bad request that names it, an unknown one is ignored', async () => {
  const twice = await request(app).post('/query?a=1&b=2&a=3').set(good).type('text/plain').send('q');

  expect(twice.body).toEqual({ code: 'bad_request', message: 'The query parameter a is given more than once.' });
  await request(app).post('/query?whatever=1').set(good).type('text/plain').send('q').expect(200);
});
