import type { Order, Term, Window } from '../program/term.ts';
import type { Scalar, Shape } from '../values/shape.ts';
import { aggregateOf, orderOf, rowValue } from './aggregate.ts';
import type { Generator } from './generator.ts';
import { pick } from './generator.ts';
import { scalarShape } from './literal.ts';
import type { Scope } from './scope.ts';

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

/** A window function of the SELECT around that has a type. */
export function windowOf(generator: Generator, shape: Shape, at: NonNullable<Scope['window']>, depth: number): Term {
  const ofAny = (['LAG', 'LEAD', 'FIRST_VALUE', 'LAST_VALUE'] as const).map((name): Choice => ({ name, argument: shape }));
  const extremes = typeof shape === 'string' ? (['MIN', 'MAX', 'MODE'] as const).map((name): Choice => ({ name, argument: shape })) : [];
  const own = typeof shape === 'string' && shape !== 'unknown' ? (BY_TYPE[shape] ?? []) : [];
  const { name, argument } = pick(generator, [...own, ...own, ...extremes, ...ofAny]);
  const partitionBy = generator.tape.chance(40) ? [orderOf(generator, at.rows).value] : [];
  const order = (): Order => ({ ...orderOf(generator, at.rows), ...aggregateKey(generator, at.rows) });
  const isOrdered = name !== 'MODE' && (argument === null || generator.tape.chance(70) || !AGGREGATES.includes(name));
  const hasFrame = isOrdered && AGGREGATES.includes(name) && name !== 'AVG' && generator.tape.chance(15);
  return {
    kind: 'window',
    shape,
    select: at.select,
    name,
    argument: argument === null ? null : rowValue(generator, argument, at.rows, Math.min(depth, 2)),
    offset:
      name === 'NTILE'
        ? pick(generator, [2, 1, 3])
        : (name === 'LAG' || name === 'LEAD') && generator.tape.chance(40)
          ? pick(generator, [2, 1, 0] as const)
          : null,
    partitionBy,
    orderBy: isOrdered ? [order(), ...(generator.tape.chance(50) ? [order()] : [])] : [],
    rowsBefore: hasFrame ? pick(generator, [1, 0, 2] as const) : null,
  };
}

/** Over groups mostly an aggregate of them. */
function aggregateKey(generator: Generator, rows: Scope): Partial<Order> {
  const value = rows.group !== null && generator.tape.chance(50) ? aggregateOf(generator, scalarShape(generator), rows, 1) : null;
  return value === null ? {} : { value };
}
