import { createNetworkGuard } from '@svc/network-guard';
import { NO_CREDENTIALS, type BucketCredential, type CredentialUse } from '@svc/sources';
import { createTestBucket, type TestBucket } from '@svc/test-kit';

import { READER } from './testing/test-runtime.ts';
import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

let bucket: TestBucket;
let runtime: ReadingRuntime;
let registered: BucketCredential | null;
const uses: CredentialUse[] = [];

beforeAll(async () => {
  bucket = await createTestBucket();
  const { region, accessKey, secretKey } = bucket;
  registered = { region, accessKey, secretKey, identity: '1' };
  runtime = await openReadingRuntime({
    reach: {
      networkGuard: createNetworkGuard({ allow: ['127.0.0.1'] }),
      endpoints: { s3: new URL(bucket.endpoint) },
      credentials: {
        ...NO_CREDENTIALS,
        bucket: async (subject, name) => (subject === READER.subject && name === bucket.name ? registered : null),
        used: (use) => void uses.push(use),
      },
    },
  });
  await bucket.put('people.csv', 'name,age\nAda,36\nGrace,45\n');
  await bucket.put('sales/year=2020/a.csv', 'n\n1\n2\n');
  await bucket.put('sales/year=2021/b.csv', 'n\n3\n');
});

afterAll(() => runtime.close());

const at = (path: string): string => `s3://${bucket.name}/${path}`;

test('an object is read like a file', async () => {
  expect(await runtime.run(`SELECT name FROM READ("${at('people.csv')}") WHERE age > 40`)).toEqual(['"Grace"']);
  expect(uses.at(-1)).toEqual({ subject: READER.subject, kind: 'objbucket', name: bucket.name, error: null });
});

test('objects of a pattern are one collection, with the columns of their folders', async () => {
  expect(await runtime.run(`SELECT n, year FROM READ("${at('sales/**/*.csv')}") ORDER BY n`)).toEqual([
    '{"n":1,"year":2020}',
    '{"n":2,"year":2020}',
    '{"n":3,"year":2021}',
  ]);
});

test('LS and LL list objects and folders', async () => {
  expect(await runtime.run(`SELECT * FROM LS("${at('sales/')}") x`)).toEqual([
    `"${at('sales/year=2020/')}"`,
    `"${at('sales/year=2021/')}"`,
  ]);
  expect(await runtime.run(`SELECT x.url, x.size FROM LL("${at('*/*/*.csv')}") x WHERE x.modified IS NOT NULL`)).toEqual([
    `{"url":"${at('sales/year=2020/a.csv')}","size":6}`,
    `{"url":"${at('sales/year=2021/b.csv')}","size":4}`,
  ]);
});

test('DESCRIBE tells format and type', async () => {
  const [line = ''] = await runtime.run(`DESCRIBE("${at('people.csv')}")`);
  expect(JSON.parse(line)).toMatchObject({ format: 'csv', type: 'collection(record(name: string, age: int))' });
});

test('an object that is not there is told at its READ', async () => {
  const text = `READ("${at('nothing.csv')}")`;
  expect(await runtime.run(text)).toEqual([`! path not found: ${at('nothing.csv')} at ${text}`]);
  expect(await runtime.run(`TRY_READ_CSV("${at('nothing.csv')}" AS collection(record(a: int)))`)).toEqual(['null']);
});

test('a query that was compiled reads what the object has become', async () => {
  await bucket.put('changing.csv', 'a\n1\n');
  const text = `SELECT * FROM READ("${at('changing.csv')}")`;
  expect(await runtime.run(text)).toEqual(['{"a":1}']);
  await bucket.put('changing.csv', 'a\nx\n');
  expect(await runtime.run(text)).toEqual(['{"a":"x"}']);
});

test('what was read with a credential is not read without it', async () => {
  const text = `READ_LINES("${at('people.csv')}")`;
  expect(await runtime.run(text)).toHaveLength(3);
  const kept = registered;
  registered = null;
  const [message = ''] = await runtime.run(text);
  expect(message).toContain(`authentication failed: the bucket ${bucket.name} is not public: did you register credentials`);
  registered = { ...bucket, secretKey: 'not-the-secret', identity: '2' };
  const [refused = ''] = await runtime.run(text);
  expect(refused).toContain('authentication failed: the object store refused the keys');
  expect(refused).not.toContain('not-the-secret');
  expect(uses.at(-1)?.error).toContain('authentication failed');
  registered = kept;
  expect(await runtime.run(text)).toHaveLength(3);
});
