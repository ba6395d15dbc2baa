import { gzipSync, zstdCompressSync } from 'node:zlib';

import type { Inferred, JsonReadPlan } from '@svc/query-engine';
import { printType } from '@svc/query-language';

import { never, openTestEngine, parsedType, type FileContents, type TestEngine } from '../testing/test-engine.ts';
import { inferJson, type JsonOptions } from './infer-json.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await openTestEngine();
});
afterAll(() => engine.close());

type Options = Partial<JsonOptions> & { readonly name?: string };

async function inferred(contents: FileContents, { name = '.json', ...options }: Options = {}): Promise<Inferred<JsonReadPlan>> {
  return inferJson(await engine.write(contents, name), { signal: never, ...options });
}

async function seen(contents: FileContents, options: Options = {}): Promise<{ type: string; rows: readonly string[] }> {
  const { type, plan } = await inferred(contents, options);
  return { type: printType(type), rows: await engine.readBack(plan) };
}

describe('inferJson', () => {
  it('reads an array', async () => {
    expect(await seen('[{"a":1,"t":"2024-01-01"},\n {"a":null,"t":"x","l":[{"x":1.5},{}]}]')).toEqual({
      type: 'collection(record(a: int nullable, t: string, l: collection(record(x: double nullable)) nullable))',
      rows: ['{"a":1,"t":"2024-01-01","l":null}', '{"a":null,"t":"x","l":[{"x":1.5},{"x":null}]}'],
    });
  });

  it('reads lines, documents of several lines, and one document', async () => {
    expect(await seen('{"a":1}\n{"a":2}\n')).toEqual({ type: 'collection(record(a: int))', rows: ['{"a":1}', '{"a":2}'] });
    expect(await seen('{"a":\n1} {"a":2}')).toEqual({ type: 'collection(record(a: int))', rows: ['{"a":1}', '{"a":2}'] });
    expect(await seen('{"a":\n1}\n')).toEqual({ type: 'record(a: int)', rows: ['{"a":1}'] });
    expect(await seen('{"a":1}', { name: '.jsonl' })).toEqual({ type: 'collection(record(a: int))', rows: ['{"a":1}'] });
    expect(await seen('', { name: '.ndjson' })).toEqual({ type: 'collection(any)', rows: [] });
    expect(await seen('[]')).toEqual({ type: 'collection(any)', rows: [] });
    expect(await seen(' "x" ')).toEqual({ type: 'string', rows: ['"x"'] });
  });

  it('reads rows that are no records', async () => {
    expect(await seen('[1, null, 3]')).toEqual({ type: 'collection(int nullable)', rows: ['1', 'null', '3'] });
    expect(await seen('[[1],[2,3]]')).toEqual({ type: 'collection(collection(int))', rows: ['[1]', '[2,3]'] });
    expect(await seen('[1]\n[2,3]\n')).toEqual({ type: 'collection(collection(int))', rows: ['[1]', '[2,3]'] });
    expect(await seen('[1,"x",{"a":1.5}]')).toEqual({ type: 'collection(any)', rows: ['1', '"x"', '{"a":1.5}'] });
    expect(await seen('[{"a":1},null]')).toEqual({ type: 'collection(record(a: int) nullable)', rows: ['{"a":1}', 'null'] });
  });

  it('reads mixed members as any, empty records, and names that differ only in case', async () => {
    expect(
      await seen('[{"m":1,"e":{},"a":1,"A":"x","n":{"b":1,"B":[true]},"/~":1},{"m":"x","e":{},"a":2,"A":"y","n":{"b":2,"B":[]},"/~":2}]'),
    ).toEqual({
      type: 'collection(record(m: any, e: record(), a: int, A: string, n: record(b: int, B: collection(bool)), `/~`: int))',
      rows: ['{"m":1,"e":{},"a":1,"A":"x","n":{"b":1,"B":[true]},"/~":1}', '{"m":"x","e":{},"a":2,"A":"y","n":{"b":2,"B":[]},"/~":2}'],
    });
    expect(await seen('[{"m":1,"e":{},"n":{"b":1,"B":[true]}},{"m":"x","e":{},"n":{"b":2,"B":[]}}]')).toEqual({
      type: 'collection(record(m: any, e: record(), n: record(b: int, B: collection(bool))))',
      rows: ['{"m":1,"e":{},"n":{"b":1,"B":[true]}}', '{"m":"x","e":{},"n":{"b":2,"B":[]}}'],
    });
  });

  it('does not trust a sample', async () => {
    const content = '{"a":1,"l":[1]}\n'.repeat(5) + '{"a":2.9,"l":[3000000000]}\n';
    const { type, plan, isSampled } = await inferred(content, { sampleSize: 3 });
    expect({ type: printType(type), isSampled }).toEqual({
      type: 'collection(record(a: long nullable, l: collection(long) nullable))',
      isSampled: true,
    });
    await expect(engine.readBack(plan)).rejects.toMatchObject({ message: expect.stringContaining("a: '2.9' is no long") });
    expect(printType((await inferred(content, { sampleSize: 6 })).type)).toBe('collection(record(a: double, l: collection(long)))');
  });

  it('puts the files of a pattern together, each as it is laid out', async () => {
    expect(
      await seen(['[{"a":1},{"a":2}]', '{"a":3}', '{"a":4}\n{"a":5}\n'], {
        isPattern: true,
        fileColumns: [{ field: { name: 'f', type: parsedType('string') }, values: ['x', 'y', 'z'] }],
      }),
    ).toEqual({
      type: 'collection(record(a: int, f: string))',
      rows: ['{"a":1,"f":"x"}', '{"a":2,"f":"x"}', '{"a":3,"f":"y"}', '{"a":4,"f":"z"}', '{"a":5,"f":"z"}'],
    });
    expect((await seen('{"a":3}', { isPattern: true })).type).toBe('collection(record(a: int))');
  });

  it('reads what is compressed', async () => {
    for (const [compression, bytes] of [
      ['gzip', gzipSync('{"a":1}\n{"a":2}\n')],
      ['zstd', zstdCompressSync('{"a":1}\n{"a":2}\n')],
    ] as const) {
      const { type, plan } = await inferred(bytes, { compression });
      expect(printType(type)).toBe('collection(record(a: int))');
      expect(await engine.readBack(plan)).toEqual(['{"a":1}', '{"a":2}']);
    }
  });

  it('says where a document is malformed, that a file is empty, missing or cut off', async () => {
    await expect(inferred('{"a":1}\n{"a":x}\n')).rejects.toMatchObject({
      failureClass: 'json',
      message: 'line 2, column 6: malformed JSON: expected a value',
    });
    await expect(inferred('[{"a":1},')).rejects.toMatchObject({ failureClass: 'json' });
    await expect(inferred('  ')).rejects.toMatchObject({ failureClass: 'json', message: 'the file is empty' });
    await expect(inferred(gzipSync('{"a":1}').subarray(0, 12), { compression: 'gzip' })).rejects.toMatchObject({
      failureClass: 'unreadable',
      message: 'the file cannot be decompressed',
    });
    await expect(inferred(gzipSync('{"a":1}\n').subarray(0, 12), { compression: 'gzip', onError: 'null' })).rejects.toMatchObject({
      failureClass: 'unreadable',
      message: 'the file cannot be decompressed',
    });
    await expect(inferJson([{ path: `${engine.root}/none.json`, location: 'x' }], { signal: never })).rejects.toMatchObject({
      failureClass: 'missing-file',
    });
  });
});

describe('a told type', () => {
  const rows = async (content: string, type: string, options: Partial<JsonOptions> = {}): Promise<readonly string[]> =>
    engine.readBack((await inferred(content, { type: parsedType(type), ...options })).plan);

  it('converts as CAST does', async () => {
    const type =
      'collection(record(i: int nullable, d: decimal nullable, t: timestamp nullable, s: string nullable, b: bool nullable, n: record(x: short nullable, l: collection(date nullable)) nullable, y: any nullable, bin: binary nullable))';
    expect(
      await rows(
        '[{"i":"2","d":12.34,"t":"2024-01-01T00:00:00+02:00","s":3,"b":"true","n":{"x":-1.9,"l":["2024-01-01",null],"more":1},"y":[1,{"q":null}],"bin":"qgA=","more":{}},{"i":1.9,"n":null},{}]',
        type,
      ),
    ).toEqual([
      '{"i":2,"d":12.34,"t":"2023-12-31T22:00:00.000","s":"3","b":true,"n":{"x":-1,"l":["2024-01-01",null]},"y":[1,{"q":null}],"bin":"qgA="}',
      '{"i":1,"d":null,"t":null,"s":null,"b":null,"n":null,"y":null,"bin":null}',
      '{"i":null,"d":null,"t":null,"s":null,"b":null,"n":null,"y":null,"bin":null}',
    ]);
  });

  it.each<[string, string, string]>([
    ['[{"a":"x"}]', 'record(a: int)', "a: 'x' is no int"],
    ['[{"a":99999999999}]', 'record(a: int nullable)', "a: '99999999999' is no int"],
    ['[{"b":1}]', 'record(a: int)', 'a: missing or null, and the type is not nullable'],
    ['[{"a":null}]', 'record(a: string)', 'a: missing or null, and the type is not nullable'],
    ['[{"a":{"b":[{"c":"x"}]}}]', 'record(a: record(b: collection(record(c: long nullable))))', "a.b[].c: 'x' is no long"],
    ['[{"a":{"b":[{}]}}]', 'record(a: record(b: collection(record(c: double))))', 'a.b[].c: missing or null, and the type is not nullable'],
    ['[{"a":null}]', 'record(a: collection(int))', 'a: missing or null, and the type is not nullable'],
    ['[{"a":null}]', 'record(a: any)', 'a: missing or null, and the type is not nullable'],
    ['[1, "x"]', 'int', "'x' is no int"],
  ])('%s names the path of what does not fit', async (content, element, message) => {
    await expect(rows(content, `collection(${element})`)).rejects.toMatchObject({ failureClass: 'json', message });
  });

  it('makes NULL of what does not fit, where asked', async () => {
    const type = 'collection(record(a: int nullable, b: double nullable))';
    expect(await rows('[{"a":"x","b":"y"},{"a":1,"b":2}]', type, { onError: 'null' })).toEqual(['{"a":null,"b":null}', '{"a":1,"b":2.0}']);
  });

  it('takes documents for elements, an array for a value', async () => {
    expect(await rows('{"a":1}', 'collection(record(a: int))')).toEqual(['{"a":1}']);
    expect(await rows('[1,{"a":2}]', 'any')).toEqual(['[1,{"a":2}]']);
  });
});

describe('an object with many fields', () => {
  const members = (count: number, value: (i: number) => string): string =>
    `{${Array.from({ length: count }, (_, i) => `"m${i}":${value(i)}`).join(',')}}`;

  it.each([
    ['within a document', (object: string) => `{"id":1,"o":${object}}`, 'record(id: int, o: any)'],
    ['within rows', (object: string) => `[{"id":1,"o":${object}},{"id":2,"o":null}]`, 'collection(record(id: int, o: any nullable))'],
    ['as the element of an array', (object: string) => `{"id":1,"o":[${object}]}`, 'record(id: int, o: collection(any))'],
  ])('%s is any from 1,001 on, those of records within it included', async (_, around, type) => {
    const wide = members(1001, String);
    expect(await seen(around(wide))).toMatchObject({ type, rows: expect.arrayContaining([expect.stringContaining(wide)]) });
    // 91 of them hold 10 each.
    expect((await inferred(around(members(91, () => members(10, String))))).type).toEqual(parsedType(type));
    for (const narrow of [members(1000, String), members(90, () => members(10, String))])
      expect(printType((await inferred(around(narrow))).type)).toContain('record(m0: ');
  });

  it('that is a document or row is any from 5,001 on', async () => {
    const nested = (count: number): string => members(count, () => members(9, String));
    expect((await seen(nested(501))).type).toBe('any');
    expect((await seen(`[${nested(501)}]`)).type).toBe('collection(any)');
    expect(printType((await inferred(`[${nested(500)}]`)).type)).toContain('collection(record(m0: record(m0: int');
  });
});

it('reads nulls and empty objects in records, where all else is read as it is', async () => {
  expect(
    await seen(
      '[{"o":{"n":null,"e":{},"s":"null","i":1,"l":[{"n":null,"i":2},{"n":"null"}]}},{"o":{"n":null,"e":{},"s":"x","i":2,"l":[]}},{"o":null}]',
    ),
  ).toEqual({
    type: 'collection(record(o: record(n: any nullable, e: record(), s: string, i: int, l: collection(record(n: string nullable, i: int nullable))) nullable))',
    rows: [
      '{"o":{"n":null,"e":{},"s":"null","i":1,"l":[{"n":null,"i":2},{"n":"null","i":null}]}}',
      '{"o":{"n":null,"e":{},"s":"x","i":2,"l":[]}}',
      '{"o":null}',
    ],
  });
});

it('looks at short lines behind a wide one in even time, and passes over what is none', async () => {
  const names = Array.from({ length: 4000 }, (_, i) => `"name${i}":1`).join(',');
  const begun = performance.now();
  const { type } = await inferred(`{${names}}\n${'{"a":1}\n'.repeat(9000)}{"b":1\n`, { name: '.jsonl', onError: 'skip' });
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect(printType(type)).toContain('name3999: int nullable, a: int nullable');
  expect(printType(type)).not.toContain('b: int');
});
