import { openQueryRunner, type QueryRunner } from '../../testing/query-runner.ts';
import { TEST_TABLES } from '../../testing/test-tables.ts';

let runner: QueryRunner;
beforeAll(async () => {
  runner = await openQueryRunner(TEST_TABLES);
});
afterAll(async () => runner.close());

/** Members of a document as JSON may write them. */
const MEMBERS = [
  ...['"a":null', '"A":1', '"a":true', '"a":"true"', '"a":false', '"a":""', '"a":" 7 "', '"a":"7"', '"a":7', '"a":7.9', '"a":-7.9'],
  ...['"a":1e2', '"a":1.50', '"a":1e-3', '"a":"1e2"', '"a":300', '"a":9223372036854775807', '"a":12345678901234567890', '"a":-0.0'],
  ...['"a":123456789012345678901234567890', '"a":1e400', '"a":"NaN"', '"a":"inf"', '"a":"x"', '"a":"tab\\tquote\\"\\u00e9\\u0000"'],
  ...['"a":{}', '"a":{"b": [1,  2]}', '"a":[]', '"a":[1, null, "x"]', '"a":[true]', '"a":"2024-02-30"', '"a":"2024-02-29"', '"a":"12:34"'],
  ...['"a":"2024-02-29T10:11:12.5+02:00"', '"a":" 2024-02-29 10:11:12Z "', '"a":"\\t2024-02-29"', '"a":"P1D"', '"a":"YQ=="'],
  ...['"a":1,"a":2', '"a":null,"a":2', '"b":"a"'],
];
const TYPES = [
  ...[
    'byte',
    'short',
    'int',
    'long',
    'float',
    'double',
    'decimal',
    'bool',
    'string',
    'date',
    'time',
    'timestamp',
    'interval',
    'binary',
    'any',
  ],
  ...['collection(int nullable)', 'record(b: collection(long))', 'record()', 'collection(any)'],
];

/** Documents as a collection of texts. */
const DOCUMENTS = `[${MEMBERS.map((member) => JSON.stringify(`{${member}}`)).join(', ')}]`;

test.each(TYPES)('a member is the same %s whether it is cast alone or beside others', async (type) => {
  for (const wanted of [type, `${type} nullable`]) {
    const of = (fields: string): string =>
      `SELECT d, TRY(CAST(CAST(PARSE_JSON(d) AS record(${fields})).a AS any)) AS a, TRY(CAST(PARSE_JSON(d) AS record(${fields}))) IS NULL AS failed FROM ${DOCUMENTS} d`;
    const alone = await runner.run(of(`a: ${wanted}`));
    expect(alone).toHaveLength(MEMBERS.length);
    expect(await runner.run(of(`a: ${wanted}, other: string nullable`))).toEqual(alone);
  }
});

test('what does not fit is named as it is where it is cast alone', async () => {
  const misfits = ['"a":null', '"A":1', '"a":"x"', '"a":{"b": [1,  2]}', '"a":[1, null, "x"]'];
  for (const type of ['int', 'bool', 'timestamp', 'string', 'collection(int)'])
    for (const member of misfits) {
      const of = (fields: string): string => `SELECT CAST(PARSE_JSON(d) AS record(${fields})).a FROM [${JSON.stringify(`{${member}}`)}] d`;
      const message = async (fields: string): Promise<string> =>
        (await runner.run(of(fields))).join('\n').replaceAll(', other: string nullable', '');
      const alone = await message(`a: ${type}`);
      expect({ member, type, message: await message(`a: ${type}, other: string nullable`) }).toEqual({ member, type, message: alone });
    }
});
