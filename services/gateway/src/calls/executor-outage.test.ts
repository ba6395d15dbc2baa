import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { freePort } from '@svc/local-stack';
import { eventually } from '@svc/test-kit';

import { administrate } from '../testing/administrate.ts';
import { ask } from '../testing/ask.ts';
import { startExecutorProcess, type ExecutorProcess } from '../testing/executor-process.ts';
import { startGatewayUnderTest, startReplica, type GatewayUnderTest } from '../testing/gateway-under-test.ts';

let gateway: GatewayUnderTest;
let executor: ExecutorProcess;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  executor = await startExecutorProcess(gateway.env);
  await executor.putPackage(
    'p',
    `@get("/one", visibility := "public") one() := 1;
     @get("/rows", visibility := "public") rows(n: int) := SELECT i AS i, REPLICATE("x", 100) AS t FROM RANGE(0, n) AS i;
     @get("/long", visibility := "public") long_one() := SELECT COUNT(*) AS n FROM RANGE(0, 90000) AS a, RANGE(0, 90000) AS b, RANGE(0, 90000) AS c WHERE a + b + c < 5;`,
  );
  await administrate(gateway).putApplication('app', 'application: app\npackages: [p]');
}, 120_000);
afterAll(async () => {
  await executor.end();
  await gateway.close();
});

async function withReplica(env: Readonly<Record<string, string>>, use: (url: string) => Promise<void>): Promise<void> {
  const { url, close } = await startReplica({ env: { ...gateway.env, ...env } });
  try {
    await use(url);
  } finally {
    await close();
  }
}

test('without an executor an endpoint is unavailable, and says when to come again', async () =>
  withReplica({ SVC_EXECUTOR_URL: `http://127.0.0.1:${await freePort()}` }, async (url) => {
    expect(await ask(url, 'get', '/app/1/public/one')).toMatchObject({
      status: 503,
      body: { code: 'service_unavailable' },
      headers: { 'retry-after': expect.any(String) },
    });
  }));

test('a package that is deleted between its look-up and the call makes the endpoint unavailable, and is not named', async () => {
  const refusal = JSON.stringify({ code: 'package_not_found', message: 'Package "p" does not exist.' });
  const late = createServer((_req, res) => {
    res.writeHead(400, { 'Content-Type': 'application/json', 'Content-Length': refusal.length }).end(refusal);
  }).listen(0, '127.0.0.1');
  await once(late, 'listening');
  const { port } = late.address() as AddressInfo; // a listening TCP server has this kind of address
  await withReplica({ SVC_EXECUTOR_URL: `http://127.0.0.1:${port}` }, async (url) => {
    const message = 'The endpoint cannot be answered now: its definition does not fit its package.';
    expect(await ask(url, 'get', '/app/1/public/one')).toMatchObject({ status: 503, body: { code: 'service_unavailable', message } });
    expect((await ask(url, 'head', '/app/1/public/one')).status).toBe(503);
  });
  late.close();
});

test('a package whose own imports are deleted makes the endpoint unavailable, and none of them is named', async () => {
  await executor.putPackage('inner', 'f(x: int) := x + 1');
  await executor.putPackage('outer', 'FROM inner IMPORT f; @get("/more", visibility := "public") more(x: int) := f(x);');
  await administrate(gateway).putApplication('broken', 'application: broken\npackages: [outer]');
  expect(await ask(gateway.url, 'get', '/broken/1/public/more?x=1')).toMatchObject({ status: 200, body: 2 });
  expect((await ask(gateway.url, 'get', '/broken/1/public/more?x=2147483647')).status).toBe(400);
  await executor.deletePackage('inner');
  await eventually(async () => {
    const { status, body } = await ask(gateway.url, 'get', '/broken/1/public/more?x=1');
    expect([status, body]).toEqual([503, expect.objectContaining({ code: 'service_unavailable' })]);
    expect(JSON.stringify(body)).not.toContain('inner');
  });
});

test('a gateway that gets no token of its own is unavailable, and shows nothing of why', () =>
  withReplica({ SVC_GATEWAY_CLIENT_SECRET: 'a wrong secret' }, async (url) => {
    const { status, body } = await ask(url, 'get', '/app/1/public/one');
    expect([status, body]).toEqual([
      503,
      { code: 'service_unavailable', message: 'The endpoint cannot be answered now. Try again later.' },
    ]);
  }));

test('a token endpoint that is configured is used in place of the metadata of the issuer', async () => {
  const { SVC_TOKEN_ISSUER: issuer, SVC_EXECUTOR_URL: executorUrl = '' } = gateway.env;
  const elsewhere = { SVC_TOKEN_ISSUER: `http://127.0.0.1:${await freePort()}`, SVC_EXECUTOR_URL: executorUrl };
  await withReplica(elsewhere, async (url) => {
    expect((await ask(url, 'get', '/app/1/public/one')).status).toBe(503);
  });
  await withReplica({ ...elsewhere, SVC_TOKEN_URL: `${issuer}/token` }, async (url) => {
    expect((await ask(url, 'get', '/app/1/public/one')).status).toBe(200);
  });
});

test(
  'a gateway that may not act for others is unavailable, and no caller is refused in its place',
  () =>
    withReplica({ SVC_EXECUTOR_URL: gateway.env['SVC_EXECUTOR_URL'] ?? '' }, async (url) => {
      const port = String(await freePort());
      const strict = await startExecutorProcess({ ...gateway.env, SVC_EXECUTOR_PORT: port, SVC_ACT_AS_CLIENT_ID: 'another' });
      try {
        expect((await ask(url, 'get', '/app/1/public/one')).status).toBe(200);
        await withReplica({ SVC_EXECUTOR_URL: strict.url }, async (refused) => {
          expect((await ask(refused, 'get', '/app/1/public/one')).status).toBe(503);
        });
      } finally {
        await strict.end();
      }
    }),
  60_000,
);

test('an answer that does not begin in time is given up', () =>
  withReplica({ SVC_GATEWAY_TIMEOUT_MS: '1000' }, async (url) => {
    expect(await ask(url, 'get', '/app/1/public/long')).toMatchObject({ status: 504, body: { code: 'query_timeout' } });
  }));

test('where the executor breaks off, so does the answer, and it never looks complete', async () => {
  const doomed = await startExecutorProcess({ ...gateway.env, SVC_EXECUTOR_PORT: String(await freePort()) });
  await withReplica({ SVC_EXECUTOR_URL: doomed.url }, async (url) => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    get(`${url}/app/1/public/rows?n=90000`, resolve).on('error', reject);
    const answer = await promise;
    // Nothing is read: the rest stays in the executor, which is killed.
    const ended = new Promise<void>((settle) => answer.once('close', () => settle()));
    await doomed.end('SIGKILL');
    answer.on('error', () => undefined).resume();
    await ended;
    expect(answer.complete).toBe(false);
  });
}, 60_000);

test('long answers go through the gateway and are not held by it', async () => {
  const before = process.memoryUsage().rss;
  const answers = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      get(`${gateway.url}/app/1/public/rows?n=99000`, resolve).on('error', reject);
      return promise;
    }),
  );
  const lengths = await Promise.all(
    answers.map(async (answer) => {
      let length = 0;
      for await (const piece of answer) length += (piece as Buffer).length; // no encoding is set
      return length;
    }),
  );
  expect(new Set(lengths).size).toBe(1);
  expect(lengths[0]).toBeGreaterThan(10_000_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  await eventually(async () => expect((await ask(gateway.url, 'get', '/app/1/public/one')).status).toBe(200));
});
