import { printType } from '@svc/query-language';

import { AvroBytes } from './avro-bytes.ts';
import { avroShape } from './avro-schema.ts';
import { JsonLines } from '../json-lines.ts';

type Part = number | string;
const bytes = (parts: readonly Part[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))));

function read(schema: unknown, ...parts: readonly Part[]): string {
  const lines = new JsonLines();
  avroShape(schema).write(new AvroBytes(bytes(parts)), lines);
  lines.endLine();
  return Buffer.from(lines.take()).toString().slice(0, -1);
}

const record = (name: string, ...fields: readonly unknown[]): unknown => ({
  type: 'record',
  name,
  fields: fields.map((type, i) => ({ name: `f${i}`, type })),
});
const arrayOf = (items: unknown): unknown => ({ type: 'array', items });
const FF = 0xff;

test.each([
  ['a small long', 'long', [1], '-1'],
  ['a long of seven bytes', 'long', [FF, FF, FF, FF, FF, FF, 0x7f], '-281474976710656'],
  ['the largest long', 'long', [0xfe, FF, FF, FF, FF, FF, FF, FF, FF, 1], '9223372036854775807'],
  ['the smallest long', 'long', [FF, FF, FF, FF, FF, FF, FF, FF, FF, 1], '-9223372036854775808'],
  ['a text beside ASCII', 'string', [4, 'é'], '"é"'],
  ['the sign for what cannot be read, as it is written', 'string', [6, '\uFFFD'], '"\uFFFD"'],
  ['an array in two parts, one with its size', arrayOf('int'), [4, 2, 4, 1, 2, 6, 0], '[1,2,3]'],
  ['an empty array', arrayOf('int'), [0], '[]'],
  ['a record in a record', record('a', record('b', 'int'), 'null'), [2], '{"f0":{"f0":1},"f1":null}'],
  ['a branch of a union', ['null', 'int', 'string'], [4, 2, 'x'], '"x"'],
  [
    'a name of another namespace',
    record('x.A', { type: 'enum', name: 'E', symbols: ['s'] }, 'E', 'x.E'),
    [0, 0, 0],
    '{"f0":"s","f1":"s","f2":"s"}',
  ],
])('%s is read', (_, schema, parts, json) => {
  expect(read(schema, ...parts)).toBe(json);
});

test.each([
  ['a string that is cut off', 'string', [4, 'a'], 'it ends too early'],
  ['a string of a negative length', 'string', [3], 'a length cannot be read'],
  ['a string that is not UTF-8', 'string', [2, FF], 'a string is not UTF-8'],
  ['a number without end', 'long', [FF, FF, FF, FF, FF, FF, FF, FF, FF, FF, FF], 'a number cannot be read'],
  ['an int that is a long', 'int', [0x80, 0x80, 0x80, 0x80, 0x10], 'a number is no int'],
  ['a branch that is none', ['null', 'int'], [4], 'a value is none of its union'],
  ['a symbol that is none', { type: 'enum', name: 'e', symbols: ['a'] }, [2], 'a value is none of its enum'],
  ['a decimal of more bytes than any', { type: 'bytes', logicalType: 'decimal' }, [0x82, 1, 'x'.repeat(65)], 'a decimal has 65 bytes'],
  ['an array of 2^31 elements of no bytes', arrayOf('null'), [0x80, 0x80, 0x80, 0x80, 0x10], 'more than 16 MB in JSON'],
  ['an array of 2^31 empty records', arrayOf(record('r')), [0x80, 0x80, 0x80, 0x80, 0x10], 'more than 16 MB in JSON'],
])('%s is refused', (_, schema, parts, message) => {
  expect(() => read(schema, ...parts)).toThrow(message);
});

const doubling = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner, _, i) => record(`r${i}`, inner, i === 0 ? 'int' : `r${i - 1}`), 'int');
const nested = (depth: number): unknown => Array.from({ length: depth }).reduce<unknown>(arrayOf, 'int');

test.each([
  ['records that double forty times', doubling(40), 'the schema has more than 10000 parts'],
  ['arrays 101 deep', nested(101), 'the schema is nested more than 100 levels deep'],
  [
    'two fields of one name',
    { type: 'record', name: 'r', fields: ['a', 'a'].map((name) => ({ name, type: 'int' })) },
    "two fields of the schema's r have one name",
  ],
  ['a record without fields', { type: 'record', name: 'r' }, 'the schema of the file cannot be understood'],
  ['a field without a name', { type: 'record', name: 'r', fields: [null] }, 'the schema of the file cannot be understood'],
  ['an enum without symbols', { type: 'enum', name: 'r' }, 'the schema of the file cannot be understood'],
  ['a fixed of no size', { type: 'fixed', name: 'r' }, 'the schema of the file cannot be understood'],
  ['a decimal of a billion digits', { type: 'bytes', logicalType: 'decimal', scale: 1e9 }, 'the schema of the file cannot be understood'],
  ['a number', 5, 'the schema of the file cannot be understood'],
  ['a name of every object', 'constructor', 'the schema does not say what constructor is'],
])('a schema of %s is refused', (_, schema, message) => {
  expect(() => avroShape(schema)).toThrow(message);
});

test('a union is nullable where it has null, and any where it has more than one other', () => {
  const typeOf = (schema: unknown): string => printType(avroShape(schema).type);
  expect([['null', 'int'], ['int'], ['int', 'string'], ['null', 'int', 'string']].map(typeOf)).toEqual([
    'int nullable',
    'int',
    'any',
    'any nullable',
  ]);
});
