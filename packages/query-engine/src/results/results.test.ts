import type { Type } from '@svc/query-language';

import { duckType } from '../representation/duck-type.ts';
import type { RelationLayout } from '../representation/relation-layout.ts';
import { any, collection, nullable, primitive, record } from '../testing/types.ts';
import { never, openTestEngine, type TestEngine } from '../testing/with-engine.ts';
import { printRows, type LineEnding } from './print-rows.ts';
import { unsupportedPart, type TextFormatName } from './result-format.ts';
import { ResultTooLarge, streamResult } from './stream-result.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await openTestEngine();
});
afterAll(() => engine.close());

interface Asked {
  readonly sql: string;
  readonly layout: RelationLayout;
  readonly format: TextFormatName;
  readonly isCollection?: boolean;
  readonly lineEnding?: LineEnding;
  readonly maxBytes?: number;
}

async function bodyOf({ sql, layout, format, isCollection = true, lineEnding = 'unix', maxBytes }: Asked): Promise<string> {
  const printed = printRows({ sql, layout, isCollection }, { format, lineEnding });
  return engine.withLease(async (lease) => {
    const pieces: Uint8Array[] = [];
    const stream = streamResult(lease, { printed, signal: never, maxBytes });
    for await (const piece of stream) pieces.push(piece);
    const body = Buffer.concat(pieces);
    expect(stream.progress().bytes).toBe(body.length);
    return body.toString();
  });
}

/** Returns one value per SQL expression, cast to the engine's type, in rows of one column. */
const valuesOf = (type: Type, ...expressions: string[]): Pick<Asked, 'sql' | 'layout'> => ({
  sql: expressions.map((expression) => `SELECT CAST(${expression} AS ${duckType(type)}) AS c1`).join(' UNION ALL '),
  layout: { kind: 'value', column: 'c1', type },
});

const int = primitive('int');
const string = primitive('string');
const NESTED = record({ id: primitive('long'), tags: collection(string), at: nullable(record({ x: primitive('double'), e: record({}) })) });

describe('JSON values', () => {
  it.each<[string, Type, string[], string]>([
    ['byte', primitive('byte'), ['-128'], '-128'],
    ['a long beyond 2^53', primitive('long'), ['9223372036854775807', '-9223372036854775808'], '9223372036854775807\n-9223372036854775808'],
    ['float', primitive('float'), ['0.1', '1e20', "'nan'", "'-inf'"], '0.1\n1e+20\nnull\nnull'],
    ['double', primitive('double'), ['0.1', '1e300', "'nan'", "'inf'", "'-0'"], '0.1\n1e300\nnull\nnull\n-0.0'],
    [
      'decimal',
      primitive('decimal'),
      ['12.50', '-0.5', '100', '0', '12345678901234567890.123456789012345678'],
      '12.5\n-0.5\n100\n0\n12345678901234567890.123456789012345678',
    ],
    ['bool', primitive('bool'), ['true', 'false'], 'true\nfalse'],
    [
      'string',
      string,
      [`'it''s "x" \\'`, `concat('a', chr(10), chr(13), chr(0), 'é😀')`, `''`],
      '"it\'s \\"x\\" \\\\"\n"a\\n\\r\\u0000é😀"\n""',
    ],
    ['date', primitive('date'), [`'2023-12-25'`, `'1069-01-02'`], '"2023-12-25"\n"1069-01-02"'],
    ['time', primitive('time'), [`'01:02:03'`, `'23:59:59.5'`, `'00:00:00.000001'`], '"01:02:03.000"\n"23:59:59.500"\n"00:00:00.000001"'],
    [
      'timestamp',
      primitive('timestamp'),
      [`'2023-12-25 01:02:03'`, `'1950-12-25 01:02:03.5'`, `'0099-12-25 01:02:03.000007'`],
      '"2023-12-25T01:02:03.000"\n"1950-12-25T01:02:03.500"\n"0099-12-25T01:02:03.000007"',
    ],
    [
      'interval',
      primitive('interval'),
      [
        `'1 year 2 months 3 days 4 hours 5 minutes 6.007 seconds'`,
        `'0 days'`,
        `'-60 days'`,
        `'-1 hours -30 minutes'`,
        `'0.0005 seconds'`,
        `'-0.5 seconds'`,
        `'14 months'`,
        `'26 hours'`,
      ],
      '"P1Y2M3DT4H5M6.007S"\n"PT0S"\n"P-60D"\n"PT-1H-30M"\n"PT0.000500S"\n"PT-0.500S"\n"P1Y2M"\n"PT26H"',
    ],
    ['binary', primitive('binary'), [`'\\xAA\\x00'`, `''`], '"qgA="\n""'],
    ['any', any, [`'{"a" : 1.50,\n "b":[12345678901234567890.5]}'`, `'"x\\ny"'`], '{"a" : 1.50,  "b":[12345678901234567890.5]}\n"x\\ny"'],
    ['the empty record', record({}), ['true'], '{}'],
    ['a collection', collection(primitive('date')), [`['2020-01-01', '2020-01-02']`, '[]'], '["2020-01-01","2020-01-02"]\n[]'],
    ['a collection of integers with NULL', collection(nullable(int)), ['[1, NULL]'], '[1,null]'],
    [
      'nested records',
      NESTED,
      [`{'id': 1, 'tags': ['a', 'b,"c'], 'at': {'x': 0.5, 'e': true}}`, `{'id': 2, 'tags': [], 'at': NULL}`],
      '{"id":1,"tags":["a","b,\\"c"],"at":{"x":0.5,"e":{}}}\n{"id":2,"tags":[],"at":null}',
    ],
    ['collections of collections', collection(collection(nullable(primitive('decimal')))), ['[[1.5, NULL], []]'], '[[1.5,null],[]]'],
  ])('%s', async (_, type, expressions, expected) => {
    const body = await bodyOf({ ...valuesOf(type, ...expressions), format: 'hjson' });
    expect(body).toBe(`${expected}\n`);
    for (const line of expected.split('\n')) JSON.parse(line);
    expect(await bodyOf({ ...valuesOf(nullable(type), ...expressions), format: 'hjson' })).toBe(body);
    expect(await bodyOf({ ...valuesOf(nullable(type), 'NULL'), format: 'hjson' })).toBe('null\n');
    expect(await bodyOf({ ...valuesOf(type, ...expressions), format: 'json' })).toBe(`[${expected.split('\n').join(',')}]\n`);
  });

  it('prints decimals of every scale', async () => {
    const layout: RelationLayout = { kind: 'value', column: 'c1', type: primitive('decimal') };
    const texts = [
      'CAST(0.50 AS DECIMAL(2,2))',
      'CAST(-0.25 AS DECIMAL(18,18))',
      'CAST(0 AS DECIMAL(2,2))',
      'CAST(100 AS DECIMAL(38,0))',
      'CAST(7 AS DECIMAL(5,1))',
      'CAST(-1200.50 AS DECIMAL(38,2))',
      'CAST(0 AS DECIMAL(38,4))',
      'CAST(300 AS DECIMAL(38,0))',
      `CAST('999999999999999999' AS DECIMAL(38,0))`,
      `CAST('-99999999999999999.5' AS DECIMAL(38,1))`,
      `CAST('100000000000000000.0' AS DECIMAL(38,1))`,
      `CAST('123456789012345678901234567890.1230' AS DECIMAL(38,4))`,
      `CAST('0.10000' AS DECIMAL(38,5))`,
      `CAST('-0.00000000000000000000000000000000000010' AS DECIMAL(38,38))`,
      'CAST(0 AS DECIMAL(38,38))',
      `CAST('99999999999999.99' AS DECIMAL(38,2))`,
      `CAST('-100000000000000.10' AS DECIMAL(38,2))`,
      'CAST(-0.05 AS DECIMAL(38,2))',
      'CAST(12.3450 AS DECIMAL(38,4))',
      'CAST(-12.0340 AS DECIMAL(38,3))',
      'CAST(0.0001 AS DECIMAL(38,4))',
      'CAST(-3.10 AS DECIMAL(38,1))',
    ];
    const bodies = await Promise.all(texts.map((sql) => bodyOf({ sql: `SELECT ${sql} AS c1`, layout, format: 'hjson' })));
    const first = [
      '0.5',
      '-0.25',
      '0',
      '100',
      '7',
      '-1200.5',
      '0',
      '300',
      '999999999999999999',
      '-99999999999999999.5',
      '100000000000000000',
    ];
    const last = ['123456789012345678901234567890.123', '0.1', '-0.0000000000000000000000000000000000001', '0'];
    const narrow = ['99999999999999.99', '-100000000000000.1', '-0.05', '12.345', '-12.034', '0.0001', '-3.1'];
    expect(bodies).toEqual([...first, ...last, ...narrow].map((text) => `${text}\n`));
  });

  it('takes names from the type, whatever the members are called', async () => {
    const type = record({ a: int, A: string, 'x"y\n': primitive('date'), '': int });
    const sql = `SELECT {'a': 1, 'A_2': 'x', 'x"y\n': DATE '2020-01-01', '_': 5} AS c1`;
    expect(await bodyOf({ sql, layout: { kind: 'value', column: 'c1', type }, format: 'hjson' })).toBe(
      '{"a":1,"A":"x","x\\"y\\n":"2020-01-01","":5}\n',
    );
  });

  it('prints columns as the fields of a record', async () => {
    const layout: RelationLayout = {
      kind: 'columns',
      columns: [
        { name: 'c1', field: { name: 'a', type: int } },
        { name: 'c2', field: { name: 'A', type: nullable(collection(record({ b: primitive('double') }))) } },
      ],
    };
    expect(
      await bodyOf({ sql: `SELECT 1 AS c1, NULL::STRUCT(b DOUBLE)[] AS c2 UNION ALL SELECT 2, [{'b': 1}]`, layout, format: 'json' }),
    ).toBe('[{"a":1,"A":null},{"a":2,"A":[{"b":1.0}]}]\n');
    expect(await bodyOf({ sql: 'SELECT 1 AS c1', layout: { kind: 'columns', columns: [] }, format: 'hjson' })).toBe('{}\n');
  });
});

describe('documents', () => {
  const none = { sql: 'SELECT 1 AS c1 WHERE false', layout: { kind: 'value', column: 'c1', type: int } as const };

  it('is empty, or an empty array, for no rows', async () => {
    expect(await bodyOf({ ...none, format: 'hjson' })).toBe('');
    expect(await bodyOf({ ...none, format: 'json' })).toBe('[]\n');
    expect(await bodyOf({ ...none, format: 'csv' })).toBe('value\n');
  });

  it('is one value where the result is no collection', async () => {
    const one = { ...valuesOf(NESTED, `{'id': 1, 'tags': [], 'at': NULL}`), isCollection: false };
    expect(await bodyOf({ ...one, format: 'hjson' })).toBe('{"id":1,"tags":[],"at":null}\n');
    expect(await bodyOf({ ...one, format: 'json' })).toBe('{"id":1,"tags":[],"at":null}\n');
  });

  it('has the line ending that was asked for, in hjson and csv', async () => {
    const rows = valuesOf(int, '1', '2');
    expect(await bodyOf({ ...rows, format: 'hjson', lineEnding: 'windows' })).toBe('1\n\r2\n\r');
    expect(await bodyOf({ ...rows, format: 'csv', lineEnding: 'windows' })).toBe('value\n\r1\n\r2\n\r');
    expect(await bodyOf({ ...rows, format: 'json', lineEnding: 'windows' })).toBe('[1,2]\n');
  });

  it('keeps the order of many rows', async () => {
    const layout: RelationLayout = { kind: 'value', column: 'x', type: primitive('long') };
    const body = await bodyOf({ sql: 'SELECT range AS x FROM range(100000) ORDER BY x DESC', layout, format: 'json' });
    expect(JSON.parse(body)).toEqual(Array.from({ length: 100_000 }, (_, i) => 99_999 - i));
  });
});

describe('CSV', () => {
  const type = record({ a: nullable(string), 'b,c': nullable(primitive('double')), d: nullable(primitive('timestamp')) });

  it('quotes only where needed and tells NULL from the empty string', async () => {
    const rows = valuesOf(
      type,
      `{'a': 'plain', 'b,c': 1.5, 'd': '2020-01-01 00:00:00'}`,
      `{'a': 'x,"y"', 'b,c': 'nan'::DOUBLE, 'd': NULL}`,
      `{'a': '', 'b,c': '-inf'::DOUBLE, 'd': NULL}`,
      `{'a': NULL, 'b,c': 'inf'::DOUBLE, 'd': NULL}`,
      `{'a': concat('l', chr(10)), 'b,c': NULL, 'd': NULL}`,
      'NULL',
    );
    expect(await bodyOf({ ...rows, format: 'csv' })).toBe(
      'a,"b,c",d\nplain,1.5,2020-01-01T00:00:00.000\n"x,""y""",NaN,\n"",-Infinity,\n,Infinity,\n"l\n",,\n,,\n',
    );
  });

  it('is refused for what is not flat, with the field', () => {
    expect(unsupportedPart('csv', collection(record({ a: int, b: collection(int) })))).toMatchObject({ field: 'b' });
    expect(unsupportedPart('csv', collection(any))).toMatchObject({ field: null });
    expect(unsupportedPart('csv', collection(type))).toBeNull();
    expect(unsupportedPart('csv', int)).toBeNull();
    expect(unsupportedPart('json', collection(collection(int)))).toBeNull();
  });
});

describe('maxBytes', () => {
  const rows = valuesOf(string, `'é'`, `'bb'`, `'c'`);

  it.each<[TextFormatName, number, string]>([
    ['hjson', 4, ''],
    ['hjson', 5, '"é"\n'],
    ['hjson', 9, '"é"\n'],
    ['hjson', 10, '"é"\n"bb"\n'],
    ['hjson', 14, '"é"\n"bb"\n"c"\n'],
    ['hjson', 1, ''],
    ['json', 3, '[]\n'],
    ['json', 6, '[]\n'],
    ['json', 7, '["é"]\n'],
    ['json', 11, '["é"]\n'],
    ['json', 12, '["é","bb"]\n'],
    ['json', 16, '["é","bb","c"]\n'],
    ['csv', 6, 'value\n'],
    ['csv', 8, 'value\n'],
    ['csv', 9, 'value\né\n'],
    ['csv', 14, 'value\né\nbb\nc\n'],
  ])('%s in %i bytes is the last whole value that fits', async (format, maxBytes, expected) => {
    expect(await bodyOf({ ...rows, format, maxBytes })).toBe(expected);
    expect(Buffer.byteLength(expected)).toBeLessThanOrEqual(maxBytes);
  });

  it.each<[TextFormatName, number, boolean]>([
    ['json', 2, true],
    ['csv', 5, true],
    ['json', 4, false],
    ['hjson', 4, false],
  ])('%s cannot be cut to %i bytes', async (format, maxBytes, isCollection) => {
    await expect(bodyOf({ ...valuesOf(string, `'é'`), format, maxBytes, isCollection })).rejects.toBeInstanceOf(ResultTooLarge);
  });
});

it('ends in a failure, without its end, where the statement fails late', async () => {
  const layout: RelationLayout = { kind: 'value', column: 'x', type: primitive('long') };
  const sql = `SELECT CASE WHEN range = 900000 THEN error('E9')::BIGINT ELSE range END AS x FROM range(1000000)`;
  const printed = printRows({ sql, layout, isCollection: true }, { format: 'json' });
  await engine.withLease(async (lease) => {
    let body = '';
    const reading = (async () => {
      for await (const piece of streamResult(lease, { printed, signal: never })) body += Buffer.from(piece).toString();
    })();
    await expect(reading).rejects.toMatchObject({ name: 'EngineFailure' });
    expect(body).toMatch(/^\[0,1,2,/);
    expect(body).not.toContain(']');
  });
});

it('has no generator function of its own, which would keep the query until the whole heap is collected', async () => {
  const printed = printRows({ ...valuesOf(int, '1'), isCollection: true }, { format: 'hjson' });
  await engine.withLease(async (lease) => {
    const [kind, other] = [0, 1].map((): unknown =>
      Object.getPrototypeOf(streamResult(lease, { printed, signal: never })[Symbol.asyncIterator]()),
    );
    expect(kind === other).toBe(true);
  });
});
