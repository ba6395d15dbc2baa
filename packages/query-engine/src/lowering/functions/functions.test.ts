import {
  anyType,
  binary,
  bool,
  type Constant,
  collectionOf,
  date,
  decimal,
  double,
  float,
  FUNCTIONS,
  int,
  interval,
  long,
  nullable,
  printType,
  recordOf,
  regex,
  string,
  time,
  timestamp,
  type Type,
  byte,
} from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { openSqlEvaluator, plainCall, type SqlEvaluator } from '../../testing/evaluate-sql.ts';
import type { LoweredArgument } from '../lowering-types.ts';
import { lowerConstant } from '../scalars/lower-constant.ts';
import { FUNCTION_LOWERINGS } from './index.ts';
import { countGroups } from './regex-functions.ts';

let engine: SqlEvaluator;
beforeAll(async () => {
  engine = await openSqlEvaluator();
});
afterAll(() => engine.close());

const span = { begin: 0, end: 0 } as never;
const constant = (type: Type, value: Constant['value']): LoweredArgument => ({
  get sql() {
    return lowerConstant({ kind: 'Constant', type, span, value });
  },
  type,
  constant: value,
});
const s = (value: string | null): LoweredArgument => constant(value === null ? nullable(string) : string, value);
const r = (value: string): LoweredArgument => constant(regex, value);
const i = (value: number | null): LoweredArgument => constant(value === null ? nullable(int) : int, value === null ? null : String(value));
const l = (value: number | string): LoweredArgument => constant(long, String(value));
const d = (value: number | string): LoweredArgument => constant(double, String(value));
const dec = (value: string): LoweredArgument => constant(decimal, value);
/** An argument that is no constant, so that nothing is folded. */
const e = (sql: string, type: Type): LoweredArgument => ({ sql, type, constant: undefined });
const list = (sql: string, element: Type): LoweredArgument => e(`CAST(${sql} AS ${duckType(element)}[])`, collectionOf(element));
const ts = (text: string): LoweredArgument => constant(timestamp, text);
const day = (text: string): LoweredArgument => constant(date, text);
const bytes = (sql: string): LoweredArgument => e(sql, binary);
const result = (name: string, args: readonly LoweredArgument[], type: Type): LoweredArgument => ({
  get sql() {
    return lower(name, args, type);
  },
  type,
  constant: undefined,
});

const lower = (name: string, args: readonly LoweredArgument[], type: Type): string => {
  const lowering = FUNCTION_LOWERINGS[name];
  if (lowering === undefined) throw new Error(`no lowering of ${name}`);
  return lowering(args, { ...plainCall, type, functionName: name });
};

type Case = readonly [name: string, args: readonly LoweredArgument[], result: Type, expected: string];

/** Checks the value, and that it is of the engine's type of the result. */
function check(cases: readonly Case[]): void {
  it.each(
    cases.map(([name, args, type, expected], i): [string, () => string, string, Type] => [
      `${i}: ${name}(${args.map((arg) => (arg.constant === undefined ? printType(arg.type) : String(arg.constant))).join(', ')})`,
      () => lower(name, args, type),
      expected,
      type,
    ]),
  )('%s', async (_, lowered, expected, type) => {
    const sql = lowered();
    expect(await engine.evaluate(sql)).toBe(expected);
    const wanted = await engine.evaluate(`typeof(CAST(NULL AS ${duckType(type)}))`);
    expect(expected.startsWith('!') ? wanted : await engine.evaluate(`typeof(${sql})`)).toBe(wanted);
  });
}

const n = nullable;

describe('conversion', () => {
  check([
    ['INT', [s(' 42.9 ')], int, '42'],
    ['INT', [d('-1.7')], int, '-1'],
    ['BOOL', [i(0)], bool, 'false'],
    ['BYTE', [i(300)], byte, '! cannot cast 300 to byte'],
    ['STRING', [dec('1.50')], string, '1.5'],
    ['STRING', [i(null)], n(string), 'NULL'],
    ['DECIMAL', [s('1.50')], decimal, '1.500000000000000000'],
    ['LONG', [e('TRUE', bool)], long, '1'],
    ['TO_DATE', [s('2024-02-29'), s('yyyy-MM-dd')], date, '2024-02-29'],
    ['TO_DATE', [s('2024-02-30'), s('yyyy-MM-dd')], date, "! '2024-02-30' is no date by the template 'yyyy-MM-dd'"],
    ['TO_DATE', [s('2024-2-9'), s('yyyy-MM-dd')], date, "! '2024-2-9' is no date by the template 'yyyy-MM-dd'"],
    ['TO_DATE', [s(' 2024-02-09'), s('yyyy-MM-dd')], date, "! ' 2024-02-09' is no date by the template 'yyyy-MM-dd'"],
    ['TO_DATE', [s('9/2/24'), s('d/M/yy')], date, '2024-02-09'],
    ['TO_DATE', [s('09/12/75'), s('d/M/yy')], date, '2075-12-09'],
    ['TO_DATE', [s('Feb 9 2024'), s('MMM d yyyy')], date, '2024-02-09'],
    ['TO_DATE', [s('09Feb2024'), s('ddMMMyyyy')], date, '2024-02-09'],
    ['TO_DATE', [s('2024-060'), s('yyyy-DDD')], date, '2024-02-29'],
    ['TO_DATE', [s('Fri 9 Feb 2024'), s('E d MMM yyyy')], date, '2024-02-09'],
    ['TO_DATE', [s('Mon 9 Feb 2024'), s('E d MMM yyyy')], date, "! 'Mon 9 Feb 2024' is no date by the template 'E d MMM yyyy'"],
    ['TO_DATE', [s('100% 2024-02-09'), s('100% yyyy-MM-dd')], date, '2024-02-09'],
    ['TO_DATE', [s("o'clock 2024-02-09"), s("'o''clock' yyyy-MM-dd")], date, '2024-02-09'],
    ['TO_DATE', [s(null), s('yyyy')], n(date), 'NULL'],
    ['TO_TIME', [s('01:02:03.456'), s('HH:mm:ss.SSS')], time, '01:02:03.456'],
    ['TO_TIME', [s('1 PM'), s('h a')], time, '13:00:00'],
    ['TO_TIME', [s('01:02:03.4'), s('HH:mm:ss.SSS')], time, "! '01:02:03.4' is no time by the template 'HH:mm:ss.SSS'"],
    ['TO_TIMESTAMP', [s('2024-02-29T01:02:03.000456'), s("yyyy-MM-dd'T'HH:mm:ss.SSSSSS")], timestamp, '2024-02-29 01:02:03.000456'],
    [
      'FORMAT',
      [ts('2024-02-09 03:04:05.678'), s("EEEE, d MMMM yyyy 'at' h:mm:ss.SSS a")],
      string,
      'Friday, 9 February 2024 at 3:04:05.678 AM',
    ],
    ['FORMAT', [day('2024-02-09'), s('y-D 100%')], string, '2024-40 100%'],
    ['FORMAT', [constant(time, '13:04:05'), s('H:m:s')], string, '13:4:5'],
    ['FORMAT', [e('CAST(NULL AS DATE)', n(date)), s('yyyy 100%')], n(string), 'NULL'],
    [
      'TO_JSON',
      [
        e(
          `{'a': 1, 'b': DATE '2024-01-01'}`,
          recordOf([
            { name: 'a', type: int },
            { name: 'b', type: date },
          ]),
        ),
      ],
      string,
      '{"a":1,"b":"2024-01-01"}',
    ],
  ]);
});

describe('strings', () => {
  check([
    ['CONCAT', [s('a'), s(null), s('b')], string, 'ab'],
    ['LENGTH', [s('é')], int, '1'],
    ['LENGTH', [s(null)], n(int), 'NULL'],
    ['LEN', [bytes("encode('é')")], int, '2'],
    ['LEN', [list('[1, NULL]', n(int))], int, '2'],
    ['UPPER', [s('éß')], string, 'Éẞ'],
    ['CAPITALIZE', [s('éa bc')], string, 'Éa bc'],
    ['CAPITALIZE', [s('')], string, ''],
    ['TRIM', [s('\t a\u00a0\n')], string, 'a'],
    ['LTRIM', [s(' a ')], string, 'a '],
    ['RTRIM', [s(' a ')], string, ' a'],
    ['REPLACE', [s('banana'), s('an'), s('-')], string, 'b--a'],
    ['REPLACE', [s('a1b22'), r('[0-9]+'), s('<$0\\>')], string, 'a<1\\>b<22\\>'],
    ['REPLACE', [s('ab'), r('(?<x>a)(b)'), s('$2$1')], string, 'ba'],
    ['REPLACE', [s('ab'), r('(a)(b)'), e("concat('$2', '$1\\')", string)], string, 'ba\\'],
    ['SUBSTRING', [s('abcdef'), i(2), i(3)], string, 'bcd'],
    ['SUBSTRING', [s('abcdef'), i(3), i(-1)], string, 'cdef'],
    ['SUBSTRING', [s('abcdef'), i(0), i(2)], string, 'a'],
    ['SUBSTRING', [s('abcdef'), i(-5), i(7)], string, 'a'],
    ['SUBSTRING', [s('abcdef'), i(-5), i(2)], string, ''],
    ['SUBSTRING', [s('abcdef'), i(5)], string, 'ef'],
    ['SUBSTRING', [s('abc'), i(2147483647), i(2147483647)], string, ''],
    ['SUBSTRING', [s('abc'), e('CAST(NULL AS INTEGER)', n(int)), i(1)], n(string), 'NULL'],
    ['LEFT', [s('abc'), i(-1)], string, ''],
    ['LEFT', [s('abc'), i(2)], string, 'ab'],
    ['LEFT', [s('abc'), i(null)], n(string), 'NULL'],
    ['RIGHT', [s('abc'), i(-1)], string, ''],
    ['RIGHT', [s('abc'), i(2)], string, 'bc'],
    ['REVERSE', [s('e\u0301x')], string, 'xe\u0301'],
    ['REVERSE', [list('[1, 2]', int)], collectionOf(int), '[2, 1]'],
    ['REPLICATE', [s('ab'), i(3)], string, 'ababab'],
    ['REPLICATE', [s('ab'), i(-3)], string, ''],
    ['REPLICATE', [s('ab'), i(2147483647)], string, '! REPLICATE would make more than 10000000 characters'],
    ['REPLICATE', [s(''), i(2147483647)], string, ''],
    ['REPLICATE', [s(null), i(2)], n(string), 'NULL'],
    ['SPLIT', [s('a,b,,c'), s(',')], collectionOf(string), "[a, b, '', c]"],
    ['STARTS_WITH', [s('abc'), s('ab')], bool, 'true'],
    ['ENDS_WITH', [s('abc'), s('bc')], bool, 'true'],
    ['CONTAINS', [s('abc'), s('b')], bool, 'true'],
    ['CONTAINS', [list('[1, NULL]', n(int)), i(3)], bool, 'false'],
    [
      'CONTAINS',
      [
        list("[{'a': NULL}]", recordOf([{ name: 'a', type: n(int) }])),
        e("{'a': CAST(NULL AS INTEGER)}", recordOf([{ name: 'a', type: n(int) }])),
      ],
      bool,
      'true',
    ],
    ['CHARINDEX', [s('c'), s('éc')], int, '2'],
    ['CHARINDEX', [s('x'), s('abc')], int, '0'],
    ['COUNT_SUBSTRING', [s('banana'), s('an')], int, '2'],
    ['COUNT_SUBSTRING', [s('aaa'), s('')], int, '0'],
    ['LPAD', [s('7'), i(3), s('0')], string, '007'],
    ['LPAD', [s('abc'), i(2), s('0')], string, 'ab'],
    ['LPAD', [s('abc'), i(-2), s('0')], string, ''],
    ['LPAD', [s('abc'), i(5), s('')], string, 'abc'],
    ['RPAD', [s('é'), i(4), s('ab')], string, 'éaba'],
    ['RPAD', [s('a'), i(2147483647), s('x')], string, '! RPAD would make more than 10000000 characters'],
    ['ASCII', [s('é')], int, '233'],
    ['CHR', [i(233)], string, 'é'],
    ['CHR', [i(55296)], string, '! there is no character with the code point 55296'],
    ['CHR', [i(-1)], string, '! there is no character with the code point -1'],
    ['CHR', [i(null)], n(string), 'NULL'],
    ['LEVENSHTEIN', [s('kitten'), s('sitting')], int, '3'],
    ['URL_ENCODE', [s('a b&é')], string, 'a%20b%26%C3%A9'],
    ['URL_DECODE', [s('a%20b+%zz')], string, 'a b+%zz'],
    ['URL_DECODE', [s('%ff')], string, "! '%ff' is no encoded UTF-8 text"],
    ['MKSTRING', [list("['a', NULL, 'b']", n(string)), s('-')], string, 'a-b'],
    ['MKSTRING', [list("['a']", string), s(null)], n(string), 'NULL'],
    ['MKSTRING', [list("['a', NULL, 'b']", n(string)), e("concat('-', '+')", string)], string, 'a-+b'],
    ['MKSTRING', [list('[]', string), e("concat('-', '+')", string)], string, ''],
  ]);
});

const ab = n(
  recordOf([
    { name: '_1', type: n(string) },
    { name: '_2', type: n(string) },
  ]),
);
describe('regexes', () => {
  check([
    ['MATCHES', [s('abc'), r('[a-c]+')], bool, 'true'],
    ['MATCHES', [s('abcd'), r('[a-c]+')], bool, 'false'],
    ['FIRST_MATCH', [s('a1b22'), r('[0-9]+')], n(string), '1'],
    ['FIRST_MATCH', [s('ab'), r('[0-9]+')], n(string), 'NULL'],
    ['FIRST_MATCH', [s('ab'), r('[0-9]*')], n(string), ''],
    ['GROUPS', [s('ab12'), r('([a-z]+)([0-9]+)?(x)?')], n(collectionOf(n(string))), '[ab, 12, NULL]'],
    ['GROUPS', [s('!'), r('([a-z]+)')], n(collectionOf(n(string))), 'NULL'],
    ['GROUPS', [s('ab'), r('a|(ab)')], n(collectionOf(n(string))), '[ab]'],
    ['GROUPS', [s(''), r('(a)?')], n(collectionOf(n(string))), '[NULL]'],
    ['GROUPS', [s(''), r('(a)')], n(collectionOf(n(string))), 'NULL'],
    ['PARSE', [s('ab12'), r('([a-z]+)([0-9]+)')], ab, "{'_1': ab, '_2': 12}"],
    ['PARSE', [s('ab'), r('([a-z]+)([0-9]+)')], ab, "! 'ab' does not match the regex"],
    ['TRY_PARSE', [s('ab'), r('([a-z]+)([0-9]+)')], ab, 'NULL'],
    ['TRY_PARSE', [s('ab'), r('a.')], n(string), 'ab'],
    ['TRY_PARSE', [s('ab'), r('a(.)')], n(string), 'b'],
  ]);
});

test.each([
  ['(a)(?:b)(?P<n>c)(?<m>d)(?i:e)(?i)', 3],
  ['\\(a\\)[(](b)[])(](c)', 2],
  ['[[:alpha:](](a)\\Q(\\E', 1],
  ['((a)b)', 2],
  ['[^)](', 1],
])('the groups of %s are counted', (pattern, count) => {
  expect(countGroups(pattern)).toBe(count);
});

describe('binary', () => {
  check([
    ['BASE64', [bytes("'\\xff\\x00'::BLOB")], string, '/wA='],
    ['FROM_BASE64', [s('YWJj')], binary, 'abc'],
    ['FROM_BASE64', [s('YWJ')], binary, "! 'YWJ' is no base64"],
    ['HEX', [bytes("'\\xff'::BLOB")], string, 'ff'],
    ['FROM_HEX', [s('AbC1')], binary, '\\xAB\\xC1'],
    ['FROM_HEX', [s('0')], binary, "! '0' is no hexadecimal text of whole bytes"],
    ['FROM_HEX', [s('zz')], binary, "! 'zz' is no hexadecimal text of whole bytes"],
    ['FROM_HEX', [s('')], binary, ''],
    ['FROM_HEX', [s(null)], n(binary), 'NULL'],
    ['HEX', [result('SHA256', [bytes("''::BLOB")], binary)], string, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['HEX', [result('MD5', [bytes("''::BLOB")], binary)], string, 'd41d8cd98f00b204e9800998ecf8427e'],
    ['ENCODE', [s('é'), s('utf-8')], binary, '\\xC3\\xA9'],
    ['ENCODE', [s('é\0'), s('latin1')], binary, '\\xE9\\x00'],
    ['ENCODE', [s('€'), s('ISO-8859-1')], binary, "! '€' has characters that the charset lacks"],
    ['ENCODE', [s(''), s('latin1')], binary, ''],
    ['DECODE', [bytes("'\\xC3\\xA9'::BLOB")], string, 'é'],
    ['DECODE', [bytes("'\\xC3'::BLOB")], string, '! the bytes are no UTF-8'],
    ['DECODE', [bytes("'\\xE9a'::BLOB"), s('latin1')], string, 'éa'],
    ['DECODE', [bytes("'\\xE9a'::BLOB"), s('us-ascii')], string, '! the bytes are no ASCII'],
    ['DECODE', [e('CAST(NULL AS BLOB)', n(binary))], n(string), 'NULL'],
  ]);
});

const moment = '2024-02-29 13:05:07.123456';
const int0 = (...values: (number | null)[]): LoweredArgument[] => values.map(i);
describe('temporals', () => {
  check([
    ['YEAR', [ts(moment)], int, '2024'],
    ['MONTH', [day('2024-02-29')], int, '2'],
    ['DAY', [ts(moment)], int, '29'],
    ['HOUR', [constant(time, '13:05:07')], int, '13'],
    ['MINUTE', [ts(moment)], int, '5'],
    ['SECOND', [ts(moment)], int, '7'],
    ['MILLIS', [ts(moment)], int, '123'],
    ['DAY_OF_WEEK', [day('2024-02-25')], int, '7'],
    ['WEEK', [day('2024-12-30')], int, '1'],
    ['DAY_OF_YEAR', [day('2024-02-29')], int, '60'],
    ['QUARTER', [day('2024-05-29')], int, '2'],
    ['YEAR', [e('CAST(NULL AS DATE)', n(date))], n(int), 'NULL'],
    ['MONTH', [constant(interval, '14 0 0')], int, '2'],
    ['HOUR', [constant(interval, '0 0 108000000000')], int, '30'],
    ['MILLIS', [constant(interval, '0 0 1500000')], int, '500'],
    ['TRUNC', [s('month'), day('2024-02-29')], date, '2024-02-01'],
    ['TRUNC', [s('WEEK'), ts(moment)], timestamp, '2024-02-26 00:00:00'],
    ['TRUNC', [s('hour'), constant(time, '13:05:07')], time, '13:00:00'],
    ['TRUNC', [e("lower('Day')", string), ts(moment)], timestamp, '2024-02-29 00:00:00'],
    [
      'TRUNC',
      [e("lower('Dax')", string), ts(moment)],
      timestamp,
      "! 'dax' is no unit of time: expected year, quarter, month, week, day, hour, minute, second",
    ],
    ['TIME_BUCKET', [constant(interval, '0 0 900000000'), ts('2024-03-01 10:20:00')], timestamp, '2024-03-01 10:15:00'],
    ['TIME_BUCKET', [constant(interval, '1 0 0'), day('2024-03-15')], date, '2024-03-01'],
    ['TIME_BUCKET', [constant(interval, '0 0 0'), ts(moment)], timestamp, '! a bucket must be longer than nothing'],
    ['TIME_BUCKET', [constant(interval, '1 1 0'), ts(moment)], timestamp, '! a bucket is of months or of days and time, not of both'],
    ['TIME_BUCKET', [constant(interval, '0 1 0'), e('CAST(NULL AS TIMESTAMP)', n(timestamp))], n(timestamp), 'NULL'],
    ['DATE_BUILD', int0(2024, 2, 29), date, '2024-02-29'],
    ['DATE_BUILD', int0(2023, 2, 29), date, '! there is no date of 2023, 2, 29'],
    ['TIME_BUILD', int0(1, 2, 3, 4), time, '01:02:03.004'],
    ['TIME_BUILD', int0(24, 0, 0, 0), time, '! there is no time of 24, 0, 0, 0'],
    ['TIMESTAMP_BUILD', int0(2024, 2, 29, 1, 2, 3, 4), timestamp, '2024-02-29 01:02:03.004'],
    ['TIMESTAMP_BUILD', int0(2024, 2, 30, 1, 2, 3, 4), timestamp, '! there is no timestamp of 2024, 2, 30, 1, 2, 3, 4'],
    ['DATE_BUILD', [i(2024), e('CAST(NULL AS INTEGER)', n(int)), i(1)], n(date), 'NULL'],
    ['INTERVAL_BUILD', int0(1, 0, 1, -2, 0, 0, 0, 0), interval, '1 year 5 days'],
    ['INTERVAL_BUILD', int0(0, 0, 0, 0, 1, 2, 3, 4), interval, '01:02:03.004'],
    ['INTERVAL_BUILD', int0(2147483647, 0, 0, 0, 0, 0, 0, 0), interval, '! integer overflow'],
    ['TO_EPOCH', [ts('1970-01-01 00:00:01.5')], double, '1.5'],
    ['FROM_EPOCH', [d('1.5')], timestamp, '1970-01-01 00:00:01.5'],
    ['LAST_DAY', [ts('2024-02-01 10:00:00')], date, '2024-02-29'],
    ['AGE', [ts('2024-03-01 00:00:00'), ts('2023-01-01 00:00:00')], interval, '1 year 2 months'],
    [
      'TIMESTAMP_RANGE',
      [ts('2024-01-31 00:00:00'), ts('2024-04-30 00:00:00'), constant(interval, '1 0 0')],
      collectionOf(timestamp),
      "['2024-01-31 00:00:00', '2024-02-29 00:00:00', '2024-03-31 00:00:00']",
    ],
    [
      'TIMESTAMP_RANGE',
      [ts('2024-01-01 00:00:00'), ts('2024-01-01 02:00:00'), constant(interval, '0 0 3600000000')],
      collectionOf(timestamp),
      "['2024-01-01 00:00:00', '2024-01-01 01:00:00']",
    ],
    [
      'TIMESTAMP_RANGE',
      [ts('2024-01-03 00:00:00'), ts('2024-01-01 00:00:00'), constant(interval, '0 -1 0')],
      collectionOf(timestamp),
      "['2024-01-03 00:00:00', '2024-01-02 00:00:00']",
    ],
    ['TIMESTAMP_RANGE', [ts('2024-01-03 00:00:00'), ts('2024-01-01 00:00:00'), constant(interval, '0 1 0')], collectionOf(timestamp), '[]'],
    [
      'TIMESTAMP_RANGE',
      [ts('2024-01-01 00:00:00'), ts('2024-01-03 00:00:00'), constant(interval, '0 0 0')],
      collectionOf(timestamp),
      '! a step must not be zero',
    ],
    [
      'TIMESTAMP_RANGE',
      [ts('2024-01-01 00:00:00'), ts('2025-01-03 00:00:00'), constant(interval, '0 0 1')],
      collectionOf(timestamp),
      '! TIMESTAMP_RANGE would make more than 10000000 elements',
    ],
  ]);
});

describe('numbers', () => {
  check([
    ['ABS', [i(-5)], int, '5'],
    ['ABS', [constant(byte, '-128')], byte, '! integer overflow'],
    ['SIGN', [d('-0.5')], int, '-1'],
    ['FLOOR', [d('-1.2')], long, '-2'],
    ['FLOOR', [dec('1.9')], long, '1'],
    ['CEILING', [i(5)], long, '5'],
    ['CEILING', [d('1.2')], long, '2'],
    ['ROUND', [d('2.5'), i(0)], double, '3.0'],
    ['ROUND', [d('1.256'), i(2)], double, '1.26'],
    ['ROUND', [i(-15), i(-1)], int, '-20'],
    ['ROUND', [i(15), i(3)], int, '15'],
    ['ROUND', [i(15), i(-40)], int, '0'],
    ['ROUND', [constant(byte, '127'), i(-1)], byte, '! integer overflow'],
    ['ROUND', [dec('1.256'), i(2)], decimal, '1.260000000000000000'],
    ['ROUND', [dec('-12.5'), e('0 - 1', int)], decimal, '-10.000000000000000000'],
    ['ROUND', [dec('2.5'), i(0)], decimal, '3.000000000000000000'],
    ['ROUND', [constant(float, '2.5'), i(0)], float, '3.0'],
    ['ROUND', [i(null), i(2)], n(int), 'NULL'],
    ['TRUNCATE', [d('-1.29'), i(1)], double, '-1.2'],
    ['TRUNCATE', [dec('1.99'), i(0)], decimal, '1.000000000000000000'],
    ['TRUNCATE', [i(-19), i(-1)], int, '-10'],
    ['SQRT', [d('-1')], double, 'nan'],
    ['SQRT', [d('9')], double, '3.0'],
    ['SQRT', [d('NaN')], double, 'nan'],
    ['CBRT', [d('27')], double, '3.0'],
    ['CBRT', [d('-27')], double, '-3.0'],
    ['CBRT', [d('0.5')], double, '0.7937005259840998'],
    ['SQUARE', [d('3')], double, '9.0'],
    ['POWER', [d('2'), d('10')], double, '1024.0'],
    ['EXP', [d('0')], double, '1.0'],
    ['LN', [d('0')], double, '-inf'],
    ['LOG', [d('-1')], double, 'nan'],
    ['LOG10', [d('100')], double, '2.0'],
    ['LOG2', [d('8')], double, '3.0'],
    ['LN', [e('CAST(NULL AS DOUBLE)', n(double))], n(double), 'NULL'],
    ['SIN', [d('Infinity')], double, 'nan'],
    ['COS', [d('0')], double, '1.0'],
    ['TAN', [d('0')], double, '0.0'],
    ['COT', [d('0')], double, 'inf'],
    ['ASIN', [d('2')], double, 'nan'],
    ['ACOS', [d('1')], double, '0.0'],
    ['ATAN', [d('0')], double, '0.0'],
    ['ATAN2', [d('0'), d('1')], double, '0.0'],
    ['MOD', [i(-7), i(3)], int, '-1'],
    ['MOD', [i(7), i(0)], int, '! / by zero'],
    ['IS_NAN', [result('MOD', [d('7'), d('0')], double)], bool, 'true'],
    ['MOD', [dec('7.5'), dec('2')], decimal, '1.500000000000000000'],
    ['PI', [], double, '3.141592653589793'],
    ['DEGREES', [d('0')], double, '0.0'],
    ['RADIANS', [d('0')], double, '0.0'],
    ['GREATEST', [i(1), i(3), i(2)], int, '3'],
    ['GREATEST', [i(1), i(null)], n(int), 'NULL'],
    ['LEAST', [s('b'), s('a')], string, 'a'],
    ['IS_NAN', [d('NaN')], bool, 'true'],
  ]);
});

const kv = (value: Type): Type =>
  collectionOf(
    recordOf([
      { name: 'key', type: string },
      { name: 'value', type: value },
    ]),
  );
describe('collections and records', () => {
  check([
    ['CCOUNT', [list('[1, NULL, 2]', n(int))], long, '2'],
    ['CCOUNT', [list('[]', int)], long, '0'],
    ['CSUM', [list('[1, 2, NULL]', n(int))], n(long), '3'],
    ['CSUM', [list('[]', anyType)], n(long), 'NULL'],
    ['CSUM', [list('[9223372036854775807, 1]', long)], n(long), '! integer overflow'],
    ['CSUM', [list('[1.5, 2.25]', decimal)], n(decimal), '3.750000000000000000'],
    ['CSUM', [list('[1.5]', double)], n(double), '1.5'],
    ['CAVG', [list('[1, 2, NULL]', n(double))], n(double), '1.5'],
    ['CAVG', [list('[]', double)], n(double), 'NULL'],
    ['CAVG', [list('[1, 2, 2]', decimal)], n(decimal), '1.666666666666666667'],
    ['CAVG', [list('[]', decimal)], n(decimal), 'NULL'],
    ['CMIN', [list('[2, NULL, 1]', n(int))], n(int), '1'],
    ['CMAX', [list("['a', 'b']", string)], n(string), 'b'],
    ['CFIRST', [list('[NULL, 5, 6]', n(int))], n(int), '5'],
    ['CLAST', [list('[5, 6, NULL]', n(int))], n(int), '6'],
    ['CFIRST', [list('[]', int)], n(int), 'NULL'],
    ['DISTINCT', [list('[2, 1, 2]', int)], collectionOf(int), '[1, 2]'],
    ['DISTINCT', [list('[2, NULL, 2, NULL]', n(int))], collectionOf(n(int)), '[NULL, 2]'],
    ['DISTINCT', [list('NULL', int)], n(collectionOf(int)), 'NULL'],
    ['DISTINCT', [list('NULL', n(int))], n(collectionOf(n(int))), 'NULL'],
    ['SORT', [list('NULL', int)], n(collectionOf(int)), 'NULL'],
    ['FLATTEN', [list('NULL', collectionOf(int))], n(collectionOf(int)), 'NULL'],
    ['EXISTS', [list('[]', int)], bool, 'false'],
    ['EXISTS', [list('[1]', int)], bool, 'true'],
    ['EXISTS', [list('NULL', int)], n(bool), 'NULL'],
    ['GET', [list('[5, 6]', int), l(1)], n(int), '6'],
    ['GET', [list('[5, 6]', int), l(-1)], n(int), 'NULL'],
    ['GET', [list('[5, 6]', int), l('9223372036854775807')], n(int), 'NULL'],
    ['TAKE', [list('[1, 2, 3]', int), l(2)], collectionOf(int), '[1, 2]'],
    ['TAKE', [list('[1, 2, 3]', int), l(-2)], collectionOf(int), '[]'],
    ['TAKE', [list('[1]', int), l('9223372036854775807')], collectionOf(int), '[1]'],
    ['DROP', [list('[1, 2, 3]', int), l(2)], collectionOf(int), '[3]'],
    ['DROP', [list('[1, 2]', int), l(-2)], collectionOf(int), '[1, 2]'],
    ['DROP', [list('[1, 2]', int), l('9223372036854775807')], collectionOf(int), '[]'],
    ['DROP', [list('NULL', int), l(1)], n(collectionOf(int)), 'NULL'],
    ['FLATTEN', [list('[[1], [2, 3]]', collectionOf(int))], collectionOf(int), '[1, 2, 3]'],
    ['SORT', [list('[2, NULL, 1]', n(int))], collectionOf(n(int)), '[NULL, 1, 2]'],
    ['RANGE', [l(0), l(3), l(1)], collectionOf(long), '[0, 1, 2]'],
    ['RANGE', [l(5), l(0), l(-2)], collectionOf(long), '[5, 3, 1]'],
    ['RANGE', [l(5), l(0), l(1)], collectionOf(long), '[]'],
    ['RANGE', [l(0), l(3), l(0)], collectionOf(long), '! a step must not be zero'],
    [
      'RANGE',
      [l('-9223372036854775808'), l('9223372036854775807'), l(1)],
      collectionOf(long),
      '! RANGE would make more than 10000000 elements',
    ],
    ['RANGE', [l(0), l(10_000_001), l(1)], collectionOf(long), '! RANGE would make more than 10000000 elements'],
    ['RANGE', [e('CAST(NULL AS BIGINT)', n(long)), l(3), l(1)], n(collectionOf(long)), 'NULL'],
    [
      'ZIP',
      [list('[1, 2]', int), list("['a']", string)],
      collectionOf(
        recordOf([
          { name: '_1', type: int },
          { name: '_2', type: string },
        ]),
      ),
      "[{'_1': 1, '_2': a}]",
    ],
    [
      'ENTRIES',
      [
        e(
          "{'a': 1, 'A_2': CAST(2 AS BIGINT)}",
          recordOf([
            { name: 'a', type: int },
            { name: 'A', type: long },
          ]),
        ),
      ],
      kv(long),
      "[{'key': a, 'value': 1}, {'key': A, 'value': 2}]",
    ],
    [
      'ENTRIES',
      [e(`'{"x/y": null, "b": [1]}'::JSON`, anyType)],
      kv(n(anyType)),
      "[{'key': x/y, 'value': NULL}, {'key': b, 'value': '[1]'}]",
    ],
    ['ENTRIES', [e("'[1]'::JSON", anyType)], kv(n(anyType)), '[]'],
    [
      'FIELDS',
      [
        e(
          "{'a': 1, 'A_2': 2}",
          recordOf([
            { name: 'a', type: int },
            { name: 'A', type: int },
          ]),
        ),
      ],
      collectionOf(string),
      '[a, A]',
    ],
    ['ERROR', [s('it broke')], n(anyType), '! it broke'],
  ]);
});

test('RANDOM is from 0 up to 1', async () => {
  expect(await engine.evaluate(`(${lower('RANDOM', [], double)} BETWEEN 0 AND 1)`)).toBe('true');
});

test('every function of values has its SQL', () => {
  const missing = FUNCTIONS.filter((definition) => definition.kind === 'scalar' && FUNCTION_LOWERINGS[definition.name] === undefined).map(
    (definition) => definition.name,
  );
  expect(missing).toEqual([]);
});
