import type { PrimitiveName, Type } from '@svc/query-language';

import { any, collection, nullable, primitive, record } from '../../testing/types.ts';

/** A result: the rows of one type, given as SQL expressions. */
export interface GoldenResult {
  readonly name: string;
  readonly type: Type;
  readonly values: readonly string[];
  /** True if the values are the elements of a collection; otherwise the only value is the result. */
  readonly isCollection: boolean;
}

const many = (name: string, type: Type, values: readonly string[]): GoldenResult => ({ name, type, values, isCollection: true });
const single = (name: string, type: Type, value: string): GoldenResult => ({ name, type, values: [value], isCollection: false });
const each = (name: PrimitiveName, ...values: readonly string[]): GoldenResult =>
  many(name, nullable(primitive(name)), [...values, 'NULL']);

const int = primitive('int');
const string = primitive('string');
const chr = (...codes: readonly number[]): string => `concat('<', ${codes.map((code) => `chr(${code})`).join(', ')}, '>')`;

/** A character of each plane of Unicode that has any, and the last of all. */
const PLANES = chr(0x00e9, 0x4e2d, 0xfeff, 0x2028, 0xffff, 0x10348, 0x1f600, 0x20000, 0x30000, 0xe0001, 0xf0000, 0x10fffd, 0x10ffff);

const ROW = record({
  id: primitive('long'),
  name: nullable(string),
  price: nullable(primitive('decimal')),
  day: nullable(primitive('date')),
  'odd, "name"': primitive('double'),
});
const ROWS = [
  `{'id': 9007199254740993, 'name': 'Ann', 'price': 1.50, 'day': DATE '1969-07-20', 'odd, "name"': 0.5}`,
  `{'id': -1, 'name': 'Bo, "jr"', 'price': NULL, 'day': NULL, 'odd, "name"': 'inf'}`,
];

const NESTED = record({
  id: int,
  tags: nullable(collection(nullable(string))),
  at: nullable(record({ since: primitive('interval'), 'no.1': collection(record({ Price: primitive('decimal'), price: any })) })),
});
const NESTED_ROWS = [
  `{'id': 1, 'tags': ['a', NULL, ''], 'at': {'since': INTERVAL '-1 hours', 'no.1': [{'Price': 1.5, 'price_2': '{"x": 1}'}, {'Price': -2, 'price_2': '[null]'}]}}`,
  `{'id': 2, 'tags': [], 'at': {'since': INTERVAL '1 month', 'no.1': []}}`,
  `{'id': 3, 'tags': NULL, 'at': NULL}`,
];

/** Values that are hard to write, nested in other values. */
const INSIDE = record({
  doubles: collection(primitive('double')),
  longs: collection(primitive('long')),
  times: collection(primitive('time')),
  bytes: collection(primitive('binary')),
  spans: collection(primitive('interval')),
});
const INSIDE_ROW = `{'doubles': ['nan'::DOUBLE, '-inf'::DOUBLE, '-0'::DOUBLE], 'longs': [9223372036854775807], 'times': [TIME '23:59:59.999999'], 'bytes': ['\\x00\\xFF'::BLOB], 'spans': [INTERVAL '-60 days']}`;

const HARD_NAMES = record({
  'line\nend': int,
  'return\r': int,
  'quo"te': int,
  "apo'strophe": int,
  'back\\slash': int,
  'NU\0L': int,
  '中😀': int,
});
const HARD_NAMES_ROW = `{'line\nend': 1, 'return\r': 2, 'quo"te': 3, 'apo''strophe': 4, 'back\\slash': 5, 'NU\u2400L': 6, '中😀': 7}`;

/** Values that every format is tested with, one type or shape after the other. */
export const GOLDEN_RESULTS: readonly GoldenResult[] = [
  each('byte', '-128', '127'),
  each('short', '-32768', '32767'),
  each('int', '-2147483648', '2147483647'),
  each('long', '-9223372036854775808', '9223372036854775807', '9007199254740993'),
  each('float', '0.1', '1e20', '1.1754944e-38', '3.4028235e38', "'nan'", "'inf'", "'-inf'"),
  each('double', '0.1', '1e300', '5e-324', '1.7976931348623157e308', '12345678901234567', "'-0'", "'nan'", "'inf'", "'-inf'"),
  each(
    'decimal',
    '12345678901234567890.123456789012345678',
    '-99999999999999999999.999999999999999999',
    '0.000000000000000001',
    '-0.5',
    '100',
    '0',
  ),
  each('bool', 'true', 'false'),
  each('string', `'plain'`, `''`, `' '`, `'NULL'`, `'it''s'`, `'a "quoted" one'`, `'comma, semicolon; tab'`, `'back\\slash'`, `'1'`),
  many('string with line ends and NUL', string, [chr(10), chr(13), chr(13, 10), chr(10, 13), chr(0), chr(9), chr(1, 31, 127), PLANES]),
  each('date', `'1969-12-31'`, `'1970-01-01'`, `'0001-01-01'`, `'9999-12-31'`, `'2024-02-29'`, `'0001-12-31 (BC)'`, `'0044-03-15 (BC)'`),
  each('time', `'00:00:00'`, `'01:02:03.5'`, `'23:59:59.999999'`, `'12:00:00.000001'`),
  each(
    'timestamp',
    `'1969-12-31 23:59:59.999999'`,
    `'1970-01-01'`,
    `'0001-01-01 00:00:00.001'`,
    `'9999-12-31 23:59:59'`,
    `'2024-02-29 12:00:00.25'`,
    `'0001-12-31 (BC) 23:59:59.999999'`,
    `'0044-03-15 (BC) 12:00:00'`,
  ),
  each(
    'interval',
    `'1 year 2 months 3 days 4 hours 5 minutes 6.007 seconds'`,
    `'0 days'`,
    `'-60 days'`,
    `'-1 hours -30 minutes'`,
    `'0.000005 seconds'`,
    `'26 hours'`,
  ),
  each('binary', `''`, `'\\x00\\xFF\\x0A'`, `'text'`),
  many('any', any, [`'{"a": 1.50, "b": [true, null]}'`, `'"x"'`, `'12345678901234567890'`, `'null'`]),
  many('record of nothing', record({}), ['true', 'true']),
  many('collection', nullable(collection(nullable(int))), ['[1, NULL, 3]', '[]', 'NULL']),
  many('collection of collections', collection(collection(string)), [`[['a'], []]`, '[]']),
  many('records', ROW, ROWS),
  many('records that may be NULL', nullable(ROW), [...ROWS.slice(0, 1), 'NULL']),
  many('nested records', NESTED, NESTED_ROWS),
  many('hard values inside collections', INSIDE, [INSIDE_ROW]),
  many('names that collide', record({ a: int, A: string, 'a-b': int, a_b: int, '1st': int, é: int, '': int }), [
    `{'a': 1, 'A_2': 'x', 'a-b': 2, 'a_b': 3, '1st': 4, 'é': 5, '_': 6}`,
  ]),
  many('names with quotes and line ends', HARD_NAMES, [HARD_NAMES_ROW]),
  many('no rows', ROW, []),
  many('no scalars', int, []),
  single('a scalar', int, '42'),
  single('a scalar that is NULL', nullable(string), 'NULL'),
  single('a record', ROW, ROWS[0] ?? ''),
  single('a record that is NULL', nullable(ROW), 'NULL'),
];
