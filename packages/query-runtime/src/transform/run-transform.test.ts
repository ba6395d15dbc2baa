import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { CatalogReader } from '@svc/catalog';
import { isQueryFailure } from '@svc/errors';
import { createEnginePool, type EnginePool, type Message } from '@svc/query-engine';
import { printType } from '@svc/query-language';

import { compileTransform } from './compile-transform.ts';
import { runTransform } from './run-transform.ts';

const HEAD =
  '\\(key: binary nullable, value: binary, topic: string, partitionNo: int, offset: long, timestamp: timestamp, timestampType: int) -> ';
const ORDER = `${HEAD} PARSE_JSON(DECODE(value) AS record(id: long, price: double)) ++ (part: partitionNo, seen: timestamp)`;

let engine: EnginePool;
let spool: string;

beforeAll(async () => {
  spool = await realpath(await mkdtemp(join(tmpdir(), 'svc-transform-')));
  engine = createEnginePool({ memoryMegabytes: 256, threads: 2, concurrency: 2, spoolDirectory: spool, spoolMegabytes: 50, readRoots: [] });
});

afterAll(async () => {
  await engine.close();
  await rm(spool, { recursive: true, force: true });
});

const STORED: Pick<CatalogReader, 'answer'> = {
  answer: async (_, needs) => ({
    version: 1,
    names: new Map(
      needs.filter(({ kind }) => kind === 'name').map(({ key }) => [key, { kind: 'view', name: 'films', text: '[1]', type: null }]),
    ),
    packages: new Map(needs.map(({ key }) => [key, { kind: 'package', name: 'tax', text: 'gross(n: double) := n * 1.5e0;' }])),
    tables: new Map(),
  }),
};

const SIGNAL = new AbortController().signal;
const WORLD = { namespace: 'tests', catalog: STORED, signal: SIGNAL };

/** Returns messages with these texts as values. Null is a message without a value. */
function messagesOf(...values: readonly (string | null)[]): readonly Message[] {
  return values.map((value, i) => ({
    key: i % 2 === 0 ? null : Buffer.from('k'),
    value: value === null ? null : Buffer.from(value),
    topic: 'orders',
    partition: 3,
    offset: 100n + BigInt(i),
    timestampMillis: 1_700_000_000_123,
    timestampType: 0,
  }));
}

/** Returns the outcome of each message as text. */
async function outcomes(
  text: string,
  messages: readonly Message[],
  { timeoutMillis = 10_000, isNoted = true } = {},
): Promise<readonly string[]> {
  const compiled = await compileTransform(WORLD, text);
  const transform = isNoted ? compiled : { ...compiled, noted: null };
  const found: string[] = messages.map(() => 'unheard of');
  const run = {
    form: 'json' as const,
    engine,
    transform,
    caller: { subject: 'ann', namespace: 'tests', scopes: [] },
    now: new Date(0),
    timeoutMillis,
    signal: SIGNAL,
  };
  await runTransform(run, messages, {
    row: (index, bytes, start, end) => void (found[index] = bytes.toString('utf8', start, end)),
    nothing: (index) => void (found[index] = 'nothing'),
    bad: (index, { message, positions: [at] }) =>
      void (found[index] = `bad: ${message}${at === undefined ? '' : ` at ${at.begin.line}:${at.begin.column}`}`),
  });
  return found;
}

async function faultsOf(text: string): Promise<readonly string[]> {
  try {
    const { rowType } = await compileTransform(WORLD, text);
    return [printType(rowType)];
  } catch (thrown) {
    if (isQueryFailure(thrown)) return thrown.validationErrors.map(({ message }) => message);
    throw thrown;
  }
}

test('each message becomes its row, in order', async () => {
  expect(await outcomes(ORDER, messagesOf('{"id":1,"price":2.5}', '{"id":2,"price":3}'))).toEqual([
    '{"id":1,"price":2.5,"part":3,"seen":"2023-11-14T22:13:20.123"}',
    '{"id":2,"price":3.0,"part":3,"seen":"2023-11-14T22:13:20.123"}',
  ]);
});

test('a message that the transform fails for is bad with reason and place, and costs no other', async () => {
  const found = await outcomes(ORDER, messagesOf('{"id":1,"price":2.5}', 'oops', '{"id":"x","price":1}', null, '{"id":4,"price":1}'));
  expect(found.map((text) => text.split(',')[0])).toEqual([
    '{"id":1',
    expect.stringMatching(/^bad: .* at 1:\d+$/),
    expect.stringMatching(/^bad: .* at 1:\d+$/),
    'bad: the message has no value',
    '{"id":4',
  ]);
});

test('a result of NULL is no row', async () => {
  const text = `${HEAD} CASE WHEN offset = 101 THEN (at: offset) END`;
  expect(await outcomes(text, messagesOf('a', 'b', 'c'))).toEqual(['nothing', '{"at":101}', 'nothing']);
});

test('NaN and the infinities are words, and NULL stays null', async () => {
  const text = `${HEAD} (d: CAST(DECODE(value) AS double nullable), f: CAST(DECODE(value) AS float nullable), list: [CAST(DECODE(value) AS double nullable)])`;
  const found = await outcomes(
    text.replaceAll('DECODE(value)', 'NULLIF(DECODE(value), "")'),
    messagesOf('NaN', 'Infinity', '-Infinity', '1.5', ''),
  );
  const row = (word: string): string => `{"d":${word},"f":${word},"list":[${word}]}`;
  expect(found).toEqual(['"NaN"', '"Infinity"', '"-Infinity"', '1.5', 'null'].map(row));
});

test('a message that the transform fails for is bad also where a result of NULL is no row', async () => {
  const parsed = 'PARSE_JSON(DECODE(value) AS record(id: long, price: string))';
  const text = `${HEAD} CASE WHEN offset <> 102 THEN (id: ${parsed}.id, price: CAST(${parsed}.price AS double)) END`;
  const found = await outcomes(text, messagesOf('{"id":1,"price":"2.5"}', '{"id":2,"price":"free"}', 'x'));
  expect(found).toEqual(['{"id":1,"price":2.5}', expect.stringMatching(/^bad: cannot cast 'free' to double at 1:\d+$/), 'nothing']);
});

test('what TRY cannot hold is bisected', async () => {
  const text = `${HEAD} (n: (SELECT COUNT(*) FROM RANGE(0, CAST(DECODE(value) AS int)) r))`;
  const transform = await compileTransform(WORLD, text);
  const found = await outcomes(text, messagesOf('1', 'x', '3', '4', 'y'));
  expect({ isTried: transform.tried !== null, found }).toEqual({
    isTried: expect.any(Boolean),
    found: [
      '{"n":1}',
      expect.stringContaining("cannot cast 'x' to int"),
      '{"n":3}',
      '{"n":4}',
      expect.stringContaining("cannot cast 'y' to int"),
    ],
  });
});

test('a message that takes too long is bad, and the others go on', async () => {
  const text = `${HEAD} (n: (SELECT COUNT(*) FROM RANGE(0, CAST(DECODE(value) AS int)) a, RANGE(0, CAST(DECODE(value) AS int)) b WHERE a * b % 7 = 3))`;
  const found = await outcomes(text, messagesOf('2', '90000', '3'), { timeoutMillis: 1500 });
  expect(found).toEqual(['{"n":0}', 'bad: it took longer than 1500 ms', '{"n":0}']);
}, 120_000);

test('a message that takes too much memory is bad, and the others go on', async () => {
  const text = `${HEAD} (n: (SELECT REPLICATE("x", 9000) FROM RANGE(0, CAST(DECODE(value) AS int)) r))`;
  expect(await outcomes(text, messagesOf('0', '90000', '0'))).toEqual(['{"n":[]}', expect.stringMatching(/^bad: .*memory/), '{"n":[]}']);
});

test('thousands of messages, many of them bad, are told apart', async () => {
  const values = Array.from({ length: 3000 }, (_, i) => (i % 3 === 0 ? `no json ${i}` : `{"id":${i},"price":1}`));
  const found = await outcomes(ORDER, messagesOf(...values));
  expect(found.filter((text) => text.startsWith('bad: '))).toHaveLength(1000);
  expect(found.every((text, i) => text.startsWith(i % 3 === 0 ? 'bad: ' : `{"id":${i},`))).toBe(true);
});

/** Transforms of a text, with texts of which some fail. */
const FAILING: readonly (readonly [transform: string, ...texts: readonly string[]])[] = [
  ...['byte', 'short', 'int', 'long', 'float', 'double', 'decimal', 'bool'].map(
    (type) => [`CAST(s AS ${type})`, '1', 'x', '', '1.5'] as const,
  ),
  ...['date', 'time', 'timestamp', 'interval'].map((type) => [`CAST(s AS ${type})`, '2024-01-02', '10:00', 'P1D', 'x'] as const),
  [
    'PARSE_JSON(s AS record(a: int, b: string nullable, c: collection(date)))',
    '{"a":1,"c":[]}',
    '{"a":"x"}',
    '{"a":1,"c":["x"]}',
    '[',
    '1',
  ],
  ['CASE WHEN s = "x" THEN 0 ELSE CAST(s AS int) END', '1', 'x', 'y'],
  ['s = "x" OR CAST(s AS int) > 1', '1', 'x', 'y'],
  ['TRY(CAST(s AS int))', '1', 'x'],
  ['TRY_CAST(s AS int) + CAST(s AS int)', '1', 'x'],
  ['COALESCE(TRY(PARSE_JSON(s AS record(a: int))).a, CAST(s AS int))', '{"a":1}', '2', 'x'],
  ['CASE WHEN s LIKE "e%" THEN ERROR(s) ELSE s END', 'e1', 'f', 'e2'],
  ['CAST(s AS long) * 9000000000000000000', '1', '2', 'x', '3'],
  ['10 / CAST(s AS int)', '1', '0', 'x'],
  ['(SELECT CAST(p AS int) FROM SPLIT(s, ",") p)', '1,2', '1,x', ''],
  ['CAST(PARSE_JSON(s) AS record(a: collection(int)))', '{"a":[1]}', '{"a":["x"]}', '{}', '{'],
  ['LENGTH(DECODE(FROM_BASE64(s)))', 'YQ==', '/w==', '!'],
];

test.each(FAILING)('%s notes what TRY finds, with the same reasons', async (value, ...texts) => {
  const text = `${HEAD} { s := DECODE(value); (n: ${value}, at: offset) }`;
  const noted = await outcomes(text, messagesOf(...texts));
  expect(noted).toEqual(await outcomes(text, messagesOf(...texts), { isNoted: false }));
  expect(noted.some((outcome) => !outcome.startsWith('bad'))).toBe(true);
});

test('each of many bad messages has its reason', async () => {
  const values = Array.from({ length: 5000 }, (_, i) => (i % 10 === 0 ? `{"id":"no ${i}","price":1}` : `{"id":${i},"price":1}`));
  const bad = (await outcomes(ORDER, messagesOf(...values))).filter((text) => text.startsWith('bad: '));
  expect(bad).toEqual(Array.from({ length: 500 }, (_, i) => `bad: $.id: expected long but got "no ${i * 10}" at 1:${HEAD.length + 2}`));
});

test('packages are used, and everything else that is stored or read is refused', async () => {
  expect(await outcomes(`FROM tax IMPORT gross; ${HEAD} (g: gross(2))`, messagesOf('a'))).toEqual(['{"g":3.0}']);
  expect(await faultsOf(`${HEAD} (n: COUNT(films))`)).toEqual([
    'a transform reads nothing but its message: the view films cannot be used in it',
  ]);
  expect(await faultsOf(`${HEAD} (n: TRY_READ_TEXT("a.txt"))`)).toEqual([
    expect.stringContaining('a transform reads nothing but its message'),
  ]);
  expect(await faultsOf(`${HEAD} (n: nosuch, m: 1 + "a")`)).not.toHaveLength(0);
});
