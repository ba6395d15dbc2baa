import { eventually } from '@svc/test-kit';

import { ask } from './testing/ask.ts';
import { DATABASE_CONNECTIONS, startExecutorUnderTest } from './testing/executor-under-test.ts';

test('while all connections to the database are in use, what needs one is unavailable, and soon no longer', async () => {
  const executor = await startExecutorUnderTest({ connectTimeoutMs: 1000 });
  const { promise, resolve: giveBack } = Promise.withResolvers<void>();
  try {
    const as = await executor.token();
    const taken: Promise<unknown>[] = [];
    for (let i = 0; i < DATABASE_CONNECTIONS; i += 1)
      await new Promise<void>((resolve) => {
        // On a busy machine a new connection may exceed the limit.
        taken.push(eventually(() => executor.database.session(() => (resolve(), promise))));
      });
    const refused = await Promise.all([
      ask(executor.url, 'get', '/views', { as }),
      ask(executor.url, 'post', '/query', { as, body: 'SELECT * FROM nobodys_view' }),
      ask(executor.url, 'post', '/tables/t/rows', { as, body: '{}', headers: { 'Content-Type': 'application/x-ndjson' } }),
    ]);
    for (const { status, body, headers } of refused) {
      expect([status, headers['retry-after']]).toEqual([503, '5']);
      expect(body).toEqual({ code: 'service_unavailable', message: 'The database cannot take this request now. Try again later.' });
    }
    expect((await ask(executor.url, 'post', '/query', { as, body: '1' })).status).toBe(200);
    giveBack();
    await Promise.all(taken);
    expect((await ask(executor.url, 'get', '/views', { as })).status).toBe(200);
  } finally {
    giveBack();
    await executor.close();
  }
});
