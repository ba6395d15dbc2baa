import { createTestBucket, type TestBucket } from '@svc/test-kit';

import { findObject, listFolder, matchObjects, type S3Entry, type S3Listing } from './list-objects.ts';
import { localClients, ownersAccess } from './testing/local-clients.ts';

const KEYS = [
  'a.csv',
  'b-1/x.csv',
  'b.csv',
  'b/.hidden/x.csv',
  'b/1.csv',
  'b/2.txt',
  'b/c/3.csv',
  'b/c/d/4.csv',
  'year=2020/é.csv',
  'year=2021/1.csv',
];

let bucket: TestBucket;
let listing: S3Listing;

beforeAll(async () => {
  bucket = await createTestBucket();
  for (const key of KEYS) await bucket.put(key, key);
  const signal = AbortSignal.timeout(60_000);
  listing = {
    client: await localClients(bucket.endpoint).clientFor(ownersAccess(bucket), signal),
    access: ownersAccess(bucket),
    location: 's3://here',
    pageSize: null,
    signal,
  };
});

async function keysOf(entries: AsyncIterable<S3Entry>): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of entries) keys.push(key);
  return keys;
}

test.each([
  ['*.csv', ['a.csv', 'b.csv']],
  ['?.csv', ['a.csv', 'b.csv']],
  ['*', ['a.csv', 'b-1/', 'b.csv', 'b/', 'year=2020/', 'year=2021/']],
  ['b*/*.csv', ['b-1/x.csv', 'b/1.csv']],
  ['b/**/*.csv', ['b/1.csv', 'b/c/3.csv', 'b/c/d/4.csv']],
  ['**/x.csv', ['b-1/x.csv']],
  ['b/*/3.csv', ['b/c/3.csv']],
  ['year=*/*.csv', ['year=2020/é.csv', 'year=2021/1.csv']],
  ['b/.*/*', ['b/.hidden/x.csv']],
  ['c*', []],
  ['**/c/**/*.csv', ['b/c/3.csv', 'b/c/d/4.csv']],
])('the objects and folders of %s', async (pattern, keys) => {
  expect(await keysOf(matchObjects(listing, pattern))).toEqual(keys);
});

test('a folder holds objects and folders', async () => {
  expect(await keysOf(listFolder(listing, 'b/'))).toEqual(['b/.hidden/', 'b/1.csv', 'b/2.txt', 'b/c/']);
});

test('an object is found with its size, time and ETag', async () => {
  const found = await findObject(listing, 'b/1.csv');
  expect(found).toMatchObject({ key: 'b/1.csv', size: 7 });
  expect(found?.etag).toMatch(/^".+"$/);
  expect(Math.abs(Date.now() - (found?.modified.getTime() ?? 0))).toBeLessThan(3_600_000);
});

test('an object that does not exist is not found', async () => {
  expect(await findObject(listing, 'b/9.csv')).toBeNull();
});

test('whoever stops early asks for no further page', async () => {
  const keys = Array.from({ length: 12 }, (_, i) => `k/${String(i).padStart(2, '0')}`);
  await Promise.all(keys.map((key) => bucket.put(`deep/${key}`, 'x')));
  let requests = 0;
  const client = await localClients(bucket.endpoint).clientFor(ownersAccess(bucket), listing.signal);
  client.middlewareStack.add((next) => (args) => ((requests += 1), next(args)), { step: 'finalizeRequest' });
  const at = { ...listing, client, pageSize: 5 };
  for await (const _ of matchObjects(at, 'deep/k/*')) break;
  expect(requests).toBe(1);
  expect(await keysOf(matchObjects(at, 'deep/**/*'))).toEqual(keys.map((key) => `deep/${key}`));
  expect(requests).toBe(4);
});
