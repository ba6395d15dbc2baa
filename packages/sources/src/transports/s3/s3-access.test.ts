import { createNetworkGuard } from '@svc/network-guard';
import { createTestBucket, type TestBucket } from '@svc/test-kit';

import { findObject, matchObjects } from './list-objects.ts';
import { openObject, type ObjectRequest } from './open-object.ts';
import { S3Clients, type BucketAccess } from './s3-clients.ts';
import { localClients, ownersAccess } from './testing/local-clients.ts';

const signal = AbortSignal.timeout(120_000);

let bucket: TestBucket;
let own: BucketAccess;
let clients: S3Clients;

beforeAll(async () => {
  bucket = await createTestBucket();
  own = ownersAccess(bucket);
  clients = localClients(bucket.endpoint);
  await bucket.put('hello.txt', 'hello, world');
});

async function find(access: BucketAccess, key: string, by = clients) {
  const client = await by.clientFor(access, signal);
  return { client, found: await findObject({ client, access, location: 's3://here', pageSize: null, signal }, key) };
}

async function list(access: BucketAccess, by = clients): Promise<number> {
  let count = 0;
  const client = await by.clientFor(access, signal);
  for await (const _ of matchObjects({ client, access, location: 's3://here', pageSize: null, signal }, '*')) count += 1;
  return count;
}

async function read(request: ObjectRequest): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of openObject(request, signal)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

async function request(key: string): Promise<ObjectRequest> {
  const access = own;
  const { client, found } = await find(access, key);
  if (found === null) throw new Error(`there is no ${key}`);
  return {
    client,
    access,
    key,
    location: `s3://${bucket.name}/${key}`,
    etag: found.etag,
    size: found.size,
    range: null,
    silenceTimeoutMs: 30_000,
  };
}

test('an object is read, whole and in part', async () => {
  const whole = await request('hello.txt');
  expect(await read(whole)).toBe('hello, world');
  expect(await read({ ...whole, range: { start: 7, end: 12 } })).toBe('world');
  expect(await read({ ...whole, range: { start: 3, end: 3 } })).toBe('');
});

test('an object that has changed is not read', async () => {
  await bucket.put('changing.txt', 'one');
  const old = await request('changing.txt');
  await bucket.put('changing.txt', 'two');
  await expect(read(old)).rejects.toThrow('the object has changed since the query looked at it');
  await expect(read({ ...old, range: { start: 0, end: 1 } })).rejects.toThrow('the object has changed');
});

test('without a region the store is asked for it', async () => {
  const { found } = await find({ ...own, region: null }, 'hello.txt');
  expect(found?.size).toBe(12);
});

test('keys that are not known and keys that are wrong fail as such, without a secret', async () => {
  const wrong: BucketAccess = {
    ...own,
    keys: { accessKey: bucket.accessKey, secretKey: 'a-wrong-secret' },
    identity: 'wrong',
  };
  const unknown: BucketAccess = { ...own, keys: { accessKey: 'nobody', secretKey: 'a-wrong-secret' }, identity: 'unknown' };
  for (const access of [wrong, unknown]) {
    const failure = await list(access).catch((thrown: unknown) => thrown);
    expect(String(failure)).toContain(
      `authentication failed: the object store refused the keys that are registered for the bucket ${bucket.name}`,
    );
    expect(String(failure)).not.toContain('a-wrong-secret');
  }
});

test('without keys a private bucket is refused with a hint, and a public one is read', async () => {
  const anonymous: BucketAccess = { ...own, keys: null, identity: 'anonymous' };
  await expect(list(anonymous)).rejects.toThrow(`did you register credentials for ${bucket.name}?`);
  const open = await createTestBucket();
  await open.put('a', 'public');
  await open.publish();
  expect(await list({ ...ownersAccess(open), keys: null, identity: 'anonymous' })).toBe(1);
});

test('a bucket that does not exist is named', async () => {
  await expect(list({ ...own, bucket: 'no-such-bucket-here' })).rejects.toThrow('there is no bucket no-such-bucket-here');
});

test('a store at an address that is not allowed is not reached', async () => {
  const guarded = new S3Clients({ guard: createNetworkGuard({ allow: [] }), endpoint: bucket.endpoint });
  await expect(list(own, guarded)).rejects.toThrow('the address of the object store may not be reached from here');
});

test('a store that does not listen is told as such', async () => {
  await expect(list(own, localClients('http://127.0.0.1:9'))).rejects.toThrow('the object store refused the connection');
});

test('a cancelled read ends', async () => {
  const given = AbortSignal.abort(new Error('gone'));
  const iterator = openObject(await request('hello.txt'), given);
  await expect(iterator.next()).rejects.toThrow('the query was cancelled');
});
