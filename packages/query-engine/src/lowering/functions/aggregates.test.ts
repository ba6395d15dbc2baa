import { bool, collectionOf, decimal, double, FUNCTIONS, int, long, nullable, string, type Type } from '@svc/query-language';

import { openSqlEvaluator, plainCall, type SqlEvaluator } from '../../testing/evaluate-sql.ts';
import { sqlText } from '../../sql/print-sql.ts';
import { NOTHING, NULL, SQL, verbatim } from '../../sql/sql.ts';
import type { AggregateRows, LoweredArgument, WindowRows } from '../lowering-types.ts';
import { AGGREGATE_LOWERINGS } from './aggregate-functions.ts';
import { WINDOW_LOWERINGS } from './window-functions.ts';

let engine: SqlEvaluator;
beforeAll(async () => {
  engine = await openSqlEvaluator();
});
afterAll(() => engine.close());

const ROWS = `(VALUES (1, 3, 'b', 1.5::DECIMAL(38,18), 0), (2, 2, NULL, 2, 0), (3, NULL, 'a', 2, 0), (4, 2, 'b', 99999999999999999999, 1), (5, 7, 'c', 99999999999999999999, 1)) t(rn, x, s, d, g)`;
const e = (sql: string, type: Type, constant?: string): LoweredArgument => ({ sql: verbatim(sql), type, constant });
const x = e('t.x', nullable(int));
const s = e('t.s', nullable(string));
const d = e('t.d', decimal);

interface Options {
  readonly where?: string;
  readonly filter?: string;
  readonly isDistinct?: boolean;
  readonly orderKey?: string;
}

/** The SQL is built in the test, not in the table of tests. */
type Statement = () => string;

function query(name: string, args: readonly LoweredArgument[], type: Type, options: Options = {}): Statement {
  const rows: AggregateRows = {
    distinct: options.isDistinct === true ? SQL`DISTINCT ` : NOTHING,
    suffix: options.filter === undefined ? NOTHING : SQL` FILTER (WHERE ${verbatim(options.filter)})`,
    orderKey: verbatim(options.orderKey ?? 't.rn'),
  };
  const call = { ...plainCall, type, functionName: name };
  return () =>
    `(SELECT ${sqlText(AGGREGATE_LOWERINGS[name]?.overRows(args, rows, call) ?? NULL)} FROM ${ROWS} WHERE ${options.where ?? 'TRUE'})`;
}

const none: Options = { where: 'FALSE' };
it.each<[string, Statement, string]>([
  ['COUNT(*)', query('COUNT', [], long), '5'],
  ['COUNT(x)', query('COUNT', [x], long), '4'],
  ['COUNT(DISTINCT x)', query('COUNT', [x], long, { isDistinct: true }), '3'],
  ['COUNT of nothing', query('COUNT', [x], long, none), '0'],
  ['COUNT FILTER', query('COUNT', [], long, { filter: 't.x > 2' }), '2'],
  ['COUNT_DISTINCT', query('COUNT_DISTINCT', [x], long), '3'],
  ['APPROX_COUNT_DISTINCT', query('APPROX_COUNT_DISTINCT', [x], long), '3'],
  ['SUM', query('SUM', [x], long), '14'],
  ['SUM of nothing', query('SUM', [x], long, none), 'NULL'],
  ['SUM past a long', query('SUM', [e('9223372036854775807', long)], long), '! integer overflow'],
  ['SUM of decimals', query('SUM', [d], decimal, { where: 't.g = 0' }), '5.500000000000000000'],
  ['SUM past 38 digits', query('SUM', [d], decimal, { where: 't.rn < 5' }), '! '],
  ['AVG', query('AVG', [x], double), '3.5'],
  ['AVG of decimals', query('AVG', [d], decimal, { where: 't.g = 0' }), '1.833333333333333333'],
  ['AVG DISTINCT of decimals', query('AVG', [d], decimal, { where: 't.g = 0', isDistinct: true }), '1.750000000000000000'],
  ['AVG of no decimals', query('AVG', [d], decimal, none), 'NULL'],
  ['MIN', query('MIN', [x], int), '2'],
  ['MAX', query('MAX', [s], string), 'c'],
  ['MIN of nothing', query('MIN', [x], int, none), 'NULL'],
  ['STDDEV', query('STDDEV', [e('t.rn::DOUBLE', double)], double), '1.5811388300841898'],
  ['STDDEV of one', query('STDDEV', [x], double, { where: 't.rn = 1' }), 'NULL'],
  ['VARIANCE', query('VARIANCE', [e('t.rn::DOUBLE', double)], double), '2.5'],
  ['MEDIAN', query('MEDIAN', [x], double), '2.5'],
  ['QUANTILE', query('QUANTILE', [e('t.rn::DOUBLE', double), e('0.25', double, '0.25')], double), '2.0'],
  ['MODE takes the least of the most frequent', query('MODE', [s], string, { where: "t.s <> 'b' OR t.rn = 1" }), 'a'],
  ['MODE', query('MODE', [s], string), 'b'],
  ['MODE of nothing', query('MODE', [s], string, none), 'NULL'],
  ['BOOL_AND', query('BOOL_AND', [e('t.x > 2', nullable(bool))], bool), 'false'],
  ['BOOL_OR', query('BOOL_OR', [e('t.x > 2', nullable(bool))], bool), 'true'],
  ['ARG_MIN', query('ARG_MIN', [s, x], string), 'b'],
  ['ARG_MAX', query('ARG_MAX', [s, x], string), 'c'],
  ['COLLECT in source order', query('COLLECT', [x], collectionOf(nullable(int))), '[3, 2, NULL, 2, 7]'],
  ['COLLECT of nothing', query('COLLECT', [x], collectionOf(int), none), '[]'],
  ['COLLECT ORDER BY', query('COLLECT', [x], collectionOf(int), { orderKey: '-t.rn' }), '[7, 2, NULL, 2, 3]'],
  ['COLLECT DISTINCT', query('COLLECT', [x], collectionOf(int), { isDistinct: true }), '[NULL, 2, 3, 7]'],
  ['COLLECT FILTER', query('COLLECT', [x], collectionOf(int), { filter: 't.x > 2' }), '[3, 7]'],
  ['STRING_AGG', query('STRING_AGG', [s, e("'-'", string, '-')], string), 'b-a-b-c'],
  [
    'STRING_AGG ORDER BY',
    query('STRING_AGG', [s, e("'-'", string, '-')], string, {
      orderKey: "create_sort_key(t.s, 'DESC NULLS LAST', t.rn, 'ASC NULLS FIRST')",
    }),
    'c-b-b-a',
  ],
  ['STRING_AGG with a computed separator', query('STRING_AGG', [s, e("concat('+', t.g * 0)", string)], string), 'b+0a+0b+0c'],
  ['STRING_AGG of nothing', query('STRING_AGG', [s, e("'-'", string, '-')], string, none), 'NULL'],
  ['FIRST skips NULL', query('FIRST', [s], string, { where: 't.rn > 1' }), 'a'],
  ['LAST', query('LAST', [x], int), '7'],
  ['FIRST ORDER BY', query('FIRST', [s], string, { orderKey: '-t.rn' }), 'c'],
  ['LAST ORDER BY', query('LAST', [x], int, { orderKey: '-t.rn' }), '3'],
])('%s', async (_, sql, expected) => {
  const result = await engine.evaluate(sql());
  expect(expected === '! ' ? result.replace(/ .*decimal.*/, ' ') : result).toBe(expected);
});

describe('over lists', () => {
  const over = (name: string, list: string, types: readonly LoweredArgument[], type: Type): Statement => {
    const call = { ...plainCall, type, functionName: name };
    return () => sqlText(AGGREGATE_LOWERINGS[name]?.overList(verbatim(list), types, call) ?? NULL);
  };
  const ints = 'CAST([3, 2, NULL, 2] AS INTEGER[])';
  const empty = 'CAST([] AS INTEGER[])';
  const pairs =
    "[{'a0': 'x', 'a1': 2}, {'a0': 'y', 'a1': 1}, {'a0': 'z', 'a1': 1}, {'a0': 'w', 'a1': 2}, {'a0': NULL, 'a1': 0}, {'a0': 'n', 'a1': NULL}]";
  const texts = (by: string): string => `[{'a0': 'x', 'a1': '${by}'}, {'a0': NULL, 'a1': '${by}'}, {'a0': 'y', 'a1': '${by}'}]`;
  const noPairs = 'CAST([] AS STRUCT(a0 VARCHAR, a1 VARCHAR)[])';
  it.each<[string, Statement, string]>([
    ['COUNT(*)', over('COUNT', ints, [], long), '4'],
    ['COUNT', over('COUNT', ints, [x], long), '3'],
    ['COUNT_DISTINCT', over('COUNT_DISTINCT', ints, [x], long), '2'],
    ['SUM', over('SUM', ints, [x], long), '7'],
    ['SUM of nothing', over('SUM', empty, [x], long), 'NULL'],
    ['AVG', over('AVG', ints, [x], double), '2.3333333333333335'],
    ['AVG of decimals', over('AVG', 'CAST([1, 2, 2] AS DECIMAL(38,18)[])', [d], decimal), '1.666666666666666667'],
    ['MIN', over('MIN', ints, [x], int), '2'],
    ['MEDIAN', over('MEDIAN', ints, [x], double), '2.0'],
    ['MODE', over('MODE', ints, [x], int), '2'],
    ['MODE of nothing', over('MODE', empty, [x], int), 'NULL'],
    ['QUANTILE', over('QUANTILE', "[{'a0': 1.0::DOUBLE, 'a1': 0.5}, {'a0': 2, 'a1': 0.5}]", [x, e('', double, '0.5')], double), '1.5'],
    ['ARG_MIN takes the first of equals', over('ARG_MIN', pairs, [s, x], string), 'y'],
    ['ARG_MAX takes the first of equals', over('ARG_MAX', pairs, [s, x], string), 'x'],
    ['COLLECT', over('COLLECT', ints, [x], collectionOf(nullable(int))), '[3, 2, NULL, 2]'],
    ['STRING_AGG', over('STRING_AGG', texts('-'), [s, e("'-'", string, '-')], string), 'x-y'],
    ['STRING_AGG with a computed separator', over('STRING_AGG', texts('+'), [s, e('', string)], string), 'x+y'],
    ['STRING_AGG of nothing', over('STRING_AGG', noPairs, [s, e("'-'", string, '-')], string), 'NULL'],
    ['FIRST', over('FIRST', 'CAST([NULL, 5, 6] AS INTEGER[])', [x], int), '5'],
    ['LAST', over('LAST', 'CAST([5, 6, NULL] AS INTEGER[])', [x], int), '6'],
    ['BOOL_AND', over('BOOL_AND', '[TRUE, NULL]', [x], bool), 'true'],
  ])('%s', async (_, sql, expected) => {
    expect(await engine.evaluate(sql())).toBe(expected);
  });
});

describe('over windows', () => {
  const values = (name: string, args: readonly LoweredArgument[], type: Type, isDistinct = false): Statement => {
    const rows: WindowRows = {
      ...{ distinct: isDistinct ? SQL`DISTINCT ` : NOTHING, suffix: SQL` OVER (ORDER BY t.rn)`, orderKey: null },
      suffixAmongEqual: (value) => SQL` OVER (PARTITION BY ${value})`,
      column: (sql) => sql,
    };
    const call = { ...plainCall, type, functionName: name };
    return () =>
      `(SELECT list(v ORDER BY rn) FROM (SELECT t.rn, ${sqlText(WINDOW_LOWERINGS[name]?.(args, rows, call) ?? NULL)} AS v FROM ${ROWS}))`;
  };
  it.each<[string, Statement, string]>([
    ['ROW_NUMBER', values('ROW_NUMBER', [], long), '[1, 2, 3, 4, 5]'],
    ['RANK', values('RANK', [], long), '[1, 2, 3, 4, 5]'],
    ['DENSE_RANK', values('DENSE_RANK', [], long), '[1, 2, 3, 4, 5]'],
    ['NTILE', values('NTILE', [e('2', int)], long), '[1, 1, 1, 2, 2]'],
    ['NTILE of none', values('NTILE', [e('0', int)], long), '! NTILE needs at least one bucket'],
    ['LAG', values('LAG', [x], int), '[NULL, 3, 2, NULL, 2]'],
    ['LAG with rows and default', values('LAG', [x, e('2', int, '2'), e('0', int, '0')], int), '[0, 0, 3, 2, NULL]'],
    ['LEAD', values('LEAD', [x], int), '[2, NULL, 2, 7, NULL]'],
    ['FIRST_VALUE', values('FIRST_VALUE', [x], int), '[3, 3, 3, 3, 3]'],
    ['LAST_VALUE', values('LAST_VALUE', [x], int), '[3, 2, NULL, 2, 7]'],
    ['SUM', values('SUM', [x], long), '[3, 5, 5, 7, 14]'],
    [
      'AVG of decimals',
      values('AVG', [e('CAST(t.rn AS DECIMAL(38,18))', decimal)], decimal),
      '[1.000000000000000000, 1.500000000000000000, 2.000000000000000000, 2.500000000000000000, 3.000000000000000000]',
    ],
    ['COUNT DISTINCT', values('COUNT', [x], long, true), '[1, 2, 2, 2, 3]'],
    [
      'COLLECT',
      values('COLLECT', [s], collectionOf(nullable(string))),
      '[[b], [b, NULL], [b, NULL, a], [b, NULL, a, b], [b, NULL, a, b, c]]',
    ],
    ['STRING_AGG', values('STRING_AGG', [s, e("'-'", string, '-')], string), '[b, b, b-a, b-a-b, b-a-b-c]'],
    ['FIRST', values('FIRST', [s], string), '[b, b, b, b, b]'],
    ['LAST', values('LAST', [s], string), '[b, b, a, b, c]'],
  ])('%s', async (_, sql, expected) => {
    expect(await engine.evaluate(sql())).toBe(expected);
  });
});

test('every aggregate and window function has its SQL', () => {
  const names = (kind: string): string[] => FUNCTIONS.filter((definition) => definition.kind === kind).map((definition) => definition.name);
  expect(names('aggregate').filter((name) => AGGREGATE_LOWERINGS[name] === undefined || WINDOW_LOWERINGS[name] === undefined)).toEqual([]);
  expect(names('window').filter((name) => WINDOW_LOWERINGS[name] === undefined)).toEqual([]);
});
