import { migrate } from '@svc/database';
import { readEnv } from '@svc/service-kit';
import { createTestDatabase, testAuthorization } from '@svc/test-kit';

import { openServiceBase } from './open-service-base.ts';
import { serviceSettings } from './service-settings.ts';

const SIGNAL = new AbortController().signal;

test('a service is ready with a schema that it knows or that does not break it, shows its connections, and closes them', async () => {
  const [{ url, drop }, { issuer, audience }] = await Promise.all([createTestDatabase({}), testAuthorization()]);
  const env = { SVC_DATABASE_URL: url, SVC_TOKEN_ISSUER: issuer, SVC_TOKEN_AUDIENCE: audience };
  const base = openServiceBase('sample', readEnv(env, serviceSettings('EXECUTOR', { port: 1, adminPort: 2 })).settings);

  await expect(base.checks['database']?.(SIGNAL)).rejects.toThrow(
    /^the database has schema version 0, and this program needs \d+: run the migrations$/,
  );
  await migrate(url);
  await base.checks['database']?.(SIGNAL);
  expect(await base.metrics.registry.getSingleMetricAsString('svc_database_connections')).toContain('svc_database_connections 1');
  const { db } = base.database;
  await db.insertInto('schema_versions').values({ version: 1001, name: 'adds' }).execute();
  await base.checks['database']?.(SIGNAL);
  await db.insertInto('schema_versions').values({ version: 1002, name: 'removes', breaks_older: true }).execute();
  await expect(base.checks['database']?.(SIGNAL)).rejects.toThrow(
    /^the database has schema version 1002, which breaks programs of version \d+$/,
  );
  for (const { close } of base.resources) await close();
  await drop();
});
