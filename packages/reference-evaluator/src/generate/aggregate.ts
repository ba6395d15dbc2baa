import type { Aggregate, Order, Term } from '../program/term.ts';
import type { Scalar, Shape } from '../values/shape.ts';
import { isSameShape } from '../values/shape.ts';
import type { Generator } from './generator.ts';
import { pick } from './generator.ts';
import { leaf } from './leaf.ts';
import { scalarShape } from './literal.ts';
import type { Scope } from './scope.ts';

interface Choice {
  readonly name: string;
  readonly argument: Shape | null;
}

/** Generates an aggregate of the enclosing SELECT of a type; null if there is none. */
export function aggregateOf(generator: Generator, shape: Shape, scope: Scope, depth: number): Term | null {
  const { group, star } = scope;
  if (group === null) return null;
  if (star !== null && isSameShape({ kind: 'collection', element: star.shape }, shape) && generator.tape.chance(60))
    return { kind: 'star', shape, select: star.select, isGroup: true };
  const choices = choicesOf(generator, shape);
  if (choices.length === 0) return null;
  const { name, argument } = pick(generator, choices);
  const made = argument === null ? null : rowValue(generator, argument, group.rows, Math.min(depth, 2));
  const takesDistinct = argument !== null && !name.startsWith('ARG_') && name !== 'COUNT_DISTINCT';
  const isOrdered = name === 'COLLECT' || name === 'FIRST' || name === 'LAST' || name === 'STRING_AGG';
  return {
    kind: 'aggregate',
    shape,
    select: group.select,
    name,
    argument: made,
    separator: name === 'STRING_AGG' ? '-' : name === 'QUANTILE' ? pick(generator, [0.5, 0.25, 0, 1, 0.9]) : null,
    by: name.startsWith('ARG_') ? rowValue(generator, scalarShape(generator), group.rows, 1) : null,
    isDistinct: takesDistinct && !isOrdered && generator.tape.chance(15),
    orderBy: isOrdered && generator.tape.chance(40) ? [orderOf(generator, group.rows)] : [],
    filter: generator.tape.chance(20) ? generator.expression('bool', group.rows, 2) : null,
  } satisfies Aggregate;
}

/** A value of each row: an argument that is itself a SELECT would have its elements aggregated. */
export function rowValue(generator: Generator, shape: Shape, rows: Scope, depth: number): Term {
  const made = generator.expression(shape, rows, depth);
  return made.kind === 'select' ? leaf(generator, shape, rows) : made;
}

/** Generates a key of ORDER BY that is not a bare number, which would be a position. */
export function orderOf(generator: Generator, scope: Scope): Order {
  const made = leaf(generator, scalarShape(generator), scope);
  const value: Term = made.kind === 'literal' ? { kind: 'is-null', shape: 'bool', isNegated: false, operand: made } : made;
  return {
    value,
    isDescending: generator.tape.chance(40),
    nulls: generator.tape.chance(25) ? pick(generator, ['first', 'last'] as const) : null,
  };
}

const BY_TYPE: Readonly<Partial<Record<Scalar, readonly Choice[]>>> = {
  long: [
    { name: 'COUNT', argument: null },
    { name: 'COUNT', argument: 'int' },
    { name: 'SUM', argument: 'int' },
    { name: 'SUM', argument: 'long' },
    { name: 'COUNT', argument: 'string' },
    { name: 'COUNT_DISTINCT', argument: 'string' },
    { name: 'COUNT_DISTINCT', argument: 'double' },
    { name: 'COUNT_DISTINCT', argument: 'timestamp' },
  ],
  double: [
    { name: 'SUM', argument: 'double' },
    { name: 'AVG', argument: 'int' },
    { name: 'AVG', argument: 'double' },
    { name: 'MEDIAN', argument: 'double' },
    { name: 'MEDIAN', argument: 'int' },
    { name: 'QUANTILE', argument: 'double' },
    { name: 'STDDEV', argument: 'double' },
    { name: 'VARIANCE', argument: 'int' },
  ],
  decimal: [
    { name: 'SUM', argument: 'decimal' },
    { name: 'AVG', argument: 'decimal' },
  ],
  interval: [
    { name: 'SUM', argument: 'interval' },
    { name: 'AVG', argument: 'interval' },
  ],
  bool: [
    { name: 'BOOL_AND', argument: 'bool' },
    { name: 'BOOL_OR', argument: 'bool' },
  ],
  string: [{ name: 'STRING_AGG', argument: 'string' }],
};

function choicesOf(generator: Generator, shape: Shape): readonly Choice[] {
  const order: readonly Choice[] = [
    { name: 'FIRST', argument: shape },
    { name: 'LAST', argument: shape },
    { name: 'ARG_MIN', argument: shape },
    { name: 'ARG_MAX', argument: shape },
  ];
  if (typeof shape === 'object') return shape.kind === 'collection' ? [{ name: 'COLLECT', argument: shape.element }, ...order] : order;
  if (shape === 'unknown') return [];
  const extremes: readonly Choice[] = [
    { name: 'MIN', argument: shape },
    { name: 'MAX', argument: shape },
    { name: 'MODE', argument: shape },
  ];
  return [...(BY_TYPE[shape] ?? []), ...extremes, ...(generator.tape.chance(30) ? order : [])];
}
