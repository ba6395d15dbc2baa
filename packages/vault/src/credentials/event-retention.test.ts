import { CredentialEventStore, migrate, openDatabase } from '@svc/database';
import { createTestDatabase, eventually } from '@svc/test-kit';
import { sql } from 'kysely';

import { keepEventsFor } from './event-retention.ts';

test('entries older than the limit are deleted in batches, again and again, and a failure is reported', async () => {
  const { url, drop } = await createTestDatabase({ migrate });
  const database = openDatabase({ url, applicationName: 'test', connectTimeoutMs: 60_000 });
  const add = (days: string) =>
    sql`INSERT INTO credential_events (at, subject, action, kind, name)
        SELECT now() - ${days}::interval, 'ann', 'read', 'objbucket', n::text FROM generate_series(1, 6000) n`.execute(database.db);
  const count = async (): Promise<number> =>
    (
      await database.db
        .selectFrom('credential_events')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    ).n;
  await add('91 days');
  await add('89 days');
  const failures: unknown[] = [];
  const retention = keepEventsFor({
    events: new CredentialEventStore(database),
    days: 90,
    onFailure: (error) => void failures.push(error),
    intervalMs: 50,
  });
  await eventually(async () => expect(await count()).toBe(6000));
  await add('90 days 1 hour');
  await eventually(async () => expect(await count()).toBe(6000));
  await sql`ALTER TABLE credential_events RENAME TO moved`.execute(database.db);
  await eventually(() => expect(String(failures[0])).toContain('credential_events'));
  await retention.close();
  await database.close();
  await drop();
});
