import type { RecordShape, Scalar, Shape } from '../values/shape.ts';
import type { Generator, Maker } from './generator.ts';
import { pick } from './generator.ts';
import { recordShape, scalarShape } from './literal.ts';

/** Source types with a cast to each type. */
const CASTS: Readonly<Partial<Record<Scalar, readonly Scalar[]>>> = {
  byte: ['int', 'long', 'double', 'string'],
  short: ['int', 'long', 'string', 'float'],
  int: ['long', 'double', 'string', 'decimal', 'float', 'bool'],
  long: ['double', 'string', 'decimal', 'float'],
  float: ['int', 'long', 'double', 'decimal'],
  bool: ['int', 'long'],
  string: ['int', 'bool', 'long', 'decimal', 'date', 'time', 'timestamp'],
  decimal: ['int', 'short'],
  double: ['decimal', 'int', 'long', 'float'],
};

/** A type that is cast to another one: fields by name, in any order, with some more and some less. */
function castable(g: Generator, shape: Shape): Shape {
  if (shape === 'unknown') return shape;
  if (typeof shape === 'string') {
    const from = CASTS[shape] ?? [];
    return from.length > 0 && g.tape.chance(40) ? pick(g, from) : shape;
  }
  if (shape.kind === 'collection') return { kind: 'collection', element: castable(g, shape.element) };
  const fields = shape.fields.map(({ name, shape: inner }) => ({ name, shape: castable(g, inner) }));
  const kept = fields.length > 1 && g.tape.chance(25) ? fields.slice(1) : fields;
  const isPositional = fields.some(({ name }) => name.startsWith('_'));
  if (isPositional) return { kind: 'record', fields };
  const isFree = fields.every(({ name }) => name !== 'zz');
  const more = isFree && g.tape.chance(30) ? [...kept, { name: 'zz', shape: scalarShape(g) }] : kept;
  return { kind: 'record', fields: g.tape.chance(40) ? more.toReversed() : more };
}

/** CAST and TRY_CAST. */
export const castOf: Maker = (g, shape, scope, depth) => {
  const operand = g.expression(castable(g, shape), scope, depth);
  return { kind: 'cast', shape, operand, isTry: g.tape.chance(30) };
};

/** Generates a value converted by way of JSON or `any`, of which a field may be taken. */
export const tripOf: Maker = (g, shape, scope, depth) => {
  const through = pick(g, ['json', 'any'] as const);
  if (through === 'json' || g.tape.chance(40))
    return { kind: 'trip', shape, through, operand: g.expression(shape, scope, depth), field: null };
  const others = (recordShape(g, 1) as RecordShape).fields.filter(({ name }) => name !== 'c' && !name.startsWith('_'));
  const record: RecordShape = { kind: 'record', fields: [...others, { name: 'c', shape }] };
  const operand = g.expression(record, scope, depth);
  return { kind: 'trip', shape, through, operand, field: { name: 'c', index: others.length } };
};

/** `TO_JSON(value)` */
export const jsonOf: Maker = (g, shape, scope, depth) => {
  const of = g.tape.chance(50) ? recordShape(g, 1) : scalarShape(g);
  return { kind: 'call', shape, name: 'TO_JSON', arguments: [g.expression(of, scope, depth)] };
};
