import type { Express } from 'express';
import request from 'supertest';

import { createExampleApp, good } from '../testing/example-app.ts';

let app: Express;

beforeEach(() => {
  ({ app } = createExampleApp());
});

describe('paths', () => {
  test.each(['/tables/a/', '/Tables/a', '//tables/a', '/tables', '/tables/a/b', '/openapi.json/', '/OPENAPI.json'])(
    '%s does not exist',
    async (path) => {
      const res = await request(app).get(path).set(good);

      expect(res.status).toBe(404);
      expect(res.body).toEqual({ code: 'not_found', message: `There is nothing at the path ${path}.` });
    },
  );

  test('a parameter is decoded, slashes too', async () => {
    const res = await request(app).get('/tables/https%3A%2F%2Fa.b%2Fc').set(good);

    expect(res.body).toEqual({ name: 'https://a.b/c' });
  });

  test('HEAD is answered where GET is, with the same headers and no body', async () => {
    const res = await request(app).head('/tables/a').set(good);

    expect(res.status).toBe(200);
    expect(res.headers['content-length']).toBe('12');
    expect(res.text).toBeUndefined();
  });

  test.each([
    ['post', '/tables/a', 'PUT, GET, HEAD, DELETE'],
    ['head', '/tables_vacuum/a', 'GET'],
    ['get', '/query', 'POST'],
    ['options', '/query', 'POST'],
    ['post', '/openapi.json', 'GET, HEAD'],
  ] as const)('%s %s is not allowed, with Allow: %s', async (method, path, allow) => {
    const res = await request(app)[method](path).set(good);

    expect(res.status).toBe(405);
    expect(res.headers['allow']).toBe(allow);
  });

  test('a route without auth answers without a token, and its other methods too', async () => {
    await request(app).get('/public').expect(200, { caller: null });
    await request(app).delete('/public').expect(405);
    await request(app).get('/public?a=%zz').expect(400);
  });
});
