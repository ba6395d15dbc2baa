import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createNetworkGuard } from '@svc/network-guard';
import { NO_CREDENTIALS, type DatabaseCredential } from '@svc/sources';
import { adminQuery, createTestBucket, createTestDatabase, serverOf, type TestBucket, type TestDatabase } from '@svc/test-kit';

import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

const text = await readFile(join(import.meta.dirname, '../../../docs/s3-and-postgresql.md'), 'utf8');
const examples = [...text.matchAll(/```query\n([\s\S]*?)\n```\n```(result|error)\n([\s\S]*?)```/g)].map(
  ([, query = '', kind = '', expected = '']) => ({ query, kind, expected: expected.trimEnd() }),
);

let at: ReadingRuntime;
let bucket: TestBucket;
let database: TestDatabase;

beforeAll(async () => {
  [bucket, database] = await Promise.all([createTestBucket(), createTestDatabase()]);
  for (const [, key = '', content = ''] of text.matchAll(/```object (\S+)\n([\s\S]*?)```/g)) await bucket.put(key, content);
  for (const [, sql = ''] of text.matchAll(/```sql\n([\s\S]*?)```/g)) await adminQuery(database.url, sql);
  const shop: DatabaseCredential = { ...serverOf(database.url), properties: {}, identity: '1' };
  at = await openReadingRuntime({
    reach: {
      networkGuard: createNetworkGuard({ allow: ['127.0.0.1', '::1'] }),
      endpoints: { s3: new URL(bucket.endpoint) },
      credentials: {
        ...NO_CREDENTIALS,
        bucket: async (_, name) => (name === bucket.name ? { ...bucket, identity: '1' } : null),
        databaseServer: async (_, name) => (name === 'shop' ? shop : null),
      },
    },
  });
});

afterAll(async () => {
  await at.close();
  await database.drop();
});

test('every query of the page on object stores and PostgreSQL is followed by its result or its error', () => {
  expect(examples).toHaveLength([...text.matchAll(/```query\n/g)].length);
});

test.each(examples)('$query', async ({ query, kind, expected }) => {
  const lines = await at.run(query.replaceAll('example-bucket', bucket.name));
  const outcome = lines.map((line) => line.replaceAll(bucket.name, 'example-bucket'));
  const [first = ''] = outcome;
  // The page omits the positions of errors.
  const found = kind === 'result' ? outcome.join('\n') : first.startsWith(`! ${expected} at `) ? expected : first;
  expect(found).toBe(expected);
});
