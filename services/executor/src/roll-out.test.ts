import { migrate } from '@svc/database';
import { createTestDatabase, testAuthorization } from '@svc/test-kit';
import { BalancedPool, Pool } from 'undici';

import { startExecutorProcess, type ExecutorProcess } from './testing/executor-process.ts';

const REQUESTS_PER_SECOND = 200;
/** Below the executor's capacity: on a slow machine fewer requests are made, and none is rejected because of the others. */
const MOST_AT_ONCE = 8;

/** Sends queries at a steady rate, until it is stopped. */
function keepAsking(balancer: BalancedPool, token: string): { readonly stop: () => Promise<ReadonlyMap<string, number>> } {
  const outcomes = new Map<string, number>();
  const running = new Set<Promise<void>>();
  const askOnce = async (): Promise<void> => {
    const outcome = await balancer
      .request({
        method: 'POST',
        path: '/query',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
        body: 'SELECT SUM(i) AS sum FROM RANGE(0, 1000) AS i',
      })
      .then(
        async ({ statusCode, body }) => `${statusCode} ${await body.text()}`,
        (error: unknown) => String(error),
      );
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  };
  const timer = setInterval(() => {
    if (running.size >= MOST_AT_ONCE) return;
    const request = askOnce().finally(() => running.delete(request));
    running.add(request);
  }, 1000 / REQUESTS_PER_SECOND);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(running);
      return outcomes;
    },
  };
}

test('replicas are replaced one after the other under 200 requests a second, and no request is lost', async () => {
  const [{ url: databaseUrl, drop }, { issuer, audience, mint }] = await Promise.all([
    createTestDatabase({ migrate }),
    testAuthorization(),
  ]);
  const start = (): Promise<ExecutorProcess> =>
    startExecutorProcess({ SVC_DATABASE_URL: databaseUrl, SVC_TOKEN_ISSUER: issuer, SVC_TOKEN_AUDIENCE: audience });
  const old = await Promise.all([start(), start()]);
  const connections = new Map<string, Pool>();
  const balancer = new BalancedPool(
    old.map(({ url }) => url),
    {
      factory: (origin, options) => {
        const pool = new Pool(origin, options);
        connections.set(String(origin), pool);
        return pool;
      },
    },
  );
  const load = keepAsking(balancer, await mint());
  const replacements: ExecutorProcess[] = [];
  try {
    for (const replica of old) {
      const replacement = await start();
      replacements.push(replacement);
      balancer.addUpstream(replacement.url);
      // Shutdown of a pod: it leaves load balancing, receives the stop signal after requests in flight have arrived
      // (preStop), and ends by itself.
      balancer.removeUpstream(replica.url);
      const connectionsToIt = connections.get(new URL(replica.url).origin);
      expect(connectionsToIt).toBeDefined();
      await connectionsToIt?.close();
      expect(await replica.end('SIGTERM')).toBe(0);
    }
    const outcomes = await load.stop();
    expect([...outcomes.keys()]).toEqual(['200 {"sum":499500}\n']);
    expect([...outcomes.values()][0]).toBeGreaterThan(REQUESTS_PER_SECOND);
  } finally {
    await load.stop();
    await balancer.destroy();
    await Promise.all(replacements.map((replica) => replica.end('SIGKILL')));
    await drop();
  }
});
