import {
  anyType,
  type Arithmetic,
  bool,
  collectionOf,
  type Constant,
  date,
  decimal,
  double,
  float,
  int,
  interval,
  long,
  nullable,
  type Plan,
  recordOf,
  string,
  time,
  timestamp,
  type Type,
  binary,
  byte,
} from '@svc/query-language';

import { sqlText } from '../../sql/print-sql.ts';
import { NULL, numberLiteral, SQL, textLiteral, verbatim, type Sql } from '../../sql/sql.ts';
import { openSqlEvaluator, plainCall, type SqlEvaluator } from '../../testing/evaluate-sql.ts';
import { lowerArithmetic } from './lower-arithmetic.ts';
import { lowerCast } from './lower-cast.ts';
import { lowerComparison } from './lower-comparison.ts';
import { lowerConstant } from './lower-constant.ts';
import { lowerConvert } from './lower-convert.ts';
import { lowerLike } from './lower-like.ts';
import { lowerNavigate } from './lower-navigate.ts';

let engine: SqlEvaluator;
beforeAll(async () => {
  engine = await openSqlEvaluator();
});
afterAll(() => engine.close());

const span = { begin: 0, end: 0 } as never;
const constant = (type: Type, value: Constant['value']): Constant => ({ kind: 'Constant', type, span, value });
const unknown = (type: Type): Plan => ({ kind: 'Variable', type, span, id: 1 });
const calculate = (
  operator: Arithmetic['operator'],
  type: Type,
  operands: readonly Plan[],
  sql: readonly Sql[] = operands.map((o) => lowerConstant(o as Constant)),
): string => sqlText(lowerArithmetic({ kind: 'Arithmetic', type, span, operator, operands }, sql, { variables: new Map() }, plainCall));

const castText = (sql: Sql, from: Type, to: Type, isTry: boolean): string => sqlText(lowerCast(sql, from, to, isTry, plainCall));

describe('lowerConstant keeps every value', () => {
  it.each<[Type, Constant['value'], string]>([
    [string, "it's \0!", "it's \0!"],
    [decimal, '12345678901234567890123456789012345.678', '12345678901234567890123456789012345.678'],
    [decimal, '1.50', '1.500000000000000000'],
    [long, '-9223372036854775808', '-9223372036854775808'],
    [double, 'NaN', 'nan'],
    [double, '1e3', '1000.0'],
    [date, '2001-08-22', '2001-08-22'],
    [time, '01:02:03.456000', '01:02:03.456'],
    [timestamp, '2001-08-22 03:04:05.321000', '2001-08-22 03:04:05.321'],
    [interval, '14 -3 1000000', '1 year 2 months -3 days 00:00:01'],
    [bool, true, 'true'],
    [nullable(int), null, 'NULL'],
    [nullable(anyType), null, 'NULL'],
  ])('%j %j', async (type, value, expected) => {
    expect(await engine.evaluate(sqlText(lowerConstant(constant(type, value))))).toBe(expected);
  });
});

describe('lowerArithmetic', () => {
  const ints = (type: Type, ...values: string[]): Plan[] => values.map((value) => constant(type, value));
  it.each<[string, string, string]>([
    ['integers cut towards zero', calculate('divide', int, ints(int, '-7', '2')), '-3'],
    ["the sign of % is the dividend's", calculate('modulo', int, ints(int, '-7', '3')), '-1'],
    ['a division by zero is raised', calculate('divide', int, ints(int, '7', '0')), '! / by zero'],
    ['a remainder by zero is raised', calculate('modulo', long, ints(long, '7', '0')), '! / by zero'],
    ['NULL by zero is NULL', calculate('divide', int, [constant(nullable(int), null), constant(int, '0')]), 'NULL'],
    ['computed divisors are guarded', calculate('divide', int, [unknown(int), unknown(int)], [SQL`(3 + 4)`, SQL`(1 - 1)`]), '! / by zero'],
    ['bytes overflow', calculate('add', byte, ints(byte, '100', '100')), '! integer overflow'],
    ['negation overflows', calculate('negate', byte, ints(byte, '-128')), '! integer overflow'],
    ['the smallest by -1 overflows', calculate('divide', byte, ints(byte, '-128', '-1')), '! integer overflow'],
    ['doubles follow IEEE', calculate('divide', double, ints(double, '1', '0')), 'inf'],
    ['doubles have a remainder', calculate('modulo', double, ints(double, '-5.5', '2')), '-1.5'],
    ['decimals add at the larger scale', calculate('add', decimal, ints(decimal, '0.1', '0.25')), '0.35'],
    ['decimals multiply exactly', calculate('multiply', decimal, ints(decimal, '1.10', '2.5')), '2.750'],
    [
      'factors of large scales are rounded to 9',
      calculate('multiply', decimal, [unknown(decimal), unknown(decimal)], [numberLiteral('1.5'), numberLiteral('1.0000000005')]),
      '1.500000001500000000',
    ],
    [
      'decimals past 38 digits overflow',
      calculate('multiply', decimal, [unknown(decimal), unknown(decimal)], [numberLiteral('99999999999'), numberLiteral('99999999999')]),
      '! decimal overflow',
    ],
    [
      'literals keep 38 digits',
      calculate('add', decimal, ints(decimal, '12345678901234567890123456789012345678', '1')),
      '12345678901234567890123456789012345679',
    ],
    ['10 / 3', calculate('divide', decimal, ints(decimal, '10', '3')), '3.333333333333333333'],
    ['-2 / 3 rounds half up', calculate('divide', decimal, ints(decimal, '-2', '3')), '-0.666666666666666667'],
    [
      'columns divide',
      calculate('divide', decimal, [unknown(decimal), unknown(decimal)], [numberLiteral('10'), numberLiteral('-4')]),
      '-2.500000000000000000',
    ],
    [
      'in two steps',
      calculate('divide', decimal, [unknown(decimal), unknown(decimal)], [numberLiteral('10'), numberLiteral('30000')]),
      '0.000333333333333333',
    ],
    [
      'digit by digit',
      calculate('divide', decimal, [unknown(decimal), unknown(decimal)], [numberLiteral('2'), numberLiteral('3000000000000')]),
      '0.000000000000666667',
    ],
    [
      'by the largest',
      calculate(
        'divide',
        decimal,
        [unknown(decimal), unknown(decimal)],
        [textLiteral('60000000000000000000'), textLiteral('70000000000000000000')],
      ),
      '0.857142857142857143',
    ],
    [
      'tiny divisors',
      calculate('divide', decimal, [unknown(decimal), unknown(decimal)], [numberLiteral('1'), textLiteral('0.000000000000000003')]),
      '333333333333333333.333333333333333333',
    ],
    [
      'a quotient past 38 digits overflows',
      calculate('divide', decimal, [unknown(decimal), unknown(decimal)], [numberLiteral('1000'), textLiteral('0.000000000000000001')]),
      '! decimal overflow',
    ],
    ['decimals by zero', calculate('divide', decimal, ints(decimal, '10', '0')), '! / by zero'],
    [
      'decimal % zero',
      calculate('modulo', decimal, [unknown(decimal), unknown(decimal)], [numberLiteral('10.5'), numberLiteral('0')]),
      '! / by zero',
    ],
    ['decimal %', calculate('modulo', decimal, ints(decimal, '-10.5', '3')), '-1.5'],
    ['NULL decimal', calculate('divide', decimal, [constant(nullable(decimal), null), constant(decimal, '0')]), 'NULL'],
    ['dates have an exact difference', calculate('subtract', interval, ints(date, '2024-03-01', '2023-01-01')), '425 days'],
    [
      'date and timestamp',
      calculate('subtract', interval, [constant(timestamp, '2024-03-01 01:00:00'), constant(date, '2024-02-28')]),
      '2 days 01:00:00',
    ],
    ['date + interval', calculate('add', timestamp, [constant(date, '2024-01-31'), constant(interval, '1 0 0')]), '2024-02-29 00:00:00'],
    ['interval + time wraps', calculate('add', time, [constant(interval, '0 0 7200000000'), constant(time, '23:00:00')]), '01:00:00'],
    ['interval - interval', calculate('subtract', interval, [constant(interval, '1 0 0'), constant(interval, '0 2 0')]), '1 month -2 days'],
    ['int * interval', calculate('multiply', interval, [constant(int, '3'), constant(interval, '1 2 0')]), '3 months 6 days'],
    ['-interval', calculate('negate', interval, ints(interval, '1 2 0')), '-1 month -2 days'],
    ['strings join', calculate('concatenate', string, ints(string, 'a', 'b', 'c', 'd')), 'abcd'],
    [
      'NULL in a short chain',
      calculate('concatenate', nullable(string), [constant(string, 'a'), constant(nullable(string), null)]),
      'NULL',
    ],
    [
      'NULL in a long chain',
      calculate('concatenate', nullable(string), [...ints(string, 'a', 'b', 'c'), constant(nullable(string), null)]),
      'NULL',
    ],
  ])('%s', async (_, sql, expected) => {
    expect(await engine.evaluate(sql)).toBe(expected);
  });
});

describe('lowerCast', () => {
  const n = nullable;
  const ab = recordOf([
    { name: 'a', type: int },
    { name: 'A', type: string },
  ]);
  it.each<[string, Type, Type, string]>([
    ["' 12 '", string, int, '12'],
    ["'1.9'", string, int, '1'],
    ["'-1.9'", string, long, '-1'],
    ["'1e3'", string, int, '1000'],
    ["'15e-1'", string, int, '1'],
    ["'0x1F'", string, int, '31'],
    ["'abc'", string, int, '! '],
    ["'300'", string, byte, '! '],
    ['300', int, byte, '! '],
    ['CAST(NULL AS VARCHAR)', n(string), n(int), 'NULL'],
    ['1.9::DOUBLE', double, int, '1'],
    ['-1.9::DOUBLE', double, int, '-1'],
    ["'nan'::DOUBLE", double, int, '! '],
    ['1.9', decimal, int, '1'],
    ['-0.5', decimal, int, '0'],
    ['12345.678::DOUBLE', double, decimal, '12345.678000000000000000'],
    ['0.1::FLOAT', float, decimal, '0.100000000000000000'],
    ["' Yes\n'", string, bool, 'true'],
    ["'maybe'", string, bool, '! '],
    ['0', int, bool, 'false'],
    ['TRUE', bool, int, '1'],
    ["'2024-02-30'", string, date, '! '],
    ["'infinity'", string, date, '! '],
    ["' 2024-02-29 '", string, date, '2024-02-29'],
    ["'24:00:00'", string, time, '! '],
    ["'10:20'", string, time, '10:20:00'],
    ["'2024-01-01T10:00:00+02:00'", string, timestamp, '2024-01-01 08:00:00'],
    ["'2024-01-01 10:00+02'", string, timestamp, '2024-01-01 08:00:00'],
    ["'2024-01-01T10:00:00.5Z'", string, timestamp, '2024-01-01 10:00:00.5'],
    ["e'2024-01-01 10:00:00\\n'", string, timestamp, '2024-01-01 10:00:00'],
    ["'2024-01-01'", string, timestamp, '2024-01-01 00:00:00'],
    ["'x'", string, timestamp, '! '],
    ['CAST(NULL AS VARCHAR)', n(string), n(timestamp), 'NULL'],
    ["'P1Y2M3DT4H5M6.007S'", string, interval, '1 year 2 months 3 days 04:05:06.007'],
    ["'P-60D'", string, interval, '-60 days'],
    ["'PT-0.5S'", string, interval, '-00:00:00.5'],
    ["'1 day 2 hours'", string, interval, '1 day 02:00:00'],
    ["'P'", string, interval, '! '],
    ["INTERVAL '14 months'", interval, string, 'P1Y2M'],
    ["TIMESTAMP '2024-01-01 10:00:00'", timestamp, string, '2024-01-01T10:00:00.000'],
    ["TIME '10:00:00'", time, string, '10:00:00.000'],
    ["TIMESTAMP '2024-01-01 10:00:00'", timestamp, date, '2024-01-01'],
    ["TIMESTAMP '2024-01-01 10:00:00'", timestamp, time, '10:00:00'],
    ['3.0::DOUBLE', double, string, '3.0'],
    ["'inf'::DOUBLE", double, string, 'Infinity'],
    ['CAST(NULL AS DOUBLE)', n(double), n(string), 'NULL'],
    ['1.500', decimal, string, '1.5'],
    ['TRUE', bool, string, 'true'],
    ["'é'", string, binary, '\\xC3\\xA9'],
    ["encode('é')", binary, string, 'é'],
    ["'\\xff'::BLOB", binary, string, '! cannot cast binary to string'],
    ["{'a': 1, 'A_2': 'x'}", ab, string, '{"a":1,"A":"x"}'],
    [
      "{'a': 1, 'A_2': '5'}",
      ab,
      recordOf([
        { name: 'A', type: int },
        { name: 'b', type: n(string) },
      ]),
      "{'A': 5, 'b': NULL}",
    ],
    ['[1, NULL]', collectionOf(n(int)), collectionOf(n(string)), '[1, NULL]'],
    ['[1, NULL]', collectionOf(n(int)), collectionOf(string), '! cannot cast NULL to string'],
    ['\'[1,"2",3.7]\'::JSON', anyType, collectionOf(int), '[1, 2, 3]'],
    ['\'{"a":1,"A":"q","z":0}\'::JSON', anyType, ab, "{'a': 1, 'A_2': q}"],
    ['\'{"a":1}\'::JSON', anyType, ab, '! $.A: expected string but got nothing'],
    ["'5'::JSON", anyType, collectionOf(int), '! expected collection(int) but got 5'],
    ["'5.7'::JSON", anyType, int, '5'],
    ["'true'::JSON", anyType, int, '1'],
    ["'2'::JSON", anyType, bool, 'true'],
    ['\'"no"\'::JSON', anyType, bool, 'false'],
    ['\'"a\\u0000\\""\'::JSON', anyType, string, 'a\0"'],
    ['\'{"a": [1]}\'::JSON', anyType, string, '{"a": [1]}'],
    ["'null'::JSON", anyType, n(int), 'NULL'],
    ['\'"2024-01-01T10:00:00Z"\'::JSON', anyType, timestamp, '2024-01-01 10:00:00'],
    ['\'"/w=="\'::JSON', anyType, binary, '\\xFF'],
    ['CAST(NULL AS JSON)', n(anyType), n(collectionOf(int)), 'NULL'],
    ['CAST(NULL AS JSON)', n(anyType), n(ab), 'NULL'],
  ])('CAST %s', async (sql, from, to, expected) => {
    const result = await engine.evaluate(castText(verbatim(sql), from, to, false));
    expect(expected === '! ' ? result.slice(0, 2) : result).toBe(expected);
    expect(result).not.toContain('engine failed');
    const tried = await engine.evaluate(castText(verbatim(sql), from, to, true));
    expect(tried).toBe(expected.startsWith('!') ? 'NULL' : expected);
  });
  it('TRY_CAST does not catch what the operand fails of', async () => {
    const failing = SQL`(CASE WHEN random() < 2 THEN ${plainCall.raise('mine', string)} END)`;
    expect(await engine.evaluate(castText(failing, string, int, true))).toBe('! mine');
    expect(await engine.evaluate(castText(SQL`[${failing}]`, collectionOf(string), collectionOf(int), true))).toBe('! mine');
  });
  it('a nested TRY_CAST is NULL as a whole', async () => {
    expect(await engine.evaluate(castText(SQL`['1', 'q']`, collectionOf(string), collectionOf(int), true))).toBe('NULL');
  });
  it('takes a sub-query as its operand', async () => {
    expect(await engine.evaluate(castText(SQL`(SELECT '1.5')`, string, int, false))).toBe('1');
  });
});

describe('lowerConvert', () => {
  const r = recordOf([{ name: 'a', type: int }]);
  it.each<[string, Type, Type, string]>([
    ['1', int, decimal, '1.000000000000000000'],
    ["DATE '2024-01-01'", date, timestamp, '2024-01-01 00:00:00'],
    ["[{'a': 1}]", collectionOf(r), collectionOf(recordOf([{ name: 'a', type: long }])), "[{'a': 1}]"],
    ["TIMESTAMP '2024-01-01 10:00:00'", timestamp, anyType, '"2024-01-01T10:00:00.000"'],
    ["'nan'::DOUBLE", double, anyType, 'NULL'],
    ['CAST(NULL AS INTEGER)', nullable(int), nullable(anyType), 'NULL'],
    ["{'a': DATE '2024-01-01'}", recordOf([{ name: 'a', type: date }]), recordOf([{ name: 'a', type: anyType }]), `{'a': '"2024-01-01"'}`],
    ['[1, NULL]', collectionOf(nullable(int)), collectionOf(nullable(anyType)), '[1, NULL]'],
    ['CAST([] AS JSON[])', collectionOf(anyType), collectionOf(r), '[]'],
  ])('%s', async (sql, from, to, expected) => {
    expect((await engine.evaluate(sqlText(lowerConvert(verbatim(sql), from, to)))).replaceAll('\\"', '"')).toBe(expected);
  });
});

describe('comparison, LIKE and navigation', () => {
  const like = (operand: string, pattern: string, escape: string | null, isCaseInsensitive = false): string =>
    sqlText(
      lowerLike(
        { operand: verbatim(operand), pattern: verbatim(pattern), escape: escape === null ? null : verbatim(escape), isCaseInsensitive },
        { ...plainCall, type: bool },
      ),
    );
  const j = SQL`'{"a": {"b": [10, null]}, "1": 7, "x/~y": 8, "q''": 9, "*": 5}'::JSON`;
  const key = (name: string) => ({ sql: textLiteral(name), isText: true, constant: name });
  const at = (index: string) => ({ sql: numberLiteral(index), isText: false, constant: index });
  it.each<[string, string]>([
    [sqlText(lowerComparison('=', NULL, numberLiteral(1))), 'NULL'],
    [sqlText(lowerComparison('is-distinct', NULL, numberLiteral(1))), 'true'],
    [sqlText(lowerComparison('=', SQL`{'a': NULL}`, SQL`{'a': NULL}`)), 'true'],
    [sqlText(lowerComparison('>', SQL`'nan'::DOUBLE`, SQL`'inf'::DOUBLE`)), 'true'],
    [like("'a%'", "'a$%'", "'$'"), 'true'],
    [like("'ab'", "'a$%'", "'$'"), 'false'],
    [like("'É'", "'é'", null, true), 'true'],
    [like("'a'", "'a'", "'xy'"), '! ESCAPE must be one character'],
    [like("'a'", "'a$'", "'$'"), '! the pattern ends with its escape character'],
    [like("'a$'", "'a$$'", "'$'"), 'true'],
    [like('NULL', "'a'", "'$'"), 'NULL'],
    [sqlText(lowerNavigate(lowerNavigate(j, key('a')), key('b'))), '[10,null]'],
    [sqlText(lowerNavigate(lowerNavigate(lowerNavigate(j, key('a')), key('b')), at('0'))), '10'],
    [sqlText(lowerNavigate(lowerNavigate(lowerNavigate(j, key('a')), key('b')), at('1'))), 'NULL'],
    [sqlText(lowerNavigate(j, key('1'))), '7'],
    [sqlText(lowerNavigate(SQL`'[1,2]'::JSON`, key('1'))), 'NULL'],
    [sqlText(lowerNavigate(j, key('x/~y'))), '8'],
    [sqlText(lowerNavigate(j, key("q'"))), '9'],
    [sqlText(lowerNavigate(j, key('*'))), '5'],
    [sqlText(lowerNavigate(j, at('-1'))), 'NULL'],
    [sqlText(lowerNavigate(SQL`'[1,2]'::JSON`, { sql: SQL`(2 - 1)`, isText: false, constant: undefined })), '2'],
    [sqlText(lowerNavigate(j, { sql: SQL`concat('x/', '~y')`, isText: true, constant: undefined })), '8'],
    [sqlText(lowerNavigate(SQL`CAST(NULL AS JSON)`, key('a'))), 'NULL'],
  ])('%s', async (sql, expected) => {
    expect(await engine.evaluate(sql)).toBe(expected);
  });
});
