import { COLLECT } from '../plan/collect.ts';
import { collectionOf, long } from '../types/types.ts';
import type { ConstantArgument } from './constant-argument.ts';
import { constantAt } from './constant-argument.ts';
import { defineFamily } from './define-function.ts';

const NUMBERS = 'FROM [1, 2, 3, 4] x';

const FRACTION: ConstantArgument = {
  index: 1,
  mustBe: 'the fraction of QUANTILE',
  problem: (value) =>
    typeof value === 'number' && !(value >= 0 && value <= 1) ? `the fraction of QUANTILE must be from 0 to 1, not ${value}` : null,
};

const BUCKETS: ConstantArgument = {
  index: 0,
  mustBe: null,
  problem: (value) => (typeof value === 'number' && value < 1 ? `NTILE needs at least one bucket, not ${value}` : null),
};

/** Aggregates over the rows of a SELECT, a group, or the elements of a collection. All except COUNT(*) and COLLECT skip NULL. */
export const AGGREGATE_FUNCTIONS = defineFamily(
  'aggregate',
  (
    [
      {
        name: 'COUNT',
        countsRows: true,
        resultOfAny: () => long,
        isNeverNull: true,
        summary: 'How many rows, or values that are not NULL.',
        nulls: 'NULLs are not counted; 0 of nothing',
        signatures: ['(value: T) -> long'],
        examples: [
          [`SELECT COUNT(*) ${NUMBERS}`, '4'],
          ['COUNT(SELECT x FROM [1, NULL] x)', '1'],
        ],
      },
      {
        name: 'SUM',
        overElements: 'CSUM',
        canFail: true,
        summary: 'The sum; of integers a long, of intervals that of months, of days and of time.',
        signatures: ['(x: I) -> long', '(x: decimal) -> decimal', '(x: interval) -> interval', '(x: double) -> double'],
        examples: [
          [`SELECT SUM(x) ${NUMBERS}`, '10'],
          ['SELECT SUM(x) FROM [interval "20 days", interval "1 month 20 days"] x', '"P1M40D"'],
        ],
      },
      {
        name: 'AVG',
        overElements: 'CAVG',
        canFail: true,
        summary: 'The mean; of intervals parts of a month are days, 30 a month, and parts of a day are time.',
        signatures: ['(x: I) -> double', '(x: decimal) -> decimal', '(x: interval) -> interval', '(x: double) -> double'],
        examples: [
          [`SELECT AVG(x) ${NUMBERS}`, '2.5'],
          ['SELECT AVG(x) FROM [interval "1 month", interval "1 day"] x', '"P15DT12H"'],
        ],
      },
      {
        name: 'MIN',
        ignoresRepeated: true,
        summary: 'The least value.',
        signatures: ['(x: K) -> K'],
        examples: [[`SELECT MIN(x) ${NUMBERS}`, '1']],
      },
      {
        name: 'MAX',
        ignoresRepeated: true,
        summary: 'The greatest value.',
        signatures: ['(x: K) -> K'],
        examples: [[`SELECT MAX(x) ${NUMBERS}`, '4']],
      },
      {
        name: 'STDDEV',
        aliases: ['STDDEV_SAMP'],
        canFail: true,
        summary: 'The standard deviation of a sample; NULL of one value.',
        signatures: ['(x: double) -> double nullable'],
        examples: [['SELECT STDDEV(x) FROM [1, 3] x', '1.4142135623730951']],
      },
      {
        name: 'VARIANCE',
        aliases: ['VAR_SAMP'],
        canFail: true,
        summary: 'The variance of a sample; NULL of one value.',
        signatures: ['(x: double) -> double nullable'],
        examples: [['SELECT VARIANCE(x) FROM [1, 3] x', '2.0']],
      },
      {
        name: 'STDDEV_POP',
        canFail: true,
        summary: 'The standard deviation of the values as a whole population.',
        signatures: ['(x: double) -> double'],
        examples: [['SELECT STDDEV_POP(x) FROM [1, 3] x', '1.0']],
      },
      {
        name: 'VAR_POP',
        canFail: true,
        summary: 'The variance of the values as a whole population.',
        signatures: ['(x: double) -> double'],
        examples: [['SELECT VAR_POP(x) FROM [1, 3] x', '1.0']],
      },
      {
        name: 'COVAR_SAMP',
        canFail: true,
        summary: 'The covariance of a sample of pairs; NULL of one pair.',
        nulls: 'pairs with a NULL are left out',
        signatures: ['(y: double, x: double) -> double nullable'],
        examples: [[`SELECT COVAR_SAMP(2 * x, x) ${NUMBERS}`, '3.3333333333333335']],
      },
      {
        name: 'COVAR_POP',
        canFail: true,
        summary: 'The covariance of pairs as a whole population.',
        nulls: 'pairs with a NULL are left out',
        signatures: ['(y: double, x: double) -> double'],
        examples: [[`SELECT COVAR_POP(2 * x, x) ${NUMBERS}`, '2.5']],
      },
      {
        name: 'CORR',
        canFail: true,
        summary: 'The correlation of pairs, from -1 to 1; NULL where either side does not vary.',
        nulls: 'pairs with a NULL are left out',
        signatures: ['(y: double, x: double) -> double nullable'],
        examples: [['SELECT CORR(-x, x) FROM [1, 2] x', '-1.0']],
      },
      {
        name: 'MEDIAN',
        summary: 'The value in the middle, between two where there is none.',
        signatures: ['(x: double) -> double'],
        examples: [[`SELECT MEDIAN(x) ${NUMBERS}`, '2.5']],
      },
      {
        name: 'QUANTILE',
        constantArgument: FRACTION,
        summary: 'The value below which a constant fraction of the values lies, between two where there is none.',
        signatures: ['(x: double, fraction: double) -> double'],
        examples: [[`SELECT QUANTILE(x, 0.25) ${NUMBERS}`, '1.75']],
      },
      {
        name: 'MODE',
        summary: 'The most frequent value, of several the least; with OVER, of a whole partition.',
        takesWholePartitions: true,
        signatures: ['(value: K) -> K'],
        examples: [['SELECT MODE(x) FROM [2, 1, 2, 1, 3] x', '1']],
      },
      {
        name: COLLECT,
        aliases: ['ARRAY_AGG'],
        resultOfAny: collectionOf,
        isOrdered: true,
        isNeverNull: true,
        summary: 'All values as a collection in source order.',
        nulls: 'NULLs are kept; of nothing the empty collection',
        signatures: ['(value: T) -> collection(T)'],
        examples: [[`SELECT COLLECT(x) ${NUMBERS}`, '[1,2,3,4]']],
      },
      {
        name: 'STRING_AGG',
        joinsValues: true,
        castsToText: 'arguments',
        constantWithOver: constantAt(1, 'the separator of STRING_AGG with OVER'),
        isOrdered: true,
        summary: 'The texts as one, with a separator between them; what is no text is cast to one.',
        signatures: ['(text: string, separator: string) -> string'],
        examples: [['SELECT STRING_AGG(x, "-") FROM ["a", "b"] x', '"a-b"']],
      },
      {
        name: 'BOOL_AND',
        aliases: ['EVERY'],
        ignoresRepeated: true,
        summary: 'Whether all values are true.',
        signatures: ['(value: bool) -> bool'],
        examples: [[`SELECT BOOL_AND(x > 0) ${NUMBERS}`, 'true']],
      },
      {
        name: 'BOOL_OR',
        ignoresRepeated: true,
        summary: 'Whether any value is true.',
        signatures: ['(value: bool) -> bool'],
        examples: [[`SELECT BOOL_OR(x > 3) ${NUMBERS}`, 'true']],
      },
      {
        name: 'FIRST',
        aliases: ['ANY_VALUE'],
        ignoresRepeated: true,
        isOrdered: true,
        summary: 'The first value in source order that is not NULL.',
        signatures: ['(value: T) -> T'],
        examples: [[`SELECT FIRST(x) ${NUMBERS}`, '1']],
      },
      {
        name: 'LAST',
        ignoresRepeated: true,
        isOrdered: true,
        summary: 'The last value in source order that is not NULL.',
        signatures: ['(value: T) -> T'],
        examples: [[`SELECT LAST(x) ${NUMBERS}`, '4']],
      },
      {
        name: 'ARG_MIN',
        aliases: ['MIN_BY'],
        ignoresRepeated: true,
        summary: 'The value of the row where the other is least.',
        signatures: ['(value: T, by: K) -> T'],
        examples: [[`SELECT ARG_MIN(x, -x) ${NUMBERS}`, '4']],
      },
      {
        name: 'ARG_MAX',
        aliases: ['MAX_BY'],
        ignoresRepeated: true,
        summary: 'The value of the row where the other is greatest.',
        signatures: ['(value: T, by: K) -> T'],
        examples: [[`SELECT ARG_MAX(x, -x) ${NUMBERS}`, '1']],
      },
      {
        name: 'COUNT_DISTINCT',
        ignoresRepeated: true,
        isNeverNull: true,
        summary: 'How many different values there are.',
        nulls: 'NULLs are not counted; 0 of nothing',
        signatures: ['(value: K) -> long'],
        examples: [['SELECT COUNT_DISTINCT(x) FROM [1, 1, 2] x', '2']],
      },
      {
        name: 'APPROX_COUNT_DISTINCT',
        aliases: ['APPROX_DISTINCT'],
        ignoresRepeated: true,
        isNeverNull: true,
        summary: 'About how many different values there are.',
        nulls: 'NULLs are not counted; 0 of nothing',
        signatures: ['(value: K) -> long'],
        examples: [['SELECT APPROX_COUNT_DISTINCT(x) FROM [1, 1, 2] x', '2']],
      },
    ] as const
  ).map((record) => ({ ...record, kind: 'aggregate' as const })),
);

const NEVER = 'never NULL';

/** Functions that need OVER. */
export const WINDOW_FUNCTIONS = defineFamily(
  'window',
  (
    [
      {
        name: 'ROW_NUMBER',
        isNeverNull: true,
        nulls: NEVER,
        summary: 'The position of the row in its partition, from 1.',
        signatures: ['() -> long'],
        examples: [['SELECT ROW_NUMBER() OVER (ORDER BY x DESC) FROM [7] x', '1']],
      },
      {
        name: 'RANK',
        isSameForTies: true,
        isNeverNull: true,
        nulls: NEVER,
        summary: 'The position of the row, ties sharing one and leaving gaps.',
        signatures: ['() -> long'],
        examples: [['SELECT RANK() OVER (ORDER BY x) FROM [7] x', '1']],
      },
      {
        name: 'DENSE_RANK',
        isSameForTies: true,
        isNeverNull: true,
        nulls: NEVER,
        summary: 'The position of the row, ties sharing one without gaps.',
        signatures: ['() -> long'],
        examples: [['SELECT DENSE_RANK() OVER (ORDER BY x) FROM [7] x', '1']],
      },
      {
        name: 'PERCENT_RANK',
        isSameForTies: true,
        isNeverNull: true,
        nulls: NEVER,
        summary: 'The rank of the row less one, as a part of the other rows of the partition: from 0 to 1.',
        signatures: ['() -> double'],
        examples: [['SELECT PERCENT_RANK() OVER (ORDER BY x) FROM [7] x', '0.0']],
      },
      {
        name: 'CUME_DIST',
        isSameForTies: true,
        isNeverNull: true,
        nulls: NEVER,
        summary: 'The part of the rows of the partition that stand before the row or tie with it: above 0, up to 1.',
        signatures: ['() -> double'],
        examples: [['SELECT CUME_DIST() OVER (ORDER BY x) FROM [7] x', '1.0']],
      },
      {
        name: 'NTILE',
        constantArgument: BUCKETS,
        canFail: true,
        isNeverNull: true,
        nulls: NEVER,
        summary: 'The number of the bucket that the row falls in, of so many.',
        signatures: ['(buckets: int) -> long'],
        examples: [['SELECT NTILE(2) OVER (ORDER BY x) FROM [7] x', '1']],
      },
      {
        name: 'LAG',
        acceptsIgnoreNulls: true,
        summary: 'The value so many rows before this one, or the default where there is none.',
        signatures: ['(value: T, rows: int := 1, default: T nullable := NULL) -> T nullable'],
        examples: [['SELECT LAG(x) OVER (ORDER BY x) FROM [7] x', 'null']],
      },
      {
        name: 'LEAD',
        acceptsIgnoreNulls: true,
        summary: 'The value so many rows after this one, or the default where there is none.',
        signatures: ['(value: T, rows: int := 1, default: T nullable := NULL) -> T nullable'],
        examples: [['SELECT LEAD(x) OVER (ORDER BY x) FROM [7] x', 'null']],
      },
      {
        name: 'FIRST_VALUE',
        dependsOnFrame: true,
        aggregate: 'FIRST',
        summary: 'The value of the first row of the frame.',
        signatures: ['(value: T) -> T'],
        examples: [['SELECT FIRST_VALUE(x) OVER (ORDER BY x) FROM [7] x', '7']],
      },
      {
        name: 'LAST_VALUE',
        dependsOnFrame: true,
        aggregate: 'LAST',
        summary: 'The value of the last row of the frame.',
        signatures: ['(value: T) -> T'],
        examples: [['SELECT LAST_VALUE(x) OVER (ORDER BY x) FROM [7] x', '7']],
      },
      {
        name: 'NTH_VALUE',
        dependsOnFrame: true,
        canFail: true,
        acceptsIgnoreNulls: true,
        summary: 'The value of the row of the frame at a position, from 1; NULL where there is none.',
        signatures: ['(value: T, position: int) -> T nullable'],
        examples: [['SELECT NTH_VALUE(x, 2) OVER (ORDER BY x) FROM [7] x', 'null']],
      },
    ] as const
  ).map((record) => ({ ...record, kind: 'window' as const })),
);
