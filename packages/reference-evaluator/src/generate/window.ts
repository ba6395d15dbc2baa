import type { FrameEdge, Literal, Order, Term, Window, WindowFrame } from '../program/term.ts';
import { decimalOf } from '../values/decimal.ts';
import type { Scalar, Shape } from '../values/shape.ts';
import { intervalOf } from '../values/temporal.ts';
import { aggregateOf, orderOf, rowValue } from './aggregate.ts';
import type { Generator } from './generator.ts';
import { pick } from './generator.ts';
import { scalarShape } from './literal.ts';
import type { Scope } from './scope.ts';
import { referencesIn } from './scope.ts';

interface Choice {
  readonly name: Window['name'];
  readonly argument: Shape | null;
}

const BY_TYPE: Readonly<Partial<Record<Scalar, readonly Choice[]>>> = {
  long: [
    { name: 'ROW_NUMBER', argument: null },
    { name: 'RANK', argument: null },
    { name: 'DENSE_RANK', argument: null },
    { name: 'NTILE', argument: null },
    { name: 'COUNT', argument: null },
    { name: 'COUNT', argument: 'string' },
    { name: 'SUM', argument: 'int' },
    { name: 'COUNT_DISTINCT', argument: 'string' },
  ],
  double: [
    { name: 'PERCENT_RANK', argument: null },
    { name: 'CUME_DIST', argument: null },
    { name: 'SUM', argument: 'double' },
    { name: 'AVG', argument: 'int' },
    { name: 'MEDIAN', argument: 'double' },
    { name: 'STDDEV', argument: 'int' },
  ],
  bool: [
    { name: 'BOOL_AND', argument: 'bool' },
    { name: 'BOOL_OR', argument: 'bool' },
  ],
  decimal: [
    { name: 'SUM', argument: 'decimal' },
    { name: 'AVG', argument: 'decimal' },
  ],
  interval: [
    { name: 'SUM', argument: 'interval' },
    { name: 'AVG', argument: 'interval' },
  ],
};

const AGGREGATES: readonly Window['name'][] = [
  'COUNT',
  'SUM',
  'AVG',
  'MIN',
  'MAX',
  'MEDIAN',
  'STDDEV',
  'MODE',
  'BOOL_AND',
  'BOOL_OR',
  'COUNT_DISTINCT',
];

/** Functions of a value of any type: those that take IGNORE NULLS. */
const OF_ANY: readonly Window['name'][] = ['LAG', 'LEAD', 'FIRST_VALUE', 'LAST_VALUE', 'NTH_VALUE'];

/** Functions of a frame; a mean of doubles shows the order of the rows in which it is computed. */
const FRAMED: readonly Window['name'][] = [...AGGREGATES.filter((name) => name !== 'AVG'), 'FIRST_VALUE', 'LAST_VALUE', 'NTH_VALUE'];

/** A window function of the SELECT around that has a type. */
export function windowOf(generator: Generator, shape: Shape, at: NonNullable<Scope['window']>, depth: number): Term {
  const ofAny = OF_ANY.map((name): Choice => ({ name, argument: shape }));
  const extremes = typeof shape === 'string' ? (['MIN', 'MAX', 'MODE'] as const).map((name): Choice => ({ name, argument: shape })) : [];
  const own = typeof shape === 'string' && shape !== 'unknown' ? (BY_TYPE[shape] ?? []) : [];
  const { name, argument } = pick(generator, [...own, ...own, ...extremes, ...ofAny]);
  const partitionBy = generator.tape.chance(40) ? [orderOf(generator, at.rows).value] : [];
  const order = (): Order => ({ ...orderOf(generator, at.rows), ...aggregateKey(generator, at.rows) });
  const isOrdered = name !== 'MODE' && (argument === null || generator.tape.chance(70) || !AGGREGATES.includes(name));
  const isFramed = isOrdered && FRAMED.includes(name) && generator.tape.chance(25);
  const range = isFramed && generator.tape.chance(40) ? rangeOf(generator, at.rows) : null;
  const ignoresNulls = OF_ANY.includes(name) && generator.tape.chance(20);
  return {
    kind: 'window',
    shape,
    select: at.select,
    name,
    argument: argument === null ? null : rowValue(generator, argument, at.rows, Math.min(depth, 2)),
    offset: offsetOf(generator, name, ignoresNulls),
    ignoresNulls,
    partitionBy,
    orderBy: range !== null ? [range.key] : isOrdered ? [order(), ...(generator.tape.chance(50) ? [order()] : [])] : [],
    frame: range !== null ? range.frame : isFramed ? frameOf(generator) : null,
    declaredAs: at.canDeclare && generator.tape.chance(15) ? `w${generator.fresh()}` : null,
  };
}

/** Generates the number of buckets of NTILE, the distance of LAG and LEAD, or the place of NTH_VALUE. */
function offsetOf(generator: Generator, name: Window['name'], ignoresNulls: boolean): number | null {
  if (name === 'NTILE' || name === 'NTH_VALUE') return pick(generator, [2, 1, 3]);
  if ((name !== 'LAG' && name !== 'LEAD') || !generator.tape.chance(40)) return null;
  return pick(generator, ignoresNulls ? [2, 1] : [2, 1, 0]);
}

const UNBOUNDED = { start: { side: 'PRECEDING', offset: null }, end: { side: 'FOLLOWING', offset: null } } as const;

const CURRENT_ROW: FrameEdge = { side: 'CURRENT ROW', offset: null };

/** Generates a frame of rows, or of RANGE without offsets. */
function frameOf(generator: Generator): WindowFrame {
  if (generator.tape.chance(25)) return { ...pick(generator, [{ ...UNBOUNDED, start: CURRENT_ROW }, UNBOUNDED]), unit: 'RANGE' };
  const count = (): Literal => ({ kind: 'literal', shape: 'int', value: pick(generator, [1n, 0n, 2n]) });
  return { unit: 'ROWS', ...edgesOf(generator, count) };
}

/** Generates a frame whose edges are in order. */
function edgesOf(generator: Generator, offset: () => Literal): Pick<WindowFrame, 'start' | 'end'> {
  const [before, after] = [
    (): FrameEdge => ({ side: 'PRECEDING', offset: offset() }),
    (): FrameEdge => ({ side: 'FOLLOWING', offset: offset() }),
  ];
  const current = (): FrameEdge => CURRENT_ROW;
  const [first, last] = [(): FrameEdge => UNBOUNDED.start, (): FrameEdge => UNBOUNDED.end];
  const [start, end] = pick(generator, [
    [before, current],
    [before, after],
    [current, after],
    [before, before],
    [after, after],
    [first, before],
    [first, after],
    [before, last],
    [after, last],
  ] as const);
  return { start: start(), end: end() };
}

const OFFSETS: Readonly<Partial<Record<Scalar, readonly Literal[]>>> = {
  int: [1n, 0n, 2n].map((value) => ({ kind: 'literal', shape: 'int', value })),
  long: [1n, 5n, 15n].map((value) => ({ kind: 'literal', shape: 'int', value })),
  double: [1, 0.5, 3].map((value) => ({ kind: 'literal', shape: 'double', value })),
  decimal: ['1', '1.75', '0'].map((text) => ({ kind: 'literal', shape: 'decimal', value: decimalOf(text) })),
  date: ['P1D', 'P1M', 'P400D'].map((text) => ({ kind: 'literal', shape: 'interval', value: intervalOf(text) })),
  timestamp: ['P1D', 'PT24H', 'P1Y'].map((text) => ({ kind: 'literal', shape: 'interval', value: intervalOf(text) })),
};

/** Generates a frame of RANGE with offsets, and the only key of its order; null if no field can be the key. */
function rangeOf(generator: Generator, rows: Scope): { readonly key: Order; readonly frame: WindowFrame } | null {
  const fields = referencesIn(rows).filter(({ shape }) => typeof shape === 'string' && OFFSETS[shape as Scalar] !== undefined);
  if (fields.length === 0) return null;
  const value = pick(generator, fields);
  const offsets = OFFSETS[value.shape as Scalar] ?? [];
  return { key: { ...orderOf(generator, rows), value }, frame: { unit: 'RANGE', ...edgesOf(generator, () => pick(generator, offsets)) } };
}

/** Over groups mostly an aggregate of them. */
function aggregateKey(generator: Generator, rows: Scope): Partial<Order> {
  const value = rows.group !== null && generator.tape.chance(50) ? aggregateOf(generator, scalarShape(generator), rows, 1) : null;
  return value === null ? {} : { value };
}
