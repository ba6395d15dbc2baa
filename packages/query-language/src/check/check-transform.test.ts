import { parseProgram } from '../syntax/parse.ts';
import { checkTransform } from './check-transform.ts';
import { plainEnvironment, typeOrFaults, type Stored } from './testing/plain-environment.ts';

/** Returns the printed type of the rows, or the messages of the diagnostics. */
function rowTypeOf(text: string, stored: Stored = {}): string | readonly string[] {
  const { tree } = parseProgram(text);
  if (tree === null) throw new Error(`errors of syntax in: ${text}`);
  const { rowType, diagnostics } = checkTransform(tree, plainEnvironment(stored));
  return typeOrFaults(text, { type: rowType, diagnostics });
}

const PARAMETERS =
  'key: binary nullable, value: binary nullable, topic: string, partitionNo: int, offset: long, timestamp: timestamp, timestampType: int';
const SHORT = 'k: binary, v: binary nullable, t: string, p: int, o: long, ts: timestamp, tt: int';

test('a program that ends in a function of a message is a transform, whatever it calls the parameters', () => {
  expect(rowTypeOf(`\\(${SHORT}) -> (id: o, text: DECODE(v))`)).toBe('record(id: long, text: string nullable)');
});

test('so is a program whose only public declaration is such a function', () => {
  const text = `PRIVATE factor := 2; twice(n: long) := n * factor; PRIVATE half(n: long) := n / 2; ingest(${SHORT}) := (id: o)`;
  expect(rowTypeOf(text.replace('twice', 'PRIVATE twice'))).toBe('record(id: long)');
  expect(rowTypeOf(text)).toEqual([`1:184-1:184 a transform is a function of (${PARAMETERS}), found no function`]);
});

test('a result that may be NULL stores nothing for such messages', () => {
  expect(rowTypeOf(`\\(${SHORT}) -> CASE WHEN o > 5 THEN (id: o) END`)).toBe('record(id: long)');
});

test('what is no function of a message is refused with what was found', () => {
  expect(rowTypeOf('(a: 1)')).toEqual([`1:1-1:7 a transform is a function of (${PARAMETERS}), found record(a: int)`]);
  expect(rowTypeOf('\\(a: int) -> (a: a)')).toEqual([
    `1:1-1:20 a transform is a function of (${PARAMETERS}), found (a: int) -> record(a: int)`,
  ]);
});

test('each parameter of another type is named', () => {
  expect(rowTypeOf('\\(k: string, v: binary, t: string, p: long, o: long, ts: timestamp, tt: int) -> (a: 1)')).toEqual([
    '1:1-1:87 parameter 1 of a transform is of type binary nullable, found string',
    '1:1-1:87 parameter 4 of a transform is of type int, found long',
  ]);
});

test('the result is a record', () => {
  expect(rowTypeOf(`\\(${SHORT}) -> o`)).toEqual(['1:1-1:90 the result of a transform is a record, found long']);
});

test('all that is wrong within is reported', () => {
  expect(rowTypeOf(`\\(${SHORT}) -> (a: nosuch, b: nope)`)).toHaveLength(2);
});

test('packages may be imported', () => {
  const packages = { geo: 'scale(n: long) := n * 10;' };
  expect(rowTypeOf(`FROM geo IMPORT scale; \\(${SHORT}) -> (id: scale(o))`, { packages })).toBe('record(id: long)');
});
