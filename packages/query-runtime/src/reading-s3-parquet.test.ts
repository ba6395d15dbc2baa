import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { openReadingBucket, type ReadingBucket } from './testing/reading-bucket.ts';

let store: ReadingBucket;
beforeAll(async () => {
  store = await openReadingBucket();
});
afterAll(() => store.close());

/** Writes a Parquet file here, and the same as an object. Answers its size. */
async function put(name: string, sql: string, rowGroupSize?: number): Promise<number> {
  const { runtime, bucket } = store;
  await runtime.makeParquet(name, sql, rowGroupSize);
  const path = join(runtime.root, name);
  await bucket.put(name, await readFile(path));
  return (await stat(path)).size;
}

/** Runs a query over the object as over the file, and answers how many bytes the store has sent for it. */
async function fetched(name: string, query: (read: string) => string): Promise<number> {
  const { runtime, at, proxy } = store;
  const here = await runtime.run(query(`READ("file:${name}")`));
  const before = proxy.bytes();
  const there = await runtime.run(query(`READ("${at(name)}")`));
  const bytes = proxy.bytes() - before;
  expect([query(name), there]).toEqual([query(name), here]);
  return bytes;
}

/** 60 columns of about 80 kB in each of two row groups. */
function wide(state: string): string {
  const columns = Array.from({ length: 60 }, (_, i) => `hash(i * 61 + ${i}) AS c${i}`);
  return `SELECT ${[...columns, "{'a': hash(i), 'b': [i, NULL]} AS nested", `'${state}' AS state`].join(', ')} FROM range(20480) t (i)`;
}

test('of a Parquet object only the columns that are used are fetched', async () => {
  const size = await put('wide.parquet', wide('one'));
  const of = (items: string): Promise<number> => fetched('wide.parquet', (read) => `SELECT ${items} FROM ${read} x`);
  const footers = await of('COUNT(*)');
  const columns = (await of('SUM(x.c7 % 1000), MAX(x.c50)')) - footers;
  expect(size).toBeGreaterThan(8_000_000);
  expect(columns).toBeLessThan(0.05 * size);
  expect(await of('SUM(x.c7 % 1000) AS again, MIN(x.c50)')).toBeLessThan(footers + 10_000);
  expect(await of('MAX(x.nested.a), MAX(LEN(x.nested.b))')).toBeLessThan(0.1 * size);
  expect(await of('MIN(x.state)')).toBeLessThan(0.05 * size);
});

test('a damaged Parquet object is named, also if only a part of it was fetched', async () => {
  const { runtime, bucket, at } = store;
  await put('whole.parquet', wide('one'));
  const whole = await readFile(join(runtime.root, 'whole.parquet'));
  const damages: readonly (readonly [string, (bytes: Buffer) => void])[] = [
    ['page', (bytes) => void bytes.fill(0xff, 4, 30)],
    ['rows', (bytes) => void bytes.fill(0x81, rowsAt(bytes), rowsAt(bytes) + 1)],
  ];
  for (const [name, damage] of damages) {
    const bytes = Buffer.from(whole);
    damage(bytes);
    await bucket.put(`${name}.parquet`, bytes);
    const location = at(`${name}.parquet`);
    expect(await runtime.run(`SELECT ${name === 'rows' ? 'COUNT(*)' : 'MAX(x.c0)'} FROM READ("${location}") x`)).toEqual([
      `! ${location}: the file cannot be read as Parquet at READ("${location}")`,
    ]);
  }
});

/** The place of the number of 20,480 rows in the last row group, in zigzag form: its lowest bit is the sign. */
function rowsAt(bytes: Buffer): number {
  return bytes.lastIndexOf(Buffer.from([0x16, 0x80, 0xc0, 0x02])) + 1;
}

test('a Parquet object that changes is read as it is, and never in parts of both', async () => {
  const text = `SELECT MIN(x.state), MAX(x.c1) > 0 FROM READ("${store.at('changed.parquet')}") x`;
  for (const state of ['one', 'two']) {
    await put('changed.parquet', wide(state));
    expect(JSON.stringify(await store.runtime.run(text))).toContain(state);
  }
});

/** 20 row groups, sorted by the first columns; the last two groups have no `sparse`. */
const SORTED = `SELECT i::INT AS n, i * 1000000007 AS big, date '2024-01-01' + (i // 100)::INT AS day,
  timestamp '2024-01-01' + i * interval 1 minute AS at, timestamptz '2024-01-01 00:00:00+00' + i * interval 1 minute AS zoned,
  (timestamp '2024-01-01' + i * interval 1 minute)::TIMESTAMP_NS AS exact, printf('k%06d', i) AS key, repeat(chr(97 + (i // 2048)::INT), 300) || i AS long,
  (i / 8)::DECIMAL(12,3) AS price, i::UINTEGER AS counted, (i % 7)::SMALLINT AS small, CASE WHEN i % 500 = 3 THEN 'NaN'::DOUBLE ELSE i END AS size,
  CASE WHEN i < 36864 AND i % 3 > 0 THEN i END AS sparse, hash(i)::VARCHAR AS filler FROM range(40960) t (i)`;

test('of row groups those are fetched in which rows may stand that count', async () => {
  const size = await put('sorted.parquet', SORTED, 2048);
  const of = (rest: string): Promise<number> => fetched('sorted.parquet', (read) => `SELECT x.n, x.filler FROM ${read} x ${rest}`);
  const footer = await of('WHERE n < 0');
  const group = size / 20;
  expect(size).toBeGreaterThan(2_000_000);
  expect(footer).toBeLessThan(200_000);
  for (const condition of [
    'n = 5000',
    'n >= 40000',
    'key = "k005000"',
    'day = DATE "2024-02-20"',
    'at < TIMESTAMP "2024-01-01 10:00:00"',
    'zoned < TIMESTAMP "2024-01-01 10:00:00"',
  ])
    expect([condition, (await of(`WHERE x.${condition}`)) - footer < 2 * group]).toEqual([condition, true]);
  expect((await of('WHERE x.sparse IS NOT NULL')) - footer).toBeGreaterThan(3 * group);
  expect((await of('LIMIT 10')) - footer).toBeLessThan(2 * group);
  expect((await of('LIMIT 10 OFFSET 3000')) - footer).toBeLessThan(2 * group);
  expect(await of('LIMIT 0')).toBeLessThan(footer + 10_000);
});

/** A generator of numbers that repeats itself: below the argument, from 0. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test('answers over row groups that were left out are those over all', async () => {
  const next = random(20_261_122);
  const anyOf = <T>(...values: readonly T[]): T => values[next(values.length)] as T; // of a list that is not empty
  const number = (): number => anyOf(0, 2047, 2048, 2049, 40_959, 40_960, -1, next(45_000));
  const minute = (): string => new Date(Date.UTC(2024, 0, 1) + number() * 60_000).toISOString().slice(0, 19).replace('T', ' ');
  const text = (): string => anyOf(`k${String(Math.max(0, number())).padStart(6, '0')}`, 'k', 'l', 'é', 'k00');
  const operator = (): string => anyOf('=', '<>', '<', '<=', '>', '>=');
  const conditions: readonly (() => string)[] = [
    () => `x.n ${operator()} ${number()}`,
    () => `x.counted ${operator()} ${number()}`,
    () => `x.small ${operator()} ${next(9)}`,
    () => `x.big ${operator()} ${number() * 1_000_000_007}`,
    () => `x.sparse ${operator()} ${number()}`,
    () => `x.price ${operator()} ${number()}.125`,
    () => `x.size ${operator()} ${number()}.0`,
    () => `x.day ${operator()} DATE "${minute().slice(0, 10)}"`,
    () => `x.${anyOf('at', 'zoned', 'exact')} ${operator()} TIMESTAMP "${minute()}"`,
    () => `x.key ${operator()} "${text()}"`,
    () => `x.long ${operator()} "${String.fromCodePoint(97 + next(20)).repeat(300)}${anyOf('', String(number()))}"`,
    () => `x.n IN [${number()}, ${number()}, ${number()}]`,
    () => `x.sparse IS ${anyOf('', 'NOT ')}NULL`,
    () => `LENGTH(x.key) = 7`,
  ];
  for (let i = 0; i < 40; i += 1) {
    const where = Array.from({ length: 1 + next(2) }, () => anyOf(...conditions)()).join(' AND ');
    const items = anyOf('COUNT(*) AS c', 'COUNT(*) AS c, MIN(x.n) AS a, MAX(x.n) AS z', 'COUNT(x.sparse) AS c, MAX(x.size) AS s');
    const rows = anyOf(`SELECT ${items}`, 'SELECT x.n, x.key', 'SELECT x.n, x.sparse');
    const limit = rows.includes('(') ? '' : ` LIMIT ${next(4000)}`;
    const bytes = await fetched('sorted.parquet', (read) => `${rows} FROM ${read} x WHERE ${where}${limit}`);
    expect(bytes).toBeGreaterThan(0);
  }
}, 60_000);

test('a limit counts the rows of all files of a pattern, in their order', async () => {
  const rows = (from: number): string => `SELECT i AS n, hash(i)::VARCHAR AS filler FROM range(${from}, ${from + 8192}) t (i)`;
  const sizes = [
    await put('many/1.parquet', rows(0), 2048),
    await put('many/2.parquet', rows(8192), 2048),
    await put('many/3.parquet', rows(16_384), 2048),
  ];
  const all = sizes.reduce((sum, size) => sum + size, 0);
  for (const rest of ['LIMIT 3', 'LIMIT 9000', 'LIMIT 5 OFFSET 17000', 'WHERE x.n >= 16384 AND x.n < 16390', 'LIMIT 30000'])
    expect([rest, await fetched('many/*.parquet', (read) => `SELECT x.n, x.filler FROM ${read} x ${rest}`)]).toEqual([
      rest,
      expect.any(Number),
    ]);
  expect(await fetched('many/*.parquet', (read) => `SELECT x.n, x.filler AS f FROM ${read} x LIMIT 3`)).toBeLessThan(0.7 * all);
});
