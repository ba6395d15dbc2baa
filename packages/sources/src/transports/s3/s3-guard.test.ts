import { isIP } from 'node:net';

import { createNetworkGuard, type NetworkGuard, type ResolveAll } from '@svc/network-guard';
import { openHttpServer, type HttpServer } from '@svc/test-kit';

import { findObject, matchObjects } from './list-objects.ts';
import { S3Clients, type BucketAccess } from './s3-clients.ts';

const signal = AbortSignal.timeout(60_000);
const ACCESS: BucketAccess = { bucket: 'data', region: 'us-east-1', keys: { accessKey: 'a', secretKey: 'c4n4ry' }, identity: 'x' };

let server: HttpServer;
let port: string;
const guards: NetworkGuard[] = [];
beforeEach(async () => {
  server = await openHttpServer();
  server.answer((_, response) => response.end('inside'));
  port = new URL(server.origin).port;
});
afterEach(async () => {
  for (const guard of guards.splice(0)) guard.close();
  await server.close();
});

interface Attack {
  readonly endpoint: string | null;
  readonly allow?: readonly string[];
  readonly resolveAll?: ResolveAll;
  readonly access?: Partial<BucketAccess>;
}

/** Returns the failures of a listing and of a read. */
async function failuresOf({ endpoint, allow = [], resolveAll, access = {} }: Attack): Promise<readonly string[]> {
  const guard = createNetworkGuard({ allow, ...(resolveAll && { resolveAll }) });
  guards.push(guard);
  const clients = new S3Clients({ guard, endpoint, limits: { attempts: 1, connectTimeoutMs: 500, silenceTimeoutMs: 500 } });
  const of = { ...ACCESS, ...access };
  const listing = async () => ({
    client: await clients.clientFor(of, signal),
    access: of,
    location: 's3://data/x',
    pageSize: null,
    signal,
  });
  const attempts = [listing().then(async (at) => matchObjects(at, '*').next()), listing().then(async (at) => findObject(at, 'x'))];
  return (await Promise.allSettled(attempts)).map((one) =>
    one.status === 'rejected' ? String(one.reason) : `reached: ${JSON.stringify(one.value)}`,
  );
}

const NOT_ALLOWED = /the address of the object store may not be reached from here/;

/** A resolver whose successive lookups return the given results, repeating the last. */
function answering(...answers: readonly string[]): { readonly asked: string[]; readonly resolveAll: ResolveAll } {
  const asked: string[] = [];
  const resolveAll: ResolveAll = (hostname, _options, callback) => {
    const address = answers[asked.length] ?? answers.at(-1) ?? '';
    asked.push(hostname);
    callback(null, [{ address, family: isIP(address) }]);
  };
  return { asked, resolveAll };
}

test.each([
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  'localhost',
  '0',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '[::ffff:169.254.169.254]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '10.0.0.1',
  '168.63.129.16',
])('a store at %s is not reached', async (host) => {
  expect(await failuresOf({ endpoint: `http://${host}:${port}` })).toEqual([
    expect.stringMatching(NOT_ALLOWED),
    expect.stringMatching(NOT_ALLOWED),
  ]);
  expect(server.requests).toEqual([]);
});

test('a name of the store that means an address inside, at once or later, is not reached', async () => {
  const endpoint = `http://store.example:${port}`;
  for (const address of ['127.0.0.1', '169.254.169.254', '::ffff:10.0.0.1'])
    expect(await failuresOf({ endpoint, resolveAll: answering(address).resolveAll })).toEqual([
      expect.stringMatching(NOT_ALLOWED),
      expect.stringMatching(NOT_ALLOWED),
    ]);
  // Allowed when it is looked up for the first connection, and not for the second one.
  const rebinding = answering('127.0.0.1', '127.0.0.2');
  const failures = await failuresOf({ endpoint, allow: ['127.0.0.1'], resolveAll: rebinding.resolveAll });
  expect(failures.filter((failure) => NOT_ALLOWED.test(failure))).toHaveLength(1);
  expect(server.requests).toHaveLength(1);
});

test.each([300, 301, 302, 303, 307, 308])('a redirect of status %s to an address inside is not followed', async (status) => {
  const inside = await openHttpServer();
  for (const location of [
    `${inside.origin}/data/x`,
    `http://2130706433:${new URL(inside.origin).port}/`,
    'http://169.254.169.254/latest/meta-data/',
  ]) {
    server.answer((_, response) => response.writeHead(status, { location, 'x-amz-bucket-region': 'us-west-2' }).end());
    const failures = await failuresOf({ endpoint: server.origin, allow: ['127.0.0.1'] });
    const expected =
      status === 301 ? /the bucket data lies in another region/ : new RegExp(`redirects to another address \\(status ${status}\\), which`);
    expect(failures.filter((failure) => !expected.test(failure))).toEqual([]);
  }
  await inside.close();
  expect(inside.requests).toEqual([]);
});

test.each([
  'us-east-1',
  '169.254.169.254',
  '169.254.169.254/latest#',
  '127.0.0.1:80/x?',
  'x@127.0.0.1',
  'evil.example#',
  'evil.example/',
  '..',
  '-',
  'a b',
  '\r\nhost: inside',
])('a registered region %j leads to no other host than that of the provider', async (region) => {
  const { asked, resolveAll } = answering('127.0.0.1');
  const failures = await failuresOf({ endpoint: null, resolveAll, access: { region } });
  expect(asked.filter((name) => !/^[a-z0-9.-]+\.amazonaws\.com(\.cn)?$/.test(name))).toEqual([]);
  expect(failures.filter((failure) => failure.startsWith('reached') || failure.includes('c4n4ry'))).toEqual([]);
  expect(server.requests).toEqual([]);
});
