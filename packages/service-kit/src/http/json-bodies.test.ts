import type { Express } from 'express';
import request from 'supertest';

import { routeDefiner } from '../routes/route.ts';
import { createExampleApp, good } from '../testing/example-app.ts';

const PORT = { type: 'integer', minimum: 1, maximum: 65_535 } as const;

let app: Express;

beforeEach(() => {
  ({ app } = createExampleApp());
});

describe('JSON bodies', () => {
  const put = (body: string | Buffer) => request(app).put('/tables/t').set(good).set('Content-Type', 'application/json').send(body);

  test('a valid one reaches the handler', async () => {
    const res = await put('{"type": "collection(int)", "location": null}');

    expect([res.status, res.body]).toEqual([200, { name: 't', type: 'collection(int)', indexes: [] }]);
  });

  test('every fault is named at once', async () => {
    const res = await put('{"indxes": [], "indexes": ["a", 1, null], "location": 5}');

    expect(res.status).toBe(400);
    expect(res.body).toEqual({
      code: 'bad_request',
      message:
        'The field type is missing. The field indxes is unknown (known: type, indexes, location). ' +
        'The field indexes[1] must be a string. The field indexes[2] must be a string. The field location must be a string or null.',
    });
  });

  test('a choice of forms names the one that is meant, or the types that are possible; bounds and types are one sentence', async () => {
    const index = {
      anyOf: [
        { type: 'string' },
        { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', maxLength: 3 } },
        { type: 'object', additionalProperties: false, required: ['field'], properties: { field: { type: 'string' } } },
      ],
    } as const;
    const properties = {
      indexes: { type: 'array', maxItems: 10, items: index },
      limit: { anyOf: [{ type: 'object', additionalProperties: false, properties: { n: PORT } }, { type: 'null' }] },
      port: PORT,
      seconds: { type: 'integer', minimum: 1 },
      vendor: { type: 'string', enum: ['postgresql'] },
      tls: { type: ['boolean', 'null'] },
    } as const;
    const choose = routeDefiner<string>()({
      method: 'post',
      path: '/choose',
      summary: '',
      tag: '',
      request: { body: { kind: 'json', schema: { type: 'object', additionalProperties: false, properties } } },
      responses: { 200: { description: 'ok' } },
      handler: async () => ({ status: 200 }),
    });
    const { app: chooser } = createExampleApp({ routes: [choose] });
    const send = async (body: object) =>
      ((await request(chooser).post('/choose').set(good).send(body)).body as { message?: string }).message;
    expect(await send({ indexes: [5, [], ['a', 'a', 'long'], { feld: 1 }, { field: null }] })).toBe(
      'The field indexes[0] must be a string, an array or an object. The field indexes[1] must not be empty. ' +
        'The field indexes[2][2] must have at most 3 characters. The field indexes[2] must not hold the same twice: [0] and [1]. ' +
        'The field indexes[3].field is missing. The field indexes[3].feld is unknown (known: field). The field indexes[4].field must be a string.',
    );
    expect(await send({ limit: { n: 0 }, port: '1', seconds: 0, vendor: null, tls: 'x', indexes: 1 })).toBe(
      'The field indexes must be an array. The field limit.n must be a whole number from 1 to 65535. The field port must be a whole number from 1 to 65535. ' +
        'The field seconds must be a whole number of at least 1. The field vendor must be postgresql. ' +
        'The field tls must be true, false or null.',
    );
    expect(await send({ limit: 5 })).toBe('The field limit must be an object or null.');
    expect(await send({ limit: null, tls: null, port: 1 })).toBeUndefined();
  });

  test.each(['[]', '1', 'null', '"text"'])('%s is refused: the body must be an object', async (body) => {
    expect((await put(body)).body).toEqual({ code: 'bad_request', message: 'The body must be an object.' });
  });

  test('a field named __proto__ is an unknown field', async () => {
    expect((await put('{"type": "int", "__proto__": {"a": 1}}')).body.message).toContain('The field __proto__ is unknown');
  });

  test.each(['{', '{"type": "sesame" x}', 'sesame', '', '\u0000'])('%p is refused as JSON, and is not shown', async (body) => {
    const res = await put(body);

    expect(res.body.code).toBe('bad_request');
    expect(res.body.message).toMatch(/^The body is (not JSON|empty)/);
    expect(res.body.message).not.toContain('sesame');
  });

  test('a thousand faults make an answer of a hundred', async () => {
    const res = await put(JSON.stringify({ type: 'a', indexes: Array.from({ length: 300 }, () => 0) }));

    expect(res.body.message).toMatch(/ And 200 more\.$/);
  });

  test('where digits matter, numbers come as they were written', async () => {
    const echo = routeDefiner<string>()({
      method: 'post',
      path: '/echo',
      summary: '',
      tag: '',
      request: { body: { kind: 'json', schema: { type: 'object' }, keepsDigits: true } },
      responses: { 200: { description: 'ok' } },
      handler: async ({ body }) => ({ status: 200, text: JSON.stringify(body) }),
    });
    const text = '{"a":9007199254740993,"b":[1.10,{"c":1e400}],"d":5,"e":"1.0"}';
    const res = await request(createExampleApp({ routes: [echo] }).app)
      .post('/echo')
      .set(good)
      .set('Content-Type', 'application/json')
      .send(text);

    expect(res.text).toBe(text);
  });

  test('an object that would let unknown fields pass cannot be a schema', () => {
    const open = routeDefiner<string>()({
      method: 'post',
      path: '/open',
      summary: '',
      tag: '',
      request: {
        body: {
          kind: 'json',
          schema: { type: 'object', properties: { a: { type: 'object', properties: {} } }, additionalProperties: false },
        },
      },
      responses: { 200: { description: 'ok' } },
      handler: async () => ({ status: 200 }),
    });

    expect(() => createExampleApp({ routes: [open] })).toThrow(
      'The body of post /open, a has an object that does not say additionalProperties.',
    );
  });
});
