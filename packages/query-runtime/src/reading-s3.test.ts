import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { createNetworkGuard } from '@svc/network-guard';
import { NO_CREDENTIALS, type BucketCredential, type CredentialUse } from '@svc/sources';
import { createTestBucket, openTcpProxy, type TcpProxy, type TestBucket } from '@svc/test-kit';

import { READER } from './testing/test-runtime.ts';
import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

let bucket: TestBucket;
let proxy: TcpProxy;
let runtime: ReadingRuntime;
let registered: BucketCredential | null;
const uses: CredentialUse[] = [];

beforeAll(async () => {
  bucket = await createTestBucket();
  const { region, accessKey, secretKey } = bucket;
  const { hostname: host, port } = new URL(bucket.endpoint);
  proxy = await openTcpProxy({ host, port: Number(port) });
  registered = { region, accessKey, secretKey, identity: '1' };
  runtime = await openReadingRuntime({
    reach: {
      networkGuard: createNetworkGuard({ allow: ['127.0.0.1'] }),
      endpoints: { s3: new URL(`http://127.0.0.1:${proxy.port}`) },
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

afterAll(async () => {
  await runtime.close();
  await proxy.close();
});

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

test('a listing is as new as its run, and goes no further than its LIMIT', async () => {
  const keys = Array.from({ length: 1100 }, (_, i) => `many/${String(i).padStart(4, '0')}.txt`);
  for (let i = 0; i < keys.length; i += 50) await Promise.all(keys.slice(i, i + 50).map((key) => bucket.put(key, 'x')));
  const count = `SELECT COUNT(*) FROM LS("${at('many/')}") x`;
  const some = `SELECT x.url FROM LL("${at('many/*.txt')}") x LIMIT 2`;
  expect(await runtime.run(count)).toEqual(['1100']);
  expect(await runtime.run(some)).toEqual([`"${at('many/0000.txt')}"`, `"${at('many/0001.txt')}"`]);
  await bucket.put('many/new.txt', 'y');
  const bytesOf = async (text: string, result: readonly string[]): Promise<number> => {
    const before = proxy.bytes();
    expect(await runtime.run(text)).toEqual(result);
    return proxy.bytes() - before;
  };
  const all = await bytesOf(count, ['1101']);
  expect(await bytesOf(some, [`"${at('many/0000.txt')}"`, `"${at('many/0001.txt')}"`])).toBeLessThan(0.95 * all);
  expect(await runtime.run(`SELECT x.url FROM LL("${at('many/*.txt')}") x WHERE x.size = 1 AND x.url > "${at('many/n')}" LIMIT 1`)).toEqual(
    [`"${at('many/new.txt')}"`],
  );
  expect(await runtime.run(`LS("${at('nothing/')}")`)).toEqual([expect.stringContaining(`path not found: ${at('nothing/')}`)]);
});

test('a key may hold what a line of text cannot', async () => {
  const key = 'odd/a\tb\\n "c" é.txt';
  await bucket.put(key, 'x');
  expect(await runtime.run(`LS("${at('odd/')}")`)).toEqual([JSON.stringify(at(key))]);
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

/** A Parquet object of 60 columns; each takes about 80 kB in each of two row groups. */
async function putWide(key: string, change: string): Promise<void> {
  const columns = Array.from({ length: 60 }, (_, i) => `hash(i * 61 + ${i}) AS c${i}`);
  const items = [...columns, "{'a': hash(i), 'b': [i, NULL]} AS nested", `'${change}' AS state`];
  await runtime.makeParquet('wide.parquet', `SELECT ${items.join(', ')} FROM range(20480) t (i)`);
  await bucket.put(key, await readFile(join(runtime.root, 'wide.parquet')));
}

test('of a Parquet object only the columns that are used are fetched', async () => {
  await putWide('wide.parquet', 'one');
  const { size } = await stat(join(runtime.root, 'wide.parquet'));
  const fetched = async (items: string): Promise<number> => {
    const before = proxy.bytes();
    const here = await runtime.run(`SELECT ${items} FROM READ("file:wide.parquet") x`);
    expect(await runtime.run(`SELECT ${items} FROM READ("${at('wide.parquet')}") x`)).toEqual(here);
    return proxy.bytes() - before;
  };
  const footers = await fetched('COUNT(*)');
  const of = (await fetched('SUM(x.c7 % 1000), MAX(x.c50)')) - footers;
  expect(size).toBeGreaterThan(8_000_000);
  expect(of).toBeLessThan(0.05 * size);
  expect(await fetched('SUM(x.c7 % 1000) AS again, MIN(x.c50)')).toBeLessThan(footers + 10_000);
  expect(await fetched('MAX(x.nested.a), MAX(LEN(x.nested.b))')).toBeLessThan(0.1 * size);
  expect(await fetched('MIN(x.state)')).toBeLessThan(0.05 * size);
}, 60_000);

test('a Parquet object that changes is read as it is, and never in parts of both', async () => {
  const text = `SELECT MIN(x.state), MAX(x.c1) > 0 FROM READ("${at('changed.parquet')}") x`;
  for (const state of ['one', 'two']) {
    await putWide('changed.parquet', state);
    expect(JSON.stringify(await runtime.run(text))).toContain(state);
  }
}, 60_000);

test.each(['csv', 'parquet'])(
  'a store that dies gives no partial answer: %s',
  async (format) => {
    await bucket.put('long.csv', `n,t\n${Array.from({ length: 40_000 }, (_, i) => `${i},${'x'.repeat(100)}`).join('\n')}\n`);
    await putWide('long.parquet', 'one');
    const text =
      format === 'csv' ? `SELECT SUM(x.n) FROM READ("${at('long.csv')}") x` : `SELECT SUM(x.c3 % 100) FROM READ("${at('long.parquet')}") x`;
    const answers = new Set<string>();
    for (let afterBytes = 1; afterBytes < 4_000_000; afterBytes = Math.ceil(afterBytes * 1.9)) {
      proxy.cut();
      proxy.setFault({ afterBytes, kind: 'die' });
      answers.add((await runtime.run(text)).join(' '));
    }
    proxy.setFault(null);
    const [whole = ''] = await runtime.run(text);
    const others = [...answers].filter((answer) => answer !== whole);
    expect(others.length).toBeGreaterThan(0);
    expect(others.filter((answer) => !/the connection to the object store broke|could not be reached|bytes came/.test(answer))).toEqual([]);
  },
  120_000,
);
