import { createTestBucket, type TestBucket } from '@svc/test-kit';

import { listFolder, matchObjects, matchSegments, findObject, type S3Entry, type S3Listing } from './list-objects.ts';
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

test('a pattern of many stars is matched in no time', () => {
  const matches = matchSegments([...Array.from({ length: 30 }, () => '**'), 'x']);
  expect(matches(Array.from({ length: 200 }, () => 'a'))).toBe(false);
});

test('whoever stops early asks for no further page', async () => {
  const many = await createTestBucket();
  const keys = Array.from({ length: 1100 }, (_, i) => `k/${String(i).padStart(4, '0')}`);
  for (let i = 0; i < keys.length; i += 50) await Promise.all(keys.slice(i, i + 50).map((key) => many.put(key, 'x')));
  let requests = 0;
  const client = await localClients(many.endpoint).clientFor(ownersAccess(many), listing.signal);
  client.middlewareStack.add((next) => (args) => ((requests += 1), next(args)), { step: 'finalizeRequest' });
  const at = { ...listing, client, access: ownersAccess(many) };
  for await (const _ of matchObjects(at, 'k/*')) break;
  expect(requests).toBe(1);
  expect(await keysOf(matchObjects(at, '**/*'))).toEqual(keys);
  expect(requests).toBe(3);
});
