import type { Express } from 'express';
import request from 'supertest';

import { createExampleApp, good } from '../testing/example-app.ts';

let app: Express;

beforeEach(() => {
  ({ app } = createExampleApp());
});

describe('Accept', () => {
  test.each([
    '*/*',
    'text/*',
    'text/csv',
    'text/plain; charset=utf-8',
    'image/png, */*;q=0.1',
    'application/json',
    'application/problem+json',
    '',
  ])('%p is acceptable', async (accept) => {
    await request(app).post('/query').set(good).set('Accept', accept).type('text/plain').send('q').expect(200);
  });

  test.each(['image/png', 'text/html, application/xml', 'text/plain;q=0, text/html'])('%p is not', async (accept) => {
    const res = await request(app).post('/query').set(good).set('Accept', accept).type('text/plain').send('q');

    expect(res.status).toBe(406);
    expect(res.body).toEqual({
      code: 'not_acceptable',
      message: 'The header Accept excludes every type that the answer could have: text/plain, text/csv.',
    });
  });

  test('an answer without a body is acceptable to everybody', async () => {
    await request(app).delete('/tables/a').set(good).set('Accept', 'image/png').expect(204);
  });

  test.each(['application/problem+json', 'application/json, application/problem+json'])(
    '%s gets errors as problem details',
    async (accept) => {
      const res = await request(app).get('/nowhere').set(good).set('Accept', accept);

      expect(res.headers['content-type']).toBe('application/problem+json; charset=utf-8');
      expect(JSON.parse(res.text)).toMatchObject({ type: 'about:blank', title: 'Not Found', status: 404, code: 'not_found' });
    },
  );

  test.each(['*/*', 'application/*', 'application/problem+json;q=0, */*'])('%s gets the plain form', async (accept) => {
    const res = await request(app).get('/nowhere').set(good).set('Accept', accept);

    expect(res.headers['content-type']).toBe('application/json; charset=utf-8');
  });
});
