import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';

import { LostConnectionError, openDatabase, type ClientTransaction } from '@svc/database';
import { eventually } from '@svc/test-kit';

import { openTables, pieces, type TestTables } from '../testing/open-tables.ts';

let tables: TestTables;
beforeAll(async () => {
  tables = await openTables();
});
afterAll(() => tables.close());

/** Each type with valid JSON values, and their printed form if it differs. */
const VALUES: readonly (readonly [type: string, sent: readonly string[], back?: readonly string[]])[] = [
  ['byte', ['-128', '127', '0']],
  ['short', ['-32768', '32767']],
  ['int', ['-2147483648', '2147483647']],
  ['long', ['-9223372036854775808', '9223372036854775807', '9007199254740993', '-1', '4294967296', '-4294967297']],
  ['float', ['0.1', '3.4028235e38', '"NaN"', '"-Infinity"'], ['0.1', '3.4028235e+38', 'null', 'null']],
  [
    'double',
    ['0.1', '1.7976931348623157e308', '-5e-324', '"NaN"', '"Infinity"'],
    ['0.1', '1.7976931348623157e308', '-5e-324', 'null', 'null'],
  ],
  [
    'decimal',
    ['12345678901234567890.123456789012345678', '-0.000000000000000001', '0', '100', '1e3', '"0.5"', '-12.340', '1234567890.12345'],
    ['12345678901234567890.123456789012345678', '-0.000000000000000001', '0', '100', '1000', '0.5', '-12.34', '1234567890.12345'],
  ],
  ['bool', ['true', 'false']],
  ['string', ['""', '"a,b\\"c\\n\\r\\nd\\\\\\t"', '"\\\\."', '"é😀"', '"NULL"']],
  ['date', ['"0001-01-01"', '"9999-12-31"', '"1999-12-31"', '"2000-02-29"', '"1900-02-28"']],
  ['time', ['"00:00:00.000"', '"23:59:59.999999"', '"01:02"'], ['"00:00:00.000"', '"23:59:59.999999"', '"01:02:00.000"']],
  [
    'timestamp',
    [
      '"0001-01-01T00:00:00.000"',
      '"9999-12-31T23:59:59.999999"',
      '"2024-02-29T01:02:03+02:00"',
      '"1969-12-31 23:59:59.5"',
      '"2024-01-01"',
      '"2024-01-01T00:00:00Z"',
    ],
    [
      '"0001-01-01T00:00:00.000"',
      '"9999-12-31T23:59:59.999999"',
      '"2024-02-28T23:02:03.000"',
      '"1969-12-31T23:59:59.500"',
      '"2024-01-01T00:00:00.000"',
      '"2024-01-01T00:00:00.000"',
    ],
  ],
  [
    'interval',
    ['"P1Y2M3DT4H5M6.007S"', '"P-14M-3DT-30H"', '"PT-0.000001S"', '"PT0S"'],
    ['"P1Y2M3DT4H5M6.007S"', '"P-1Y-2M-3DT-30H"', '"PT-0.000001S"', '"PT0S"'],
  ],
  ['binary', ['""', '"AAEC/w=="']],
  ['any', ['{"b":1,"a":[1.5,null,"x"]}', '12345678901234567890', '"text"', 'true', '1e400', '{"b":"\\u0000"}']],
  ['collection(int)', ['[]', '[1,2]']],
  ['collection(double nullable)', ['[1.5,null,-0.0,5e-324]', '["NaN","-Infinity"]'], ['[1.5,null,-0.0,5e-324]', '[null,null]']],
  [
    'record(`a b`: int, B: collection(record(x: decimal, w: timestamp)))',
    ['{"a b":1,"B":[{"x":0.123456789012345678,"w":"2024-01-02T03:04:05.000"}]}'],
  ],
  [
    'record(i: interval, b: binary, l: long, f: float, t: time, d: date, n: any)',
    ['{"i":"P1M2DT3S","b":"AQ==","l":9223372036854775807,"f":0.1,"t":"01:02:03.000","d":"0001-01-01","n":{"z":1,"y":"q"}}'],
  ],
  ['record()', ['{}']],
];

test.each(VALUES.map(([type, sent, back]) => ({ type, sent, back: back ?? sent })))(
  'every value of $type comes back as it was',
  async ({ type, sent, back }) => {
    const field = await tables.create(`field_${Math.abs(hash(type))}`, `collection(record(x: ${type} nullable, last: int))`);
    const lines = [...sent, 'null'].map((value, i) => `{"last":${i},"x":${value}}\n`);
    expect(await tables.append(field, lines.join(''))).toEqual({ kind: 'stored', rowCount: lines.length });
    expect(await tables.rows(field)).toEqual([...back, 'null'].map((value, i) => `{"x":${value},"last":${i}}`));
    const value = await tables.create(`value_${Math.abs(hash(type))}`, `collection(${type} nullable)`);
    await tables.append(value, [...sent, 'null'].join('\n'));
    expect(await tables.rows(value)).toEqual([...back, 'null']);
  },
);

function hash(text: string): number {
  let sum = 7;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) | 0;
  return sum;
}

test('text of any characters comes back as it was', async () => {
  const table = await tables.create('any_text', 'collection(record(s: string, n: any, c: collection(string)))');
  const alphabet = [
    '\\',
    '\\',
    'N',
    'n',
    't',
    'x',
    '.',
    '"',
    "'",
    ',',
    '\t',
    '\n',
    '\r',
    '\b',
    '\f',
    '\v',
    '\u0001',
    '\u001f',
    'é',
    '😀',
    ' ',
  ];
  let seed = 7;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
  const text = (): string => Array.from({ length: random(8) }, () => alphabet[random(alphabet.length)]).join('');
  const rows = Array.from({ length: 3000 }, () => JSON.stringify({ s: text(), n: text(), c: [text()] }));
  await tables.append(table, rows.join('\n'));
  const back = await tables.rows(table);
  expect(back.map((row): unknown => JSON.parse(row))).toEqual(rows.map((row): unknown => JSON.parse(row)));
});

test('a decimal of many digits leaves the rest of its line as it was', async () => {
  const table = await tables.create(
    'beside_decimals',
    'collection(record(m: decimal, x: double, n: any, r: record(`"` : decimal, s: string)))',
  );
  const row = '{"m":0.123456789012345678,"x":-0.0,"n":{"b":1.0,"1":-0.0,"0":2,"m":0.5},"r":{"\\"":12345678901.123456789,"s":"{,[:1"}}';
  expect(await tables.append(table, `${row}\n`)).toEqual({ kind: 'stored', rowCount: 1 });
  expect(await tables.rows(table)).toEqual([row]);
  const damaged = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from(row.replace('[:1', '\u00ff'), 'latin1');
  };
  expect(await tables.append(table, '', { body: damaged() })).toEqual({ kind: 'refused', problem: 'line 1: the bytes are not UTF-8 text' });
});

test('a record that is nullable, and one of no fields, are rows', async () => {
  const nullable = await tables.create('nullable_records', 'collection(record(a: int) nullable)');
  await tables.append(nullable, '{"a":1}\nnull\n');
  expect(await tables.rows(nullable)).toEqual(['{"a":1}', 'null']);
  const empty = await tables.create('empty_records', 'collection(record())');
  expect(await tables.append(empty, '{}\n{}\n')).toEqual({ kind: 'stored', rowCount: 2 });
  expect(await tables.rows(empty)).toEqual(['{}', '{}']);
});

test('fields may be called what objects have, and by names that differ only in case', async () => {
  const table = await tables.create(
    'names',
    'collection(record(constructor: string nullable, `__proto__`: int nullable, a: int nullable, A: int nullable))',
  );
  await tables.append(table, '{"a":1,"A":2}\n{"__proto__":3,"constructor":"c"}\n');
  expect(await tables.rows(table)).toEqual([
    '{"constructor":null,"__proto__":null,"a":1,"A":2}',
    '{"constructor":"c","__proto__":3,"a":null,"A":null}',
  ]);
});

const REFUSED: readonly (readonly [type: string, lines: string, problem: string])[] = [
  ['record(a: int)', '{"a":1}\n\n{"a":"x"}\n', 'line 3, field a: expected int (an integer from -2147483648 to 2147483647), found "x"'],
  ['record(a: byte)', '{"a":128}', 'line 1, field a: expected byte (an integer from -128 to 127), found "128"'],
  ['record(a: long)', '{"a":9223372036854775808}', 'line 1, field a: expected long (an integer of 64 bits), found "9223372036854775808"'],
  ['record(a: int)', '{"a":1.5}', 'line 1, field a: expected int'],
  ['record(a: int)', '{}', 'line 1, field a: missing or null, and the type is not nullable'],
  ['record(a: int)', '{"a":1,"b":2}', 'line 1, field b: the table has no such field (known: a)'],
  ['record(a: int)', '{"a":1', 'line 1, column 7: malformed JSON: expected "," or "}"'],
  ['record(a: int)', '{"a":1}\n{"a":2} {"a":3}\n', 'line 2, column 9: malformed JSON: expected the end of the line'],
  ['record(a: int)', '{"a":1},\n{"a":2}\n', 'line 1, column 8: malformed JSON: expected the end of the line'],
  ['record(a: int)', '[1]', 'line 1: expected a record but got [1]'],
  ['record(a: string)', '{"a":"x\\u0000"}', 'row 1: it holds text with U+0000, which PostgreSQL cannot store'],
  ['record(a: string)', '{"a":"\\ud800"}', 'line 1, column 6: malformed JSON: a bad escape in a string'],
  [
    'record(a: decimal)',
    '{"a":0.0000000000000000001}',
    'line 1, field a: expected decimal (at most 20 digits before and 18 after the point), found "0.0000000000000000001"',
  ],
  ['record(a: date)', '{"a":"2023-02-29"}', 'line 1, field a: expected date'],
  ['record(a: timestamp)', '{"a":"2023-02-28T25:00:00"}', 'line 1, field a: expected timestamp'],
  ['record(a: collection(record(b: double)))', '{"a":[{"b":1},{"b":"x"}]}', 'line 1, field a[].b: expected double'],
  ['record(a: record(b: int))', '{"a":{"b":1,"c":2}}', 'line 1, field a.c: the table has no such field (known: b)'],
  ['int', '1\nnull', 'line 2: missing or null'],
];

test.each([
  ['any', 'row 1: it is nested too deeply'],
  ['int', 'line 1, field a: expected int'],
])('a value of 200,000 levels is refused for %s', async (type, problem) => {
  const table = await tables.create(`deep_${type}`, `collection(record(a: ${type}))`);
  const deep = `{"a":[12345678901234567890,${'['.repeat(200_000)}${']'.repeat(200_000)}]}`;
  expect(await tables.append(table, deep)).toEqual({ kind: 'refused', problem: expect.stringContaining(problem) });
});

test('bytes of 8 MB come back', async () => {
  const table = await tables.create('long_bytes', 'collection(record(a: binary))');
  const row = `{"a":"${Buffer.alloc(6_000_001, 7).toString('base64')}"}`;
  expect(await tables.append(table, row)).toEqual({ kind: 'stored', rowCount: 1 });
  expect(await tables.rows(table)).toEqual([row]);
});

test.each(REFUSED)('%s refuses %j, and stores no row of it', async (element, lines, problem) => {
  const table = await tables.create(`refused_${Math.abs(hash(element + lines))}`, `collection(${element})`);
  const result = await tables.append(table, lines);
  expect(result).toEqual({ kind: 'refused', problem: expect.stringContaining(problem) });
  expect(await tables.rows(table)).toEqual([]);
});

test('a row that is too long for its page is told', async () => {
  // PostgreSQL leaves 18 bytes of a long text in the row.
  const fields = Array.from({ length: 500 }, (_, i) => `f${i}`);
  const table = await tables.create('wide', `collection(record(${fields.map((name) => `${name}: string nullable`).join(', ')}))`);
  const row = (count: number): string =>
    JSON.stringify(Object.fromEntries(fields.slice(0, count).map((name) => [name, randomBytes(60).toString('base64')])));
  expect(await tables.append(table, `${row(300)}\n{"f499":"x"}\n`)).toEqual({ kind: 'stored', rowCount: 2 });
  expect(await tables.append(table, `${row(500)}\n{"f0":"x"}\n`)).toEqual({
    kind: 'refused',
    problem: expect.stringMatching(/^a row: its values take more than the 8 kB/),
  });
});

test('bytes that are no UTF-8 are refused with their line', async () => {
  const table = await tables.create('not_utf8', 'collection(string)');
  const body = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from('"a"\n"b"\n');
    yield Buffer.from([0x22, 0xff, 0x22]);
  };
  expect(await tables.append(table, '', { body: body() })).toMatchObject({
    kind: 'refused',
    problem: expect.stringContaining('not UTF-8'),
  });
});

describe('csv', () => {
  test('a header in any order, quotes over lines, NULL and the empty string', async () => {
    const table = await tables.create(
      'csv',
      'collection(record(n: int nullable, s: string nullable, d: date nullable, x: double nullable))',
    );
    const text = '\uFEFFs,n,x\r\n"a ""q"", b\r\nc",1,NaN\r\n"",,\r\n,2,1e3\r\n\r\n';
    expect(await tables.append(table, text, { format: 'csv' })).toEqual({ kind: 'stored', rowCount: 3 });
    expect(await tables.rows(table)).toEqual(
      [
        '{"n":1,"s":"a \\"q\\", b\\r\\nc","d":null,"x":null}',
        '{"n":null,"s":"","d":null,"x":null}',
        '{"n":2,"s":null,"d":null,"x":1000}',
      ].map((line) => line.replace('"x":1000}', '"x":1000.0}')),
    );
  });
  test.each([
    ['a,b\n1,2\n3\n', 'line 3: expected 2 columns but found 1'],
    ['a,b\n1,x\n', 'line 2, field b: expected int'],
    ['a,c\n', 'line 1, field c: the table has no such field (known: a, b, n)'],
    ['a,a\n', 'line 1, field a: the header names it twice'],
    ['a,b\n"1\n\n"x,2\n', 'line 2: a quoted cell does not end, or there is text after the closing quote'],
    ['a,b\n1,"2', 'line 2: a quoted cell does not end'],
    ['a,b\n,2\n', 'line 2, field a: missing or null'],
    ['a,b,n\n1,2,[1]\n', 'line 2, field n: csv cannot hold collection(int) nullable: send JSON lines'],
    ['', 'line 1: there is no header'],
    ['b\n2\n', 'row 1, field a: missing or null, and its type is not nullable'],
    ['\n\na,b\n\n1,x\n', 'line 5, field b: expected int'],
    ['a,b\n1,2\n3,"\n4,5\n', 'line 3: a quoted cell does not end'],
  ])('%j is refused', async (text, problem) => {
    const table = await tables.create(`csv_${Math.abs(hash(text))}`, 'collection(record(a: int, b: int, n: collection(int) nullable))');
    expect(await tables.append(table, text, { format: 'csv' })).toEqual({ kind: 'refused', problem: expect.stringContaining(problem) });
  });
});

test('a CSV record may be as long as a line, and a line no longer than 16 MiB', async () => {
  const table = await tables.create('long_lines', 'collection(record(s: string))');
  const record = `s\n"${'a line\n'.repeat(700_000)}"\n"last"\n`;
  expect(await tables.append(table, '', { body: pieces(record, 65_536), format: 'csv' })).toEqual({ kind: 'stored', rowCount: 2 });
  expect((await tables.rows(table)).map((row) => row.length)).toEqual([700_000 * 8 + 8, 12]);
  const long = `{"s":"b"}\n{"s":"${'x'.repeat(17_000_000)}"}\n`;
  expect(await tables.append(table, '', { body: pieces(long, 65_536) })).toEqual({
    kind: 'refused',
    problem: 'a line is longer than 16777216 bytes',
  });
});

test('a body for which the spool has no room leaves nothing behind', async () => {
  const table = await tables.create('no_room', 'collection(int)');
  const reserve = (): void => {
    throw new Error('no room');
  };
  await expect(tables.append(table, '1\n', {}, { reserve })).rejects.toThrow('no room');
  expect((await readdir(tables.directory)).filter((name) => name.startsWith('upload-'))).toEqual([]);
  expect(await tables.rows(table)).toEqual([]);
});

test('a unique index refuses the whole upload and says which row', async () => {
  const table = await tables.create('unique_rows', 'collection(record(a: int))', [{ name: null, fields: ['a'], unique: true }]);
  expect(await tables.append(table, '{"a":1}\n')).toEqual({ kind: 'stored', rowCount: 1 });
  expect(await tables.append(table, '{"a":2}\n{"a":1}\n')).toEqual({
    kind: 'refused',
    problem: 'row 2, field a: another row has the same value, and there is a unique index',
  });
  expect(await tables.rows(table)).toEqual(['{"a":1}']);
});

test('an upload that meets a deadlock with another writer is stored once it is over', async () => {
  const table = await tables.create('deadlocked', 'collection(record(a: int))', [{ name: null, fields: ['a'], unique: true }]);
  const other = openDatabase({ url: tables.url, applicationName: 'other', maxConnections: 1 });
  const insert = (at: ClientTransaction, value: number) => at.client.query(`INSERT INTO user_rows.t${table.id} VALUES ($1)`, [value]);
  let appended: Promise<unknown> | undefined;
  const rolledBack = other.transaction(async (at) => {
    // So that the server ends the upload, and not this transaction.
    await at.client.query(`SET LOCAL deadlock_timeout = '1h'`);
    await insert(at, 1);
    appended = tables.append(table, '{"a":2}\n{"a":1}\n');
    await eventually(async () => {
      const waiting = `SELECT FROM pg_stat_activity WHERE query LIKE 'COPY%' AND wait_event_type = 'Lock' AND datname = current_database()`;
      expect(await tables.database.session(async (client) => (await client.query(waiting)).rowCount)).toBe(1);
    });
    await insert(at, 2);
    throw new Error('never mind');
  });
  await expect(rolledBack).rejects.toThrow('never mind');
  expect(await appended).toEqual({ kind: 'stored', rowCount: 2 });
  expect(await tables.rows(table)).toEqual(['{"a":2}', '{"a":1}']);
  await other.close();
});

test('a value that is too long for an index is refused', async () => {
  const table = await tables.create('long_index', 'collection(record(s: string))', [{ name: null, fields: ['s'], unique: false }]);
  const noise = randomBytes(10_000).toString('hex');
  expect(await tables.append(table, `{"s":"${noise}"}`)).toEqual({ kind: 'refused', problem: expect.stringContaining('too long') });
});

describe('a key', () => {
  test('stores rows once, whoever sends them again, and refuses others', async () => {
    const table = await tables.create('keyed', 'collection(int)');
    const send = (text: string, key = 'k') => tables.append(table, text, { idempotencyKey: key });
    const results = await Promise.all(Array.from({ length: 4 }, () => send('1\n2\n')));
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(['repeated', 'repeated', 'repeated', 'stored']);
    expect(await send('1\n2\n')).toEqual({ kind: 'repeated', rowCount: 2 });
    expect(await send('1\n3\n')).toEqual({ kind: 'key-reused' });
    expect(await send('3\n', 'other')).toEqual({ kind: 'stored', rowCount: 1 });
    expect(await tables.rows(table)).toEqual(['1', '2', '3']);
  });
  test('under which rows were refused is free', async () => {
    const table = await tables.create('freed', 'collection(int)');
    expect((await tables.append(table, '1\nx\n', { idempotencyKey: 'k' })).kind).toBe('refused');
    expect(await tables.append(table, '1\n', { idempotencyKey: 'k' })).toEqual({ kind: 'stored', rowCount: 1 });
  });
});

test('an upload that breaks off, or is called off, stores nothing', async () => {
  const table = await tables.create('broken', 'collection(int)');
  const breaking = async function* (): AsyncGenerator<Uint8Array> {
    yield* pieces('1\n2\n');
    throw new Error('the client went away');
  };
  await expect(tables.append(table, '', { body: breaking() })).rejects.toThrow('the client went away');
  const controller = new AbortController();
  const endless = async function* (): AsyncGenerator<Uint8Array> {
    for (let i = 0; ; i += 1) {
      if (i === 2000) controller.abort(new Error('called off'));
      yield Buffer.from(`${i}\n`.repeat(100));
    }
  };
  await expect(tables.append(table, '', { body: endless(), signal: controller.signal })).rejects.toThrow('called off');
  expect(await tables.rows(table)).toEqual([]);
  expect(tables.database.poolState().waiting).toBe(0);
});

test('a session that ends while rows are sent to it is a lost connection, whether or not the sender waits for it', async () => {
  const table = await tables.create('ended', 'collection(record(a: int, s: string))');
  const count = 150_000;
  const rows = '{"a":1,"s":"some text of a row"}\n'.repeat(count);
  const copying = `FROM pg_stat_activity WHERE query LIKE 'COPY%' AND state = 'active' AND datname = current_database()`;
  const outcomes: unknown[] = [];
  const lost = (): readonly unknown[] => outcomes.filter((outcome) => outcome instanceof LostConnectionError);
  // The end of a session may come after the last row.
  for (let round = 0; round < 24 && lost().length < 8; round += 1) {
    const appended = tables.append(table, '', { body: pieces(rows, 65_536) });
    const outcome = appended.catch((thrown: unknown) => thrown);
    await eventually(async () => {
      const ended = await tables.database.session((client) => client.query(`SELECT pg_terminate_backend(pid) ${copying}`));
      expect(ended.rowCount).toBe(1);
    });
    outcomes.push(await outcome);
  }
  expect(lost()).toHaveLength(8);
  const stored = outcomes.filter((outcome) => !(outcome instanceof LostConnectionError));
  expect(stored).toEqual(stored.map(() => ({ kind: 'stored', rowCount: count })));
  expect(await tables.rows(table)).toHaveLength(stored.length * count);
});
