import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import type { Express } from 'express';
import request from 'supertest';

import { invalidQuery, ServiceError } from '@svc/errors';

import { createLogger } from '../logging/logger.ts';
import { createHttpMetrics } from '../metrics/http-metrics.ts';
import { routeDefiner, type Route } from '../routes/route.ts';
import { createHttpApp, type HttpAppOptions } from './create-http-app.ts';

const defineRoute = routeDefiner<string>();

const JSON_ANSWER = { 200: { description: 'ok', content: { 'application/json': { type: 'object' } } } } as const;

const routes: readonly Route<string>[] = [
  defineRoute({
    method: 'post',
    path: '/query',
    summary: 'Runs a text.',
    tag: 'queries',
    request: {
      query: { properties: { force: { type: 'boolean' }, limit: { type: 'integer', minimum: 1, default: 10 } } },
      headers: {
        properties: {
          'X-SVC-output-format': { type: 'string', enum: ['json', 'hjson'], default: 'hjson' },
          'X-SVC-max-bytes': { type: 'integer', minimum: 1 },
        },
      },
      body: { kind: 'text', description: 'The query.' },
    },
    responses: { 200: { description: 'ok', content: { 'text/plain': { type: 'string' }, 'text/csv': { type: 'string' } } } },
    errors: ['query errors', 'query_timeout'],
    handler: async ({ body, headers, query, caller }) => ({
      status: 200,
      text: [caller, body, headers['X-SVC-output-format'], headers['X-SVC-max-bytes'], query.limit, query.force].join('|'),
    }),
  }),
  defineRoute({
    method: 'put',
    path: '/tables/:name',
    summary: 'Creates a table.',
    tag: 'tables',
    request: {
      body: {
        kind: 'json',
        schema: {
          type: 'object',
          additionalProperties: false,
          required: ['type'],
          properties: {
            type: { type: 'string', minLength: 1 },
            indexes: { type: 'array', items: { type: 'string' } },
            location: { type: ['string', 'null'] },
          },
        },
      },
    },
    responses: JSON_ANSWER,
    errors: ['table_already_exists'],
    handler: async ({ body, params }) => ({ status: 200, json: { name: params.name, type: body.type, indexes: body.indexes ?? [] } }),
  }),
  defineRoute({
    method: 'get',
    path: '/tables/:name',
    summary: 'A table.',
    tag: 'tables',
    responses: JSON_ANSWER,
    handler: async ({ params }) => ({ status: 200, json: { name: params.name } }),
  }),
  defineRoute({
    method: 'delete',
    path: '/tables/:name',
    summary: 'Deletes a table.',
    tag: 'tables',
    responses: { 204: { description: 'gone' } },
    handler: async () => ({ status: 204 }),
  }),
  defineRoute({
    method: 'get',
    path: '/tables_vacuum/:name',
    summary: 'Changes something.',
    tag: 'tables',
    head: false,
    responses: { 200: { description: 'ok' } },
    handler: async () => ({ status: 200 }),
  }),
  defineRoute({
    method: 'get',
    path: '/failures/:kind',
    summary: 'Fails.',
    tag: 'failures',
    responses: JSON_ANSWER,
    handler: async ({ params, res }) => {
      if (params.kind === 'query') throw invalidQuery([{ message: 'Unknown name "a".', positions: [] }]);
      if (params.kind === 'busy') throw new ServiceError('service_unavailable', 'Busy.', { headers: { 'Retry-After': '3' } });
      if (params.kind === 'late') {
        res.writeHead(200, { 'Content-Type': 'text/plain' });
        res.write('half of the answer');
      }
      throw new Error('password=hunter2 at /var/lib/secret');
    },
  }),
  defineRoute({
    method: 'get',
    path: '/public',
    summary: 'For anybody.',
    tag: 'public',
    auth: 'none',
    responses: JSON_ANSWER,
    handler: async ({ caller }) => ({ status: 200, json: { caller: caller ?? null } }),
  }),
];

let app: Express;
let lines: string[];

beforeEach(() => {
  lines = [];
  app = createApp();
});

function createApp(options: Partial<HttpAppOptions<string>> = {}): Express {
  return createHttpApp<string>({
    description: { title: 'Test', version: '1.0.0', description: 'A service of the tests.' },
    routes,
    authenticate: async (req) => {
      if (req.headers.authorization === 'Bearer good') return 'ann';
      if (req.headers.authorization === 'Bearer weak') throw new ServiceError('forbidden', 'Not allowed.');
      throw new ServiceError('unauthorized', 'Send a token.', { headers: { 'WWW-Authenticate': 'Bearer' } });
    },
    bodyLimitBytes: 1024,
    corsOrigins: [],
    logger: createLogger({ service: 'test', level: 'info', destination: { write: (line) => void lines.push(line) } }),
    metrics: createHttpMetrics(),
    ...options,
  });
}

const as = (name: string) => ({ Authorization: `Bearer ${name}` });
const good = as('good');

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

test('no header tells what the service is built with, and no ETag is made', async () => {
  expect(app.disabled('etag')).toBe(true);
  const res = await request(app).get('/tables/a').set(good);

  expect(Object.keys(res.headers).toSorted()).toEqual(['connection', 'content-length', 'content-type', 'date', 'x-request-id']);
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
        'The query parameter force must be true or false. The query parameter limit must be >= 1. The header X-SVC-output-format must be one of json, hjson.',
    });
  });
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
    expect(res.body.message).toMatch(/^The header X-SVC-max-bytes must be (a whole number|>= 1)\.$/);
  });
});

test('a query parameter given twice is a bad request that names it, an unknown one is ignored', async () => {
  const twice = await request(app).post('/query?a=1&b=2&a=3').set(good).type('text/plain').send('q');

  expect(twice.body).toEqual({ code: 'bad_request', message: 'The query parameter a is given more than once.' });
  await request(app).post('/query?whatever=1').set(good).type('text/plain').send('q').expect(200);
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

  test('an object that would let unknown fields pass cannot be a schema', () => {
    const open = defineRoute({
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
      responses: JSON_ANSWER,
      handler: async () => ({ status: 200 }),
    });

    expect(() => createApp({ routes: [open] })).toThrow('The body of post /open, a has an object that does not say additionalProperties.');
  });
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

  test('the failure of a query has its own form', async () => {
    await request(app)
      .get('/failures/query')
      .set(good)
      .expect(400, { validationErrors: [{ message: 'Unknown name "a".', positions: [] }], runtimeError: null });
  });

  test('headers of an error are sent', async () => {
    const res = await request(app).get('/failures/busy').set(good);

    expect([res.status, res.headers['retry-after']]).toEqual([503, '3']);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', response: { status: 503, code: 'service_unavailable' } });
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

describe('CORS', () => {
  test('without origins no browser may call', async () => {
    const res = await request(app).get('/tables/a').set(good).set('Origin', 'https://app.example.com');

    expect(res.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('a preflight from a listed origin needs no token', async () => {
    const res = await request(createApp({ corsOrigins: ['https://app.example.com'] }))
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
    const res = await request(createApp({ corsOrigins: ['https://app.example.com'] }))
      .get('/tables/a')
      .set('Origin', 'https://app.example.com');

    expect(res.status).toBe(401);
    expect(res.headers['access-control-allow-origin']).toBe('https://app.example.com');
    expect(res.headers['access-control-expose-headers']).toContain('X-SVC-Query-Id');
  });

  test('another origin is not let in', async () => {
    const res = await request(createApp({ corsOrigins: ['https://app.example.com'] }))
      .get('/tables/a')
      .set({ ...good, Origin: 'https://evil.example.com' });

    expect(res.headers['access-control-allow-origin']).toBeUndefined();
  });
});

test('early handlers give their headers to every answer, to a 401 too', async () => {
  const early = createApp({
    early: [
      (_req, res, next) => {
        res.setHeader('Cache-Control', 'no-store');
        next();
      },
    ],
  });

  const res = await request(early).get('/tables/a');

  expect([res.status, res.headers['cache-control']]).toEqual([401, 'no-store']);
});

test('requests are counted by pattern, never by the names in their paths', async () => {
  const metrics = createHttpMetrics();
  const counted = createApp({ metrics });
  await request(counted).get('/tables/a').set(good);
  await request(counted).get('/tables/b').set(good);
  await request(counted).get('/whatever').set(good);

  const text = await metrics.registry.metrics();

  expect(text).toContain('svc_http_requests_total{method="GET",route="/tables/:name",status="200"} 2');
  expect(text).toContain('svc_http_requests_total{method="GET",route="none",status="404"} 1');
  expect(text).not.toContain('whatever');
});

/** One exchange over a real socket, with all its bytes as they are (latin1). */
async function exchange(listener: Express, message: string): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.write(message, 'latin1');
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
  await new Promise((resolve) => server.close(resolve));
  return Buffer.concat(chunks).toString('latin1');
}
