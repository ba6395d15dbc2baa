import type { Term } from '../program/term.ts';
import type { CollectionShape, RecordShape, Scalar, Shape } from '../values/shape.ts';
import { intervalOf } from '../values/temporal.ts';
import type { Maker } from './generator.ts';
import { pick } from './generator.ts';
import { recordShape, scalarShape } from './literal.ts';
import type { Written } from './numbers.ts';
import { callOf, wholeLiteral } from './numbers.ts';
import { selectOf } from './select.ts';

const collection = (element: Shape): CollectionShape => ({ kind: 'collection', element });

/** Generates a function that returns a collection. */
export const collectionCall: Maker = (g, shape, scope, depth) => {
  const { element } = shape as CollectionShape;
  const own = OF_ELEMENT.filter(({ suits }) => suits(element));
  if (own.length > 0 && g.tape.chance(40)) return pick(g, own).make(g, shape, scope, depth);
  const [name, args] = pick<Written>(g, [
    ['REVERSE', [shape]],
    ['TAKE', [shape, 'int']],
    ['DROP', [shape, 'int']],
    ['FLATTEN', [collection(shape)]],
    ['DISTINCT', [shape]],
    ['SORT', [shape]],
  ]);
  return callOf(g, shape, [name, args], scope, depth);
};

interface OfElement {
  readonly suits: (element: Shape) => boolean;
  readonly make: Maker;
}

const isPositional = (element: Shape): element is RecordShape =>
  typeof element === 'object' && element.kind === 'record' && element.fields.every(({ name }, i) => name === `_${i + 1}`);

/** RANGE up to a small number. */
const range: Maker = (g, shape, scope, depth) => {
  const small = (): Term =>
    g.tape.chance(50)
      ? wholeLiteral(g, 3n, 0n, 5n, -2n)
      : { kind: 'binary', shape: 'int', operator: '%', left: g.expression('int', scope, depth), right: wholeLiteral(g, 5n, 3n) };
  const step = g.tape.chance(40) ? [wholeLiteral(g, 2n, 1n, -1n, 3n)] : [];
  return { kind: 'call', shape, name: 'RANGE', arguments: [small(), small(), ...step] };
};

const zipped: Maker = (g, shape, scope, depth) => {
  const { fields } = (shape as CollectionShape).element as RecordShape;
  const parts = fields.map((field) => collection(field.shape));
  return callOf(g, shape, ['ZIP', parts], { ...scope, window: null }, depth);
};

const moments: Maker = (g, shape, scope, depth) => {
  const from = g.expression('timestamp', scope, depth);
  const interval = (...texts: readonly string[]): Term => ({ kind: 'literal', shape: 'interval', value: intervalOf(pick(g, texts)) });
  const to: Term = { kind: 'binary', shape: 'timestamp', operator: '+', left: from, right: interval('P3D', 'P1M', 'P2M1D', 'PT0S') };
  return { kind: 'call', shape, name: 'TIMESTAMP_RANGE', arguments: [from, to, interval('P1D', 'PT36H', 'P1M')] };
};

const names: Maker = (g, shape, scope, depth) => callOf(g, shape, ['FIELDS', [recordShape(g, 1)]], scope, depth);

/** `ENTRIES(record).value` of a record of values of one type. */
const entries: Maker = (g, shape, scope, depth) => {
  const { element } = shape as CollectionShape;
  const record: Shape = {
    kind: 'record',
    fields: ['a', 'b', 'c'].slice(0, 1 + g.tape.choose(3)).map((name) => ({ name, shape: element })),
  };
  const entry: Shape = {
    kind: 'record',
    fields: [
      { name: 'key', shape: 'string' },
      { name: 'value', shape: element },
    ],
  };
  const target = callOf(g, collection(entry), ['ENTRIES', [record]], scope, depth);
  return { kind: 'field', shape, target, index: 1, name: 'value', isBare: false };
};

const OF_ELEMENT: readonly OfElement[] = [
  { suits: (element) => element === 'long', make: range },
  { suits: (element) => element === 'timestamp', make: moments },
  { suits: (element) => element === 'string', make: names },
  { suits: isPositional, make: zipped },
  { suits: (element) => typeof element === 'string' && element !== 'unknown', make: entries },
];

/** `CONTAINS(collection, element)` */
export const contains: Maker = (g, shape, scope, depth) => {
  const element = g.tape.chance(20) ? recordShape(g, 1) : scalarShape(g);
  return callOf(g, shape, ['CONTAINS', [collection(element), element]], scope, depth);
};

/** Generates an aggregate of the elements of a SELECT; null if none has the type. */
export const aggregateOfSelect: Maker = (g, shape, scope, depth) => {
  const extremes: readonly (readonly [string, Shape])[] = [
    ['MIN', shape],
    ['MAX', shape],
    ['MODE', shape],
  ];
  const [name, element] = pick(g, [...(typeof shape === 'string' ? (OVER_ELEMENTS[shape as Scalar] ?? []) : []), ...extremes]);
  // Its FROM is that of another query: windows of the enclosing SELECT are not allowed in it.
  return { kind: 'call', shape, name, arguments: [selectOf(g, element, { ...scope, window: null }, depth)] };
};

const OVER_ELEMENTS: Readonly<Partial<Record<Scalar, readonly (readonly [string, Shape])[]>>> = {
  long: [
    ['COUNT', 'string'],
    ['SUM', 'int'],
    ['COUNT_DISTINCT', 'int'],
  ],
  double: [
    ['AVG', 'int'],
    ['MEDIAN', 'double'],
    ['STDDEV', 'double'],
    ['SUM', 'double'],
  ],
  decimal: [
    ['SUM', 'decimal'],
    ['AVG', 'decimal'],
  ],
  interval: [
    ['SUM', 'interval'],
    ['AVG', 'interval'],
  ],
  bool: [
    ['BOOL_AND', 'bool'],
    ['BOOL_OR', 'bool'],
  ],
};
