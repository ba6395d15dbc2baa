import { gzipSync, zstdCompressSync } from 'node:zlib';

import { locateMisread, type CsvReadPlan, type Inferred } from '@svc/query-engine';
import { printType } from '@svc/query-language';

import { never, openTestEngine, parsedType, type FileContents, type TestEngine } from '../testing/test-engine.ts';
import { inferCsv, type CsvOptions } from './infer-csv.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await openTestEngine();
});
afterAll(() => engine.close());

async function inferred(contents: FileContents, options: Partial<CsvOptions> = {}): Promise<Inferred<CsvReadPlan>> {
  const files = await engine.write(contents, '.csv');
  return engine.withLease((lease) => inferCsv(async () => lease, files, { signal: never, ...options }));
}

const typeOf = async (content: string, options: Partial<CsvOptions> = {}): Promise<string> =>
  printType((await inferred(content, options)).type);

describe('inferCsv', () => {
  it('finds each type, int where all fit, and NULL where there is one', async () => {
    const content =
      'i,l,d,b,da,ti,ts,s,n,mixed\n' +
      '1,3000000000,1.5,true,2024-01-02,10:20:30,2024-01-02T10:20:30,x,,1\n' +
      '-2,4,2,false,2024-02-03,23:59:59.5,2024-01-02,"y,z",5,a\n';
    const { type, plan, isSampled } = await inferred(content);
    expect(printType(type)).toBe(
      'collection(record(i: int, l: long, d: double, b: bool, da: date, ti: time, ts: timestamp, s: string, n: int nullable, mixed: string))',
    );
    expect(isSampled).toBe(false);
    expect(await engine.readBack(plan)).toEqual([
      '{"i":1,"l":3000000000,"d":1.5,"b":true,"da":"2024-01-02","ti":"10:20:30.000","ts":"2024-01-02T10:20:30.000","s":"x","n":null,"mixed":"1"}',
      '{"i":-2,"l":4,"d":2.0,"b":false,"da":"2024-02-03","ti":"23:59:59.500","ts":"2024-01-02T00:00:00.000","s":"y,z","n":5,"mixed":"a"}',
    ]);
    expect(await engine.readBack(plan, ['s', 'i'])).toEqual(['{"i":1,"s":"x"}', '{"i":-2,"s":"y,z"}']);
  });

  it('does not trust a sample: integers are long and every field nullable', async () => {
    const content = `a,b\n${'1,x\n'.repeat(20)}`;
    expect(await inferred(content, { sampleSize: 19 })).toMatchObject({ isSampled: true });
    expect(await typeOf(content, { sampleSize: 19 })).toBe('collection(record(a: long nullable, b: string nullable))');
    expect(await typeOf(content, { sampleSize: 20 })).toBe('collection(record(a: int, b: string))');
    expect(await typeOf(content, { sampleSize: -1 })).toBe('collection(record(a: int, b: string))');
  });

  it('believes no first rows of a large sample', async () => {
    const content = `a,b,c,d,e\n${'1,2,3,2024-01-01,\n'.repeat(2500)}2,2.5,x,2024-01-01T10:00:00,true\n`;
    expect(await typeOf(content)).toBe('collection(record(a: int, b: double, c: string, d: timestamp, e: bool nullable))');
  });

  it('looks at a file of 2,000 columns in the memory of one query, group by group', async () => {
    const cells = ['12', '1.5', '2024-01-02', 'x', 'true', '2024-01-02T10:00:00', ''];
    const types = ['int', 'double', 'date', 'string', 'bool', 'timestamp', 'string nullable'];
    const columns = Array.from({ length: 2000 }, (_, i) => i);
    const line = columns.map((i) => cells[i % cells.length]).join(',');
    const names = columns.map((i) => `c${i}`).join(',');
    // Sampled cells do not determine the types of later ones.
    const odd = columns.map((i) => (i === 0 || i === 1998 ? 'odd' : cells[i % cells.length])).join(',');
    const expected = columns.map((i) => `c${i}: ${i === 0 || i === 1998 ? 'string' : types[i % types.length]}`).join(', ');
    expect(await typeOf(`${names}\n${`${line}\n`.repeat(60)}${odd}\n`)).toBe(`collection(record(${expected}))`);
  });

  it('names the columns of a file without a header _1, _2', async () => {
    expect(await typeOf('1;2.5\n3;4\n')).toBe('collection(record(_1: int, _2: double))');
    expect(await typeOf('a;b\nc;d\n', { hasHeader: false })).toBe('collection(record(_1: string, _2: string))');
  });

  it('keeps names that differ only in case, and makes others unique', async () => {
    const { type, plan } = await inferred('a,A,a,,"b,""c"\n1,2,3,4,5\n');
    expect(printType(type)).toBe('collection(record(a: int, A: int, a_2: int, _4: int, `b,"c`: int))');
    expect(await engine.readBack(plan)).toEqual(['{"a":1,"A":2,"a_2":3,"_4":4,"b,\\"c":5}']);
  });

  it('tells an empty cell from an empty text, and takes other words for NULL', async () => {
    const { type, plan } = await inferred('a,b\n"",1\n,2\nNA,NA\n', { nulls: ['', 'NA'] });
    expect(printType(type)).toBe('collection(record(a: string nullable, b: int nullable))');
    expect(await engine.readBack(plan)).toEqual(['{"a":"","b":1}', '{"a":null,"b":2}', '{"a":null,"b":null}']);
  });

  it('moves timestamps with an offset to UTC', async () => {
    const { plan } = await inferred('t\n2024-01-01T00:00:00+02:00\n2024-01-01T00:00:00Z\n2024-01-01 00:00:00\n');
    expect(await engine.readBack(plan)).toEqual([
      '{"t":"2023-12-31T22:00:00.000"}',
      '{"t":"2024-01-01T00:00:00.000"}',
      '{"t":"2024-01-01T00:00:00.000"}',
    ]);
  });

  it('takes neither hexadecimal, nor exponents, nor texts for integers', async () => {
    expect(await typeOf('a,b,c,d\n0x1F,1e3,1_000,99999999999999999999\n')).toBe(
      'collection(record(a: string, b: double, c: string, d: double))',
    );
  });

  it('is a collection of nothing for a header alone', async () => {
    const { type, plan } = await inferred('a,b\n');
    expect(printType(type)).toBe('collection(record(a: string nullable, b: string nullable))');
    expect(await engine.readBack(plan)).toEqual([]);
  });

  it('reads what is compressed', async () => {
    const content = 'a,b\n1,x\n';
    for (const [compression, bytes] of [
      ['gzip', gzipSync(content)],
      ['zstd', zstdCompressSync(content)],
    ] as const) {
      const { plan } = await inferred(bytes, { compression });
      expect(await engine.readBack(plan)).toEqual(['{"a":1,"b":"x"}']);
    }
  });

  it('reads several files as one, with a column for each file', async () => {
    const { type, plan } = await inferred(['a\n1\n', 'a\n2\n3\n'], {
      fileColumns: [{ field: { name: 'year', type: parsedType('int') }, values: ['2023', '2024'] }],
    });
    expect(printType(type)).toBe('collection(record(a: int, year: int))');
    expect(await engine.readBack(plan)).toEqual(['{"a":1,"year":2023}', '{"a":2,"year":2024}', '{"a":3,"year":2024}']);
    expect(await engine.readBack(plan, ['year'])).toEqual(['{"year":2023}', '{"year":2024}', '{"year":2024}']);
  });
});

describe('a told type', () => {
  const told = parsedType('record(b: decimal, a: timestamp nullable, z: int nullable)');

  it('finds its columns by name', async () => {
    const { type, plan } = await inferred('a,x,B\n2024-01-01,9,1.50\n', { rowType: told });
    expect(printType(type)).toBe(`collection(${printType(told)})`);
    expect(await engine.readBack(plan)).toEqual(['{"b":1.5,"a":"2024-01-01T00:00:00.000","z":null}']);
  });

  it('fails where a column is missing that must be there', async () => {
    await expect(inferred('a,x\n1,2\n', { rowType: told })).rejects.toMatchObject({
      failureClass: 'csv',
      message: 'the file has no column b',
    });
  });

  it('fails on a cell that does not fit, naming it, or makes it NULL, or skips the row', async () => {
    const rowType = parsedType('record(a: int nullable, t: timestamp nullable)');
    const content = 'a,t\n1,2024-01-01\nx,2024-01-01\n3,yesterday\n';
    await expect(engine.readBack((await inferred(content, { rowType })).plan, ['a'])).rejects.toMatchObject({
      failureClass: 'csv',
      sourceColumn: 'a',
      message: "line 3, column a: 'x' is no double",
    });
    await expect(engine.readBack((await inferred(content, { rowType })).plan, ['t'])).rejects.toMatchObject({
      failureClass: 'csv',
      message: "column t: 'yesterday' is no timestamp",
    });
    expect(await engine.readBack((await inferred(content, { rowType, onError: 'null' })).plan)).toEqual([
      '{"a":1,"t":"2024-01-01T00:00:00.000"}',
      '{"a":null,"t":"2024-01-01T00:00:00.000"}',
      '{"a":3,"t":null}',
    ]);
    expect(await engine.readBack((await inferred(content, { rowType, onError: 'skip' })).plan)).toEqual([
      '{"a":1,"t":"2024-01-01T00:00:00.000"}',
    ]);
  });

  it.each(['1.5', '0x1F', 'x', '99999999999'])('takes no %s for an integer', async (cell) => {
    const { plan } = await inferred(`a,b\n1,1\n${cell},2\n`, { rowType: parsedType('record(a: int nullable)') });
    await expect(engine.readBack(plan)).rejects.toMatchObject({ failureClass: 'csv', sourceColumn: 'a' });
    // The engine names the type that it reads: the search for the place names the one that the user wrote.
    const found = await engine.withLease((lease) => locateMisread(lease, plan, { column: 'a', signal: never }));
    expect(found).toMatchObject({ place: 'line 3', message: `column a: '${cell}' is no int` });
  });

  it('takes integers as they are written', async () => {
    const { plan } = await inferred('a,b\n 1 ,1\n-2,2\n+3,2\n,3\n', { rowType: parsedType('record(a: long nullable)') });
    expect(await engine.readBack(plan)).toEqual(['1', '-2', '3', 'null'].map((a) => `{"a":${a}}`));
  });

  it('fails on an empty cell that may not be', async () => {
    const { plan } = await inferred('a,b\n,1\n', { rowType: parsedType('record(a: int)') });
    await expect(engine.readBack(plan)).rejects.toMatchObject({
      failureClass: 'csv',
      message: 'column a: missing or null, and the type is not nullable',
    });
  });
});

it('fails for a missing file, and without its path', async () => {
  const missing = engine.withLease((lease) =>
    inferCsv(async () => lease, [{ path: `${engine.root}/none.csv`, location: 'file:none.csv' }], { signal: never }),
  );
  await expect(missing).rejects.toMatchObject({ failureClass: 'missing-file', message: expect.not.stringContaining(engine.root) });
});
