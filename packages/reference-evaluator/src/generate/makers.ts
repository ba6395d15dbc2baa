import type { Term } from '../program/term.ts';
import { SAMPLES } from '../values/samples.ts';
import type { CollectionShape, RecordShape, Scalar, Shape } from '../values/shape.ts';
import { jsonOf } from './casts.ts';
import { chain } from './chain.ts';
import { aggregateOfSelect, collectionCall, contains } from './collections.ts';
import { mappedByName } from './functions.ts';
import type { Generator, Maker } from './generator.ts';
import { pick } from './generator.ts';
import { lambdaCall } from './lambda.ts';
import { leaf, orNull } from './leaf.ts';
import { literalOf, randomShape, scalarShape } from './literal.ts';
import { callOf, numberCalls } from './numbers.ts';
import type { Scope } from './scope.ts';
import { selectOf } from './select.ts';
import type { Temporal } from './temporal.ts';
import { temporalOf } from './temporal.ts';
import { bytesCall, found, textCall, textsCall } from './text.ts';

/** Returns the generators for one type, in addition to those for all types. */
export function makersOf(shape: Shape): readonly Maker[] {
  if (shape === 'unknown') return [];
  if (shape === 'bool')
    return [
      comparison,
      logical,
      isNull,
      between,
      like,
      found,
      membership,
      exists,
      quantified,
      comparison,
      logical,
      membership,
      contains,
      asked,
      aggregateOfSelect,
    ];
  if (shape === 'binary') return [bytesCall, bytesCall, aggregateOfSelect];
  if (shape === 'string') return [concatenation, textCall, textCall, aggregateOfSelect, jsonOf];
  if (shape === 'date' || shape === 'time' || shape === 'timestamp' || shape === 'interval') return [temporal, temporal, aggregateOfSelect];
  if (typeof shape === 'string') return [arithmetic, arithmetic, numberCall, numberCall, aggregateOfSelect];
  if (shape.kind === 'record') return [recordOf, recordOf, appended, excluded, into];
  const ofTexts = shape.element === 'string' ? [textsCall, textsCall] : [];
  return [select, select, select, select, chain, concatenated, collectionCall, mapped, into, excluded, ...ofTexts];
}

const WIDTHS: readonly Scalar[] = ['byte', 'short', 'int', 'long', 'float', 'double'];

const EXACT: readonly Scalar[] = ['byte', 'short', 'int', 'decimal'];

const temporal: Maker = (g, shape, scope, depth) => temporalOf(g, shape as Temporal, (of) => g.expression(of, scope, depth));

const arithmetic: Maker = (g, shape, scope, depth) => {
  const operator = pick(g, ['+', '-', '*', '/', '%'] as const);
  const narrower = shape === 'decimal' ? pick(g, EXACT) : pick(g, WIDTHS.slice(0, WIDTHS.indexOf(shape as Scalar) + 1).toReversed());
  const sides = [g.expression(shape, scope, depth), orNull(g, g.expression(narrower, scope, depth))];
  if (g.tape.chance(30)) sides.reverse();
  const [left, right] = sides;
  if (left === undefined || right === undefined || g.tape.chance(12))
    return { kind: 'unary', shape, operator: '-', operand: g.expression(shape, scope, depth) };
  return { kind: 'binary', shape, operator, left, right };
};

const numberCall: Maker = (g, shape, scope, depth) => {
  return callOf(g, shape, pick(g, numberCalls(g, shape as Scalar)), scope, depth);
};

const concatenation: Maker = (g, shape, scope, depth) => {
  const other = pick(g, ['string', 'string', 'int', 'bool', 'long', 'string', 'decimal', 'date', 'time', 'timestamp'] as const);
  const sides = [g.expression('string', scope, depth), g.expression(other, scope, depth)];
  if (g.tape.chance(30)) sides.reverse();
  const [left, right] = sides;
  if (left === undefined || right === undefined) return leaf(g, shape, scope);
  return { kind: 'binary', shape, operator: pick(g, ['||', '+'] as const), left, right };
};

/** Two types with values that compare. */
function comparableShapes(g: Generator): readonly [Shape, Shape] {
  if (g.tape.chance(15)) {
    const shape = randomShape(g, 2);
    return [shape, shape];
  }
  const left = scalarShape(g);
  if (left === 'date' || left === 'timestamp') return [left, pick(g, ['date', 'timestamp'] as const)];
  return [left, WIDTHS.includes(left) ? pick(g, WIDTHS) : left === 'decimal' ? pick(g, EXACT) : left];
}

/** Replaces a date, time, timestamp or interval at random by a text that is parsed as one. */
function beside(g: Generator, shape: Shape, term: Term): Term {
  const isTemporal = shape === 'date' || shape === 'time' || shape === 'timestamp' || shape === 'interval';
  return isTemporal && g.tape.chance(35) ? { kind: 'literal', shape, value: pick(g, SAMPLES[shape]), isText: true } : term;
}

const comparison: Maker = (g, _, scope, depth) => {
  const [left, right] = comparableShapes(g);
  const operator = pick(g, ['=', '<', '<>', '<=', '>', '>=', '=', '<', 'IS DISTINCT FROM', 'IS NOT DISTINCT FROM'] as const);
  const sides = [g.expression(left, scope, depth), orNull(g, g.expression(right, scope, depth))] as const;
  return { kind: 'binary', shape: 'bool', operator, left: sides[0], right: beside(g, left, sides[1]) };
};

const logical: Maker = (g, _, scope, depth) => {
  if (g.tape.chance(20)) return { kind: 'unary', shape: 'bool', operator: 'NOT', operand: g.expression('bool', scope, depth) };
  const [left, right] = [g.expression('bool', scope, depth), orNull(g, g.expression('bool', scope, depth))];
  return { kind: 'binary', shape: 'bool', operator: pick(g, ['AND', 'OR'] as const), left, right };
};

const isNull: Maker = (g, _, scope, depth) => ({
  kind: 'is-null',
  shape: 'bool',
  isNegated: g.tape.chance(50),
  operand: g.expression(scalarShape(g), scope, depth),
});

const between: Maker = (g, _, scope, depth) => {
  const shape = scalarShape(g);
  const make = (): Term => g.expression(shape, scope, depth);
  return {
    kind: 'between',
    shape: 'bool',
    isNegated: g.tape.chance(30),
    operand: make(),
    low: beside(g, shape, make()),
    high: beside(g, shape, orNull(g, make())),
  };
};

const PATTERNS = ['a%', '%', '_', '%b', '', '_%', 'B%', '%é', 'a%b', '%%_'] as const;

const ESCAPED = ['!%', 'a!_', '%!!%', '_!b'] as const;

const like: Maker = (g, _, scope, depth) => {
  const isEscaped = g.tape.chance(20);
  const written: Term = { kind: 'literal', shape: 'string', value: pick(g, isEscaped ? ESCAPED : PATTERNS) };
  return {
    kind: 'like',
    shape: 'bool',
    isNegated: g.tape.chance(30),
    isOfAnyCase: g.tape.chance(30),
    operand: g.expression('string', scope, depth),
    pattern: isEscaped || g.tape.chance(70) ? written : orNull(g, g.expression('string', scope, depth)),
    escape: isEscaped ? '!' : null,
  };
};

const membership: Maker = (g, _, scope, depth) => {
  const [shape, other] = comparableShapes(g);
  const operand = g.expression(shape, scope, depth);
  const isNegated = g.tape.chance(30);
  if (g.tape.chance(50) || typeof shape === 'object')
    return { kind: 'in', shape: 'bool', isNegated, operand, right: g.expression({ kind: 'collection', element: other }, scope, depth) };
  const list = [g.expression(other, scope, depth), orNull(g, g.expression(other, scope, depth))].map((one) => beside(g, shape, one));
  return { kind: 'in', shape: 'bool', isNegated, operand, right: list };
};

const exists: Maker = (g, shape, scope, depth) =>
  callOf(g, shape, ['EXISTS', [{ kind: 'collection', element: randomShape(g, 1) }]], scope, depth);

/** ANY and ALL. */
const quantified: Maker = (g, shape, scope, depth) =>
  lambdaCall(g, { name: pick(g, ['ANY', 'ALL'] as const), shape, element: randomShape(g, 1) }, scope, depth);

/** TRANSFORM and FILTER. */
const mapped: Maker = (g, shape, scope, depth) => {
  const named = g.tape.chance(40) ? mappedByName(g, shape, scope, depth) : null;
  if (named !== null) return named;
  return g.tape.chance(50)
    ? lambdaCall(g, { name: 'FILTER', shape, element: (shape as CollectionShape).element }, scope, depth)
    : lambdaCall(g, { name: 'TRANSFORM', shape, element: randomShape(g, 1) }, scope, depth);
};

const recordOf: Maker = (g, shape, scope, depth) => {
  const { fields } = shape as RecordShape;
  return { kind: 'record', shape: shape as RecordShape, values: fields.map((field) => g.expression(field.shape, scope, depth)) };
};

/** `r1 ++ r2`, or `r1 +++ r2` if the right side replaces a field. */
const appended: Maker = (g, shape, scope, depth) => {
  const { fields } = shape as RecordShape;
  const at = 1 + g.tape.choose(Math.max(fields.length - 1, 1));
  const [head, tail] = [fields.slice(0, at), fields.slice(at)];
  const last = head.at(-1);
  if (last === undefined || tail.length === 0) return recordOf(g, shape, scope, depth);
  const make = (of: RecordShape['fields']): Term => g.expression({ kind: 'record', fields: of }, scope, depth);
  if (g.tape.chance(50)) return { kind: 'binary', shape, operator: '++', left: make(head), right: make(tail) };
  const replaced = [...head.slice(0, -1), { name: last.name, shape: scalarShape(g) }];
  return { kind: 'binary', shape, operator: '+++', left: make(replaced), right: make([last, ...tail]) };
};

/** `operand EXCLUDE (…)` of a record, or of each element of a collection. */
const excluded: Maker = (g, shape, scope, depth) => {
  const isCollection = typeof shape === 'object' && shape.kind === 'collection';
  const made = isCollection ? shape.element : shape;
  if (typeof made !== 'object' || made.kind !== 'record') return leaf(g, shape, scope);
  const { fields } = made;
  const at = g.tape.choose(fields.length + 1);
  const name = ['z', 'zz', 'zzz'].find((free) => fields.every((field) => field.name !== free));
  if (name === undefined) return literalOf(g, shape);
  const more: RecordShape = { kind: 'record', fields: [...fields.slice(0, at), { name, shape: scalarShape(g) }, ...fields.slice(at)] };
  const kept = more.fields.flatMap((_, i) => (i === at ? [] : [i]));
  // The operand is a query of its own, without the windows of the enclosing SELECT.
  const operand = isCollection
    ? g.expression({ kind: 'collection', element: more }, { ...scope, window: null }, depth)
    : g.expression(more, scope, depth);
  return { kind: 'exclude', shape: shape as RecordShape | CollectionShape, operand, excluded: [name], kept };
};

const into: Maker = (g, shape, scope, depth) => {
  const isCollection = typeof shape === 'object' && shape.kind === 'collection';
  const made = isCollection ? shape.element : shape;
  if (typeof made !== 'object' || made.kind !== 'record') return leaf(g, shape, scope);
  const row: RecordShape = {
    kind: 'record',
    fields: [
      { name: 'a', shape: scalarShape(g) },
      { name: 'e', shape: scalarShape(g) },
    ],
  };
  const operand = g.expression(isCollection ? { kind: 'collection', element: row } : row, { ...scope, window: null }, depth);
  const id = g.fresh();
  const target: Term = { kind: 'variable', id, name: '', shape: row };
  const fields = row.fields.map(({ name, shape: of }, index) => ({
    name,
    term: { kind: 'field', shape: of, target, index, name, isBare: true } satisfies Term,
  }));
  const inner: Scope = { ...scope, group: null, window: null, frames: [...scope.frames, { aliases: [], fields, blocked: [] }] };
  const values = made.fields.map((field) => g.expression(field.shape, inner, depth));
  return { kind: 'into', shape: shape as RecordShape | CollectionShape, operand, id, record: { kind: 'record', shape: made, values } };
};

const select: Maker = (g, shape, scope, depth) => selectOf(g, (shape as CollectionShape).element, scope, depth);

const concatenated: Maker = (g, shape, scope, depth) => {
  const empty: Term = { kind: 'collection', shape: { kind: 'collection', element: 'unknown' }, elements: [] };
  const [left, right] = [g.expression(shape, scope, depth), g.tape.chance(20) ? empty : g.expression(shape, scope, depth)];
  return g.tape.chance(70)
    ? { kind: 'binary', shape, operator: '++', left, right }
    : { kind: 'if', shape, condition: g.expression('bool', scope, depth), consequent: left, alternate: right };
};

const asked: Maker = (g, shape, scope, depth) => callOf(g, shape, ['IS_NAN', [pick(g, ['double', 'int'] as const)]], scope, depth);
