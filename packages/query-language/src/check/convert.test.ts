import type { Plan } from '../plan/plan.ts';
import { parseType } from '../types/parse.ts';
import { printType } from '../types/types.ts';
import type { Type } from '../types/type.ts';
import { convertTo, retyped } from './convert.ts';

const span = { start: 0, end: 1 };

function typeOf(text: string): Type {
  const parsed = parseType(text);
  if ('type' in parsed) return parsed.type;
  throw new Error(`no type: ${text}`);
}

const variable = (type: string): Plan => ({ kind: 'Variable', type: typeOf(type), span, id: 1 });
const constant = (type: string, value: string | null): Plan => ({ kind: 'Constant', type: typeOf(type), span, value });

/** Returns the kind and type of the converted plan. */
function converted(plan: Plan, type: string): string {
  const result = convertTo(plan, typeOf(type));
  return `${result.kind} ${printType(result.type)}`;
}

test.each([
  ['int', 'int nullable'],
  ['any', 'any nullable'],
  ['collection(int)', 'collection(int nullable)'],
  ['collection(collection(int))', 'collection(collection(int nullable)) nullable'],
  ['record(a: int, b: collection(any))', 'record(a: int nullable, b: collection(any nullable))'],
])('a value of %s is one of %s as it is', (from, to) => {
  expect(converted(variable(from), to)).toBe(`Variable ${to.replace(/ nullable$/, '')}${to.endsWith(' nullable') ? ' nullable' : ''}`);
});

test.each([
  ['int', 'long'],
  ['date', 'timestamp'],
  ['int', 'any'],
  ['collection(int)', 'any'],
  ['collection(int)', 'collection(long)'],
  ['collection(int)', 'collection(any)'],
  ['record(a: int)', 'record(a: long)'],
  ['record(a: int, b: int)', 'record(a: int, b: any)'],
  ['collection(record(a: int))', 'collection(record(a: long))'],
])('a value of %s is made one of %s', (from, to) => {
  expect(converted(variable(from), to)).toBe(`Convert ${to}`);
  expect(converted(variable(`${from} nullable`), to)).toBe(`Convert ${to} nullable`);
});

test.each([
  ['int', 'long'],
  ['int', 'decimal'],
  ['long', 'double'],
  ['decimal', 'double'],
])('the text of a constant of %s is one of %s', (from, to) => {
  expect(converted(constant(from, '1'), to)).toBe(`Constant ${to}`);
});

test.each([
  ['float', 'double'],
  ['date', 'timestamp'],
  ['int', 'any'],
])('a constant of %s is made one of %s when it runs', (from, to) => {
  expect(converted(constant(from, '1'), to)).toBe(`Convert ${to}`);
});

test('NULL is one of each type', () => {
  expect(converted(constant('int nullable', null), 'collection(date)')).toBe('Constant collection(date) nullable');
});

test('the elements of a literal are made what the elements of its type are', () => {
  const literal: Plan = {
    kind: 'CollectionLiteral',
    type: typeOf('collection(int)'),
    span,
    elements: [variable('int'), constant('int', '1')],
  };
  const result = convertTo(literal, typeOf('collection(long)'));
  expect(result.kind === 'CollectionLiteral' && result.elements.map(({ kind, type }) => `${kind} ${printType(type)}`)).toEqual([
    'Convert long',
    'Constant long',
  ]);
  expect(converted(literal, 'any')).toBe('Convert any');
});

test('what has its type already is the same plan', () => {
  const plan = variable('collection(int)');
  expect([convertTo(plan, typeOf('collection(int)')), retyped(plan, typeOf('collection(int)'))]).toEqual([plan, plan]);
  expect(printType(retyped(plan, typeOf('collection(int nullable)')).type)).toBe('collection(int nullable)');
});
