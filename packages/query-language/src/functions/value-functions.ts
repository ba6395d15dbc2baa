import { defineFamily } from './define-function.ts';

/** Functions about NULL, choices, errors and the environment. Those of kind special have their own rule in the checker. */
export const VALUE_FUNCTIONS = defineFamily('value', [
  {
    name: 'GROUPING',
    aliases: ['GROUPING_ID'],
    kind: 'special',
    summary:
      'With ROLLUP, CUBE or GROUPING SETS: 1 where the key is rolled up in the group, else 0; of several keys the number whose binary ' +
      'digits these are.',
    nulls: 'never NULL',
    signatures: ['(key: K …) -> long'],
    examples: [['CFIRST(SELECT GROUPING(x) FROM [7] x GROUP BY ROLLUP (x))', '1']],
  },
  {
    name: 'COALESCE',
    aliases: ['IFNULL', 'NVL'],
    kind: 'special',
    summary: 'The first argument that is not NULL.',
    nulls: 'NULL where all arguments are',
    signatures: ['(value: T nullable, other: T nullable …) -> T'],
    examples: [['COALESCE(NULL, 2, 3)', '2']],
  },
  {
    name: 'ISNULL',
    kind: 'special',
    summary: 'The value, or the alternative where it is NULL.',
    nulls: 'NULL where both arguments are',
    signatures: ['(value: T nullable, alternative: T nullable) -> T'],
    examples: [['ISNULL(NULL, "none")', '"none"']],
  },
  {
    name: 'NULLIF',
    kind: 'special',
    summary: 'NULL where both arguments are equal, else the first.',
    nulls: 'NULL equals nothing: the first argument',
    signatures: ['(value: T, other: T) -> T nullable'],
    examples: [
      ['NULLIF(1, 1)', 'null'],
      ['NULLIF(2, 1)', '2'],
    ],
  },
  {
    name: 'IFF',
    aliases: ['IIF'],
    kind: 'special',
    summary: 'The second argument where the first is true, the third where it is false.',
    nulls: 'NULL where the condition is NULL',
    signatures: ['(condition: bool, yes: T, no: T) -> T'],
    examples: [['IFF(1 < 2, "yes", "no")', '"yes"']],
  },
  {
    name: 'CHOOSE',
    kind: 'special',
    summary: 'The value at a position, from 1; NULL outside.',
    nulls: 'NULL where the index is NULL',
    signatures: ['(index: int, value: T …) -> T nullable'],
    examples: [
      ['CHOOSE(2, "a", "b")', '"b"'],
      ['CHOOSE(3, "a", "b")', 'null'],
    ],
  },
  {
    name: 'TRY',
    kind: 'special',
    summary: 'NULL where the expression fails. It holds no aggregate over rows, window, or query that groups, joins or reads a source.',
    signatures: ['(value: T nullable) -> T nullable'],
    examples: [
      ['TRY(CAST("x" AS int))', 'null'],
      ['TRY(1 + 1)', '2'],
    ],
  },
  {
    name: 'ERROR',
    kind: 'special',
    alwaysFails: true,
    summary: 'Fails with the message when it is evaluated. It may stand where a value of any type is wanted.',
    nulls: 'fails all the same',
    signatures: ['(message: string) -> any'],
    examples: [['IFF(TRUE, 1, ERROR("no"))', '1']],
  },
  {
    name: 'NOW',
    aliases: ['CURRENT_TIMESTAMP', 'LOCALTIMESTAMP', 'GETDATE'],
    kind: 'special',
    summary: 'The moment at which the query began, in UTC.',
    signatures: ['() -> timestamp'],
    examples: [['NOW() = NOW()', 'true']],
  },
  {
    name: 'TODAY',
    aliases: ['CURRENT_DATE', 'CURDATE'],
    kind: 'special',
    summary: 'The day on which the query began, in UTC.',
    signatures: ['() -> date'],
    examples: [['TODAY() <= NOW()', 'true']],
  },
  {
    name: 'USER',
    kind: 'special',
    summary: 'Who runs the query: the subject of the access token.',
    signatures: ['() -> string'],
    examples: [['LENGTH(USER()) > 0', 'true']],
  },
  {
    name: 'SCOPES',
    kind: 'special',
    summary: 'The scopes of the access token or API key.',
    signatures: ['() -> collection(string)'],
    examples: [['LEN(SCOPES()) >= 0', 'true']],
  },
]);
