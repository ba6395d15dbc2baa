import { gzipSync } from 'node:zlib';

import { openReadingBucket, type ReadingBucket } from './testing/reading-bucket.ts';

const ROWS = 60_000;
/** Of the sample that is fetched for the type, with some overhead. */
const BEGINNING_BYTES = 1.2 * 2 ** 20;

let store: ReadingBucket;
beforeAll(async () => {
  store = await openReadingBucket();
  const rows = Array.from({ length: ROWS }, (_, i) => i);
  const text = (i: number): string => `row ${i} ${'x'.repeat(50)}`;
  const csv = `id,text\n${rows.map((i) => `${i},"${text(i)}\nand more"`).join('\n')}\n`;
  const json = rows.map((i) => `${JSON.stringify({ id: i, text: text(i) })}\n`).join('');
  await store.bucket.put('t.csv', csv);
  await store.bucket.put('t.json', json);
  await store.bucket.put('t.jsonl', json);
  await store.bucket.put('marked.csv', Buffer.from(`\u00ef\u00bb\u00bf${csv}`, 'latin1'));
  await store.bucket.put('array.json', `[${json.trim().replaceAll('\n', ',\n')}]`);
  await store.bucket.put('many/n=1/a.csv', csv);
  await store.bucket.put('many/n=2/b.csv', csv);
  // Random digits, which gzip cannot make much smaller.
  const noise = rows.map((i) => `${i},${(Math.sin(i) * 1e16).toFixed(0)}${(Math.cos(i) * 1e16).toFixed(0)}`).join('\n');
  await store.bucket.put('t.csv.gz', gzipSync(`id,text\n${noise}\n${noise}\n`));
  // The last row of what is fetched first has more bytes than the rest of it.
  await store.bucket.put('long.csv', `id,text\n1,a\n2,"${'y'.repeat(3_000_00)}"\n3,"${'z\n'.repeat(600_000)}"\n4,b\n5,c\n`);
  await store.bucket.put('bad.csv', `id,text\n1,a\nx,b\n${rows.map((i) => `${i},${text(i)}`).join('\n')}\n`);
});
afterAll(() => store.close());

async function fetched(text: string): Promise<{ readonly lines: readonly string[]; readonly bytes: number }> {
  const before = store.proxy.bytes();
  const lines = await store.runtime.run(text);
  return { lines, bytes: store.proxy.bytes() - before };
}

test.each([
  ['CSV', (limit: string) => `SELECT t.id FROM READ("${store.at('t.csv')}") t ${limit}`],
  ['JSON lines', (limit: string) => `SELECT t.id FROM READ("${store.at('t.json')}") t ${limit}`],
  ['JSON lines by name', (limit: string) => `SELECT t.id FROM READ("${store.at('t.jsonl')}") t ${limit}`],
  ['compressed CSV', (limit: string) => `SELECT t.id FROM READ("${store.at('t.csv.gz')}") t ${limit}`],
  ['several files', (limit: string) => `SELECT t.id FROM READ("${store.at('many/**/*.csv')}") t ${limit}`],
  [
    'a declared type',
    (limit: string) => `SELECT t.id FROM READ("${store.at('t.csv')}" AS collection(record(id: long, text: string))) t ${limit}`,
  ],
  ['a declaration', (limit: string) => `v := SELECT x.id, x.text FROM READ("${store.at('t.csv')}") x; SELECT v.id FROM v ${limit}`],
])('the first rows of %s take the beginning of the object', async (_, query) => {
  const first = await fetched(query('LIMIT 3 OFFSET 2'));
  expect(first.lines).toEqual(['2', '3', '4']);
  expect(first.bytes).toBeLessThan(BEGINNING_BYTES * (query('').includes('many') ? 1.1 : 1));
  const again = await fetched(query('LIMIT 3 OFFSET 2'));
  expect(again).toEqual({ lines: first.lines, bytes: expect.any(Number) });
  expect(again.bytes).toBeLessThan(10_000);
  // More than is there, and a condition, take the whole object.
  const later = await fetched(query(`LIMIT 2 OFFSET ${ROWS - 2}`));
  expect(later.lines).toEqual([String(ROWS - 2), String(ROWS - 1)]);
  const found = await fetched(query(`WHERE t.id = ${ROWS - 1} LIMIT 1`).replace('FROM v WHERE t.', 'FROM v WHERE v.'));
  expect(found.lines).toEqual([String(ROWS - 1)]);
});

test('the first lines of a file take its beginning', async () => {
  const { lines, bytes } = await fetched(`SELECT l FROM READ_LINES("${store.at('t.jsonl')}") l LIMIT 1`);
  expect(lines).toEqual([JSON.stringify(JSON.stringify({ id: 0, text: `row 0 ${'x'.repeat(50)}` }))]);
  expect(bytes).toBeLessThan(BEGINNING_BYTES);
});

test('positions, columns of names and a byte order mark are those of the object', async () => {
  const { lines } = await fetched(`SELECT i, t.id, t.n FROM READ("${store.at('many/**/*.csv')}") t AT i LIMIT 1 OFFSET 1`);
  expect(lines).toEqual(['{"i":1,"id":1,"n":1}']);
  expect((await fetched(`SELECT t.* FROM READ("${store.at('marked.csv')}") t LIMIT 1`)).lines).toEqual([
    expect.stringMatching(/^\{"id":0,/),
  ]);
});

test('an array of JSON is fetched whole', async () => {
  const { lines, bytes } = await fetched(`SELECT t.id FROM READ("${store.at('array.json')}") t LIMIT 2`);
  expect(lines).toEqual(['0', '1']);
  expect(bytes).toBeGreaterThan(4_000_000);
});

test('a row that may be cut is not taken from the beginning', async () => {
  const of = (limit: number) => fetched(`SELECT LENGTH(t.text) AS n FROM READ("${store.at('long.csv')}") t LIMIT ${limit}`);
  expect((await of(3)).lines).toEqual(['{"n":1}', '{"n":300000}', '{"n":1200000}']);
  expect((await of(5)).lines).toEqual(['{"n":1}', '{"n":300000}', '{"n":1200000}', '{"n":1}', '{"n":1}']);
});

test('a bad value of the beginning has its line', async () => {
  const { lines } = await fetched(
    `SELECT t.id FROM READ("${store.at('bad.csv')}" AS collection(record(id: long, text: string))) t LIMIT 5`,
  );
  expect(lines).toEqual([expect.stringContaining('bad.csv: line 3')]);
});
