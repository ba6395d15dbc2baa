import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { READER } from './testing/test-runtime.ts';
import { openReadingBucket, type ReadingBucket } from './testing/reading-bucket.ts';

const PAGE_SIZE = 10;

let store: ReadingBucket;
let bucket: ReadingBucket['bucket'];
let runtime: ReadingBucket['runtime'];
let at: ReadingBucket['at'];
beforeAll(async () => {
  store = await openReadingBucket({ s3Limits: { pageSize: PAGE_SIZE } });
  ({ bucket, runtime, at } = store);
  await bucket.put('people.csv', 'name,age\nAda,36\nGrace,45\n');
  await bucket.put('sales/year=2020/a.csv', 'n\n1\n2\n');
  await bucket.put('sales/year=2021/b.csv', 'n\n3\n');
});
afterAll(() => store.close());

test('an object is read like a file', async () => {
  expect(await runtime.run(`SELECT name FROM READ("${at('people.csv')}") WHERE age > 40`)).toEqual(['"Grace"']);
  expect(store.uses.at(-1)).toEqual({ subject: READER.subject, kind: 'objbucket', name: bucket.name, error: null });
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
  const keys = Array.from({ length: 4 * PAGE_SIZE }, (_, i) => `many/${String(i).padStart(4, '0')}.txt`);
  await Promise.all(keys.map((key) => bucket.put(key, 'x')));
  const count = `SELECT COUNT(*) FROM LS("${at('many/')}") x`;
  const some = `SELECT x.url FROM LL("${at('many/*.txt')}") x LIMIT 2`;
  const firstTwo = [`"${at('many/0000.txt')}"`, `"${at('many/0001.txt')}"`];
  const pagesOf = async (text: string, result: readonly string[]): Promise<number> => {
    const before = store.proxy.watched();
    expect(await runtime.run(text)).toEqual(result);
    return store.proxy.watched() - before;
  };
  expect(await pagesOf(count, [String(keys.length)])).toBeGreaterThanOrEqual(4);
  expect(await pagesOf(some, firstTwo)).toBeLessThanOrEqual(2);
  await bucket.put('many/new.txt', 'y');
  const all = await pagesOf(count, [String(keys.length + 1)]);
  expect(all).toBe(5);
  expect(await pagesOf(some, firstTwo)).toBe(1);
  const last = `SELECT x.url FROM LL("${at('many/*.txt')}") x WHERE x.size = 1 AND x.url > "${at('many/n')}" LIMIT 1`;
  expect(await runtime.run(last)).toEqual([`"${at('many/new.txt')}"`]);
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
  store.register(null);
  const [message = ''] = await runtime.run(text);
  expect(message).toContain(`authentication failed: the bucket ${bucket.name} is not public: did you register credentials`);
  store.register({ ...bucket, secretKey: 'not-the-secret', identity: '2' });
  const [refused = ''] = await runtime.run(text);
  expect(refused).toContain('authentication failed: the object store refused the keys');
  expect(refused).not.toContain('not-the-secret');
  expect(store.uses.at(-1)?.error).toContain('authentication failed');
  store.register({ ...bucket, identity: '1' });
  expect(await runtime.run(text)).toHaveLength(3);
});

test('an object that is larger than the spool is refused before it is fetched', async () => {
  await bucket.put('large.csv', Buffer.concat([Buffer.from('n\n'), Buffer.alloc(24 * 2 ** 20, '1\n')]));
  const before = store.proxy.bytes();
  const [message = ''] = await runtime.run(`SELECT SUM(x.n) FROM READ("${at('large.csv')}") x`);
  expect(message).toMatch(/^! the query needs more spool space than is left of the 20 MB that queries may use/);
  expect(store.proxy.bytes() - before).toBeLessThan(4 * 2 ** 20);
});

test.each(['csv', 'parquet'])(
  'a store that dies in the middle gives no partial answer: %s',
  async (format) => {
    await bucket.put('long.csv', `n,t\n${Array.from({ length: 20_000 }, (_, i) => `${i},${'x'.repeat(100)}`).join('\n')}\n`);
    await runtime.makeParquet('long.parquet', 'SELECT i AS n, hash(i)::VARCHAR AS t FROM range(100000) t (i)', 20_000);
    await bucket.put('long.parquet', await readFile(join(runtime.root, 'long.parquet')));
    const text = `SELECT SUM(x.n), MAX(x.t) IS NULL FROM READ("${at(`long.${format}`)}") x`;
    const answers = new Set<string>();
    for (let afterBytes = 1; afterBytes < 2_000_000; afterBytes = Math.ceil(afterBytes * 2.9)) {
      store.proxy.cut();
      store.proxy.setFault({ afterBytes, kind: 'die' });
      answers.add((await runtime.run(text)).join(' '));
    }
    store.proxy.setFault(null);
    const [whole = ''] = await runtime.run(text);
    const others = [...answers].filter((answer) => answer !== whole);
    expect(others.length).toBeGreaterThan(0);
    expect(others.filter((answer) => !/the connection to the object store broke|could not be reached|bytes came/.test(answer))).toEqual([]);
  },
  60_000,
);
