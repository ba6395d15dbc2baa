import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';

import { randomNumbers } from '@svc/reference-evaluator';

import { never, openTestEngine, type TestEngine } from '../testing/with-engine.ts';
import { classifyFailure } from './classify-failure.ts';
import type { EngineFailure } from './engine-failure.ts';
import { runStatement } from './run-statement.ts';

const GAPMINDER = join(import.meta.dirname, '../../../../examples/data/gapminder.parquet');

let engine: TestEngine;
beforeAll(async () => {
  engine = await openTestEngine({ memoryMegabytes: 100, spoolMegabytes: 20, concurrency: 1 });
});
afterAll(() => engine.close());

async function failureOf(sql: string): Promise<EngineFailure> {
  return engine.withLease(async (lease) => {
    const rows = runStatement(lease, { sql, signal: never });
    return rows.then(
      (found) => {
        throw new Error(`It did not fail: ${JSON.stringify(found)}`);
      },
      (thrown: unknown) => classifyFailure(thrown),
    );
  });
}

describe('what fails in values', () => {
  it.each([
    [`SELECT 1::INTEGER + 2147483647::INTEGER`, 'overflow', 'integer overflow'],
    [`SELECT 100::TINYINT * 100::TINYINT`, 'overflow', 'integer overflow'],
    [`SELECT -((-128)::TINYINT)`, 'overflow', 'integer overflow'],
    [`SELECT abs((-128)::TINYINT)`, 'overflow', 'integer overflow'],
    [`SELECT sum(x)::BIGINT FROM (VALUES (9223372036854775807), (1)) t(x)`, 'overflow', 'integer overflow'],
    [`SELECT 99999999999999999999999999999999999999::DECIMAL(38,0) * 10`, 'overflow', 'decimal overflow'],
    [`SELECT DATE '290000-01-01' + INTERVAL '6000000 years'`, 'overflow', 'date or time out of range'],
    [`SELECT DATE '2024-01-01' + to_days(999999999)`, 'overflow', 'date or time out of range'],
    [`SELECT TIMESTAMP '294247-01-10 04:00:00' - TIMESTAMP '-290307-12-22 00:00:00'`, 'overflow', 'date or time out of range'],
    [`SELECT CAST(DATE '294300-01-01' AS TIMESTAMP)`, 'overflow', 'date or time out of range'],
    [`SELECT sqrt(-1)`, 'overflow', 'cannot take square root of a negative number'],
    [`SELECT CAST('x' AS INTEGER)`, 'cast', "cannot cast 'x' to int"],
    [`SELECT CAST('x' AS BOOLEAN)`, 'cast', "cannot cast 'x' to bool"],
    [`SELECT CAST('x' AS DOUBLE)`, 'cast', "cannot cast 'x' to double"],
    [`SELECT CAST('x' AS DECIMAL(38,2))`, 'cast', "cannot cast 'x' to decimal"],
    [`SELECT CAST('x' AS DATE)`, 'cast', "cannot cast 'x' to date"],
    [`SELECT CAST('x' AS TIME)`, 'cast', "cannot cast 'x' to time"],
    [`SELECT CAST('x' AS TIMESTAMP)`, 'cast', "cannot cast 'x' to timestamp"],
    [`SELECT CAST('x' AS INTERVAL)`, 'cast', "cannot cast 'x' to interval"],
    [`SELECT CAST('2024-02-31' AS DATE)`, 'cast', "cannot cast '2024-02-31' to date"],
    [`SELECT CAST(1e20 AS INTEGER)`, 'cast', '1e+20 is out of the range of int'],
    [`SELECT CAST(300 AS TINYINT)`, 'overflow', 'integer overflow'],
    [`SELECT CAST('nan'::DOUBLE AS INTEGER)`, 'cast', 'nan is out of the range of int'],
    [`SELECT ('[1' || '')::JSON`, 'cast', 'malformed JSON at byte 2: unexpected end of data'],
    [`SELECT strptime('x', '%Y')`, 'cast', "'x' does not fit the template"],
    [`SELECT decode('\\xFF'::BLOB)`, 'cast', 'bytes that are not UTF-8'],
    [`SELECT from_base64('zz')`, 'cast', 'not base64'],
    [`SELECT unhex('zz')`, 'cast', 'not hexadecimal'],
    [`SELECT chr(55555555)`, 'cast', 'no such code point'],
    [`SELECT timezone('Nope/x', TIMESTAMP '2020-01-01 00:00:00')`, 'cast', "unknown time zone 'Nope/x'"],
  ])('%s', async (sql, failureClass, message) => {
    expect(await failureOf(sql)).toMatchObject({ failureClass, message });
  });

  it.each([
    [`SELECT list(range) FROM range(100000000)`, 'out-of-memory', 'memory'],
    [`SELECT * FROM range(100000000) ORDER BY hash(range)`, 'spool-full', 'spool space'],
  ])('%s: says how much it may use', async (sql, failureClass, what) => {
    const message = expect.stringMatching(new RegExp(`^the query needs more ${what} than the [0-9.]+ [MG]iB that it may use$`));
    expect(await failureOf(sql)).toMatchObject({ failureClass, message });
  });

  it.each(['E7', 'GZIP', 'max_temp_directory_size', 'CSV Error on Line: 1', 'Parquet'])(
    '%s in a value is not what failed',
    async (value) => {
      expect(await failureOf(`SELECT CAST('${value}' AS INTEGER)`)).toMatchObject({
        failureClass: 'cast',
        message: `cannot cast '${value}' to int`,
      });
      expect(await failureOf(`SELECT strptime('${value}', '%Y')`)).toMatchObject({
        failureClass: 'cast',
        message: `'${value}' does not fit the template`,
      });
    },
  );

  it('gives the line of a cast', async () => {
    expect(await failureOf(`SELECT 1,\n\n CAST('x' AS INTEGER)`)).toMatchObject({ line: 3 });
  });

  it('gives the id of an error raised by the lowering, and the text that came with it', async () => {
    expect(await failureOf(`SELECT error('E17')`)).toMatchObject({ failureClass: 'user-error', errorId: 'E17', message: '' });
    expect(await failureOf(`SELECT error('E3:two\nlines')`)).toMatchObject({
      failureClass: 'user-error',
      errorId: 'E3',
      message: 'two\nlines',
    });
  });
});

describe('what fails in files', () => {
  it('names line, column and value of a CSV, and no path', async () => {
    await writeFile(`${engine.root}/a.csv`, 'a,b\n1,2\nx,3\n');
    const failure = await failureOf(
      `SELECT * FROM read_csv('${engine.root}/a.csv', auto_detect=false, header=true, delim=',', columns={a: 'INTEGER', b: 'INTEGER'})`,
    );
    expect(failure).toMatchObject({
      failureClass: 'csv',
      sourceLine: 3,
      sourceColumn: 'a',
      message: "line 3, column a: 'x' is no int",
      line: undefined,
    });
  });

  it('tells how many columns were expected', async () => {
    await writeFile(`${engine.root}/b.csv`, 'a,b\n1,2\n1,2,3\n');
    const failure = await failureOf(
      `SELECT * FROM read_csv('${engine.root}/b.csv', auto_detect=false, header=true, delim=',', columns={a: 'INTEGER', b: 'INTEGER'})`,
    );
    expect(failure).toMatchObject({ failureClass: 'csv', sourceLine: 3, message: 'line 3: expected 2 columns but found 3' });
  });

  it('names the line of JSON that does not fit, or is none', async () => {
    await writeFile(`${engine.root}/a.json`, '{"a":1}\n{"a":"q"}\n');
    await writeFile(`${engine.root}/b.json`, '{"a":1}\n{"a":"q\n');
    const read = (name: string): string =>
      `SELECT * FROM read_json('${engine.root}/${name}', format='newline_delimited', auto_detect=false, columns={a: 'INTEGER'})`;
    expect(await failureOf(read('a.json'))).toMatchObject({
      failureClass: 'json',
      sourceLine: 2,
      message: 'line 2: failed to cast value to numerical: "q"',
    });
    expect(await failureOf(read('b.json'))).toMatchObject({ failureClass: 'json' });
  });

  it('knows every fault of a damaged compressed file', async () => {
    const next = randomNumbers(20);
    const below = (limit: number): number => Math.floor(next() * limit);
    const sound: readonly (readonly [string, Buffer, string])[] = [
      ['x.csv.zst', zstdCompressSync(Buffer.from('a,b\n1,2\n'.repeat(400))), 'read_csv'],
      ['x.csv.gz', gzipSync(Buffer.from('a,b\n1,2\n'.repeat(400))), 'read_csv'],
    ];
    const unknown: string[] = [];
    for (let i = 0; i < 600; i += 1) {
      const [name, bytes, reader] = sound[i % 2] ?? ['', Buffer.alloc(0), ''];
      const damaged = Buffer.from(bytes);
      for (let changes = 1 + below(4); changes > 0; changes -= 1) damaged[below(damaged.length)] = below(256);
      await writeFile(`${engine.root}/${name}`, below(4) === 0 ? damaged.subarray(0, below(damaged.length)) : damaged);
      const failure = await failureOf(`SELECT max(hash(f)) FROM ${reader}('${engine.root}/${name}') AS f`).catch(() => null);
      if (failure?.failureClass === 'internal') unknown.push(String(failure.cause));
    }
    expect([...new Set(unknown)]).toEqual([]);
  }, 60_000);

  it('knows Parquet and missing files', async () => {
    await writeFile(`${engine.root}/a.parquet`, 'PAR1xxxxxxxxxxPAR1');
    await writeFile(`${engine.root}/b.parquet`, 'no such format at all');
    // The header of the first page begins at byte 4: its type, and its size, of which this bit is the sign.
    const negative = await readFile(GAPMINDER);
    negative.writeUInt8(negative.readUInt8(7) | 1, 7);
    await writeFile(`${engine.root}/c.parquet`, negative);
    expect(await failureOf(`SELECT * FROM read_parquet('${engine.root}/c.parquet')`)).toMatchObject({
      failureClass: 'parquet',
      cause: { message: expect.stringContaining('Page sizes') },
    });
    expect(await failureOf(`SELECT * FROM read_parquet('${engine.root}/a.parquet')`)).toMatchObject({ failureClass: 'parquet' });
    expect(await failureOf(`SELECT * FROM read_parquet('${engine.root}/b.parquet')`)).toMatchObject({ failureClass: 'parquet' });
    expect(await failureOf(`SELECT * FROM read_parquet('${engine.root}/none.parquet')`)).toMatchObject({ failureClass: 'missing-file' });
    expect(await failureOf(`SELECT * FROM read_csv('/etc/passwd')`)).toMatchObject({ failureClass: 'missing-file' });
  });
});

test.each([
  ['sources', `SELECT 1 FROM ${'(SELECT * FROM '.repeat(3000)} range(1)${')'.repeat(3000)}`],
  ['operators', `SELECT ${Array(3000).fill('range').join(' + ')} FROM range(1)`],
])('a statement of more %s than the engine can read is too large', async (_, sql) => {
  expect(await failureOf(sql)).toMatchObject({
    failureClass: 'too-complex',
    message: 'the query is too large to be run: use fewer sources, or shorter chains of operators',
  });
});

test('no unknown message is passed on', async () => {
  for (const sql of ['SELECT * FROM secret_table', 'SELEC', `SELECT 1 + INTERVAL '1 day'`]) {
    expect(await failureOf(sql)).toMatchObject({ failureClass: 'internal', message: 'the query engine failed' });
  }
});
