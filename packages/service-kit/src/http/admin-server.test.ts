import { createServer } from 'node:http';

import request from 'supertest';

import { createLogger } from '../logging/logger.ts';
import { createHttpMetrics } from '../metrics/http-metrics.ts';
import { createAdminListener, type AdminOptions } from './admin-server.ts';

const logger = createLogger({ service: 'test', level: 'silent' });

function anAdmin(options: Partial<AdminOptions> = {}) {
  const { registry } = createHttpMetrics();
  return createServer(createAdminListener({ registry, checks: {}, isStopping: () => false, logger, ...options }));
}

test('/live answers while the process lives, even when it is not ready', async () => {
  const admin = anAdmin({
    checks: {
      database: async () => {
        throw new Error('no');
      },
    },
  });

  await request(admin).get('/live').expect(200, { status: 'live' });
});

test('/ready answers 200 when every check passes', async () => {
  const admin = anAdmin({ checks: { database: async () => undefined, migrations: async () => undefined } });

  await request(admin)
    .get('/ready')
    .expect(200, { status: 'ready', checks: { database: 'ok', migrations: 'ok' } });
});

test('/ready names the check that fails, and not why', async () => {
  const admin = anAdmin({
    checks: {
      database: async () => {
        throw new Error('password sesame');
      },
      migrations: async () => undefined,
    },
  });

  await request(admin)
    .get('/ready')
    .expect(503, { status: 'not ready', checks: { database: 'failed', migrations: 'ok' } });
});

test('a check that never ends is given up after its limit, and told so by its signal', async () => {
  let wasAborted = false;
  const hangs = (signal: AbortSignal) =>
    new Promise<void>(() => {
      signal.addEventListener('abort', () => {
        wasAborted = true;
      });
    });
  const admin = anAdmin({ checks: { database: hangs }, checkTimeoutMs: 30 });

  await request(admin)
    .get('/ready')
    .expect(503, { status: 'not ready', checks: { database: 'timed out' } });
  expect(wasAborted).toBe(true);
});

test('/ready answers 503 from the moment that the process stops', async () => {
  await request(anAdmin({ isStopping: () => true }))
    .get('/ready')
    .expect(503, { status: 'stopping', checks: {} });
});

test('/metrics is in the form that Prometheus reads', async () => {
  const res = await request(anAdmin()).get('/metrics').expect(200);

  expect(res.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(res.text).toContain('# TYPE svc_http_requests_total counter');
});

test.each([
  ['get', '/'],
  ['get', '/live/'],
  ['get', '/constructor'],
  ['post', '/live'],
] as const)('%s %s is not found', async (method, path) => {
  const res = await request(anAdmin())[method](path);

  expect(res.status).toBe(404);
});
