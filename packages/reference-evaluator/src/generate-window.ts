import { expression } from './generate.ts';
import { aggregateOf, orderOf, rowValue } from './generate-aggregate.ts';
import { randomShape, scalarShape } from './generate-literal.ts';
import type { Generator, Scope } from './generate-scope.ts';
import { pick } from './generate-scope.ts';
import type { Order, Window } from './select-term.ts';
import type { Scalar, Shape } from './shape.ts';
import type { Term } from './term.ts';

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

/** `TRANSFORM`, `FILTER`, `ANY`, `ALL` and `FIND_FIRST` with a lambda over a collection of elements of a type. */
export function lambdaCall(
  generator: Generator,
  at: { readonly name: 'TRANSFORM' | 'FILTER' | 'ANY' | 'ALL' | 'FIND_FIRST'; readonly shape: Shape; readonly element: Shape },
  scope: Scope,
  depth: number,
): Term {
  const { name, shape, element } = at;
  // Windows of the enclosing SELECT are not allowed: the collection of a lambda is a query of its own.
  const collection = expression(generator, { kind: 'collection', element }, { ...scope, window: null }, depth);
  const parameter = { id: generator.fresh(), name: 'z', shape: element };
  const frame = { aliases: [{ name: 'z', term: { kind: 'variable', ...parameter } as const }], fields: [], blocked: [] };
  const inner: Scope = { frames: [...scope.frames, frame], group: null, star: null, window: null };
  const result: Shape = name !== 'TRANSFORM' ? 'bool' : typeof shape === 'object' && shape.kind === 'collection' ? shape.element : shape;
  return { kind: 'lambda-call', shape, name, collection, parameter, body: expression(generator, result, inner, depth), function: null };
}

/** `REDUCE` of a collection to a value of a type. */
export function reduction(generator: Generator, shape: Shape, scope: Scope, depth: number): Term {
  const over = randomShape(generator, 1);
  // The collection may have no windows of the SELECT around, as that of a lambda.
  const collection = expression(generator, { kind: 'collection', element: over }, { ...scope, window: null }, depth);
  const sofar = { id: generator.fresh(), name: 'y', shape };
  const element = { id: generator.fresh(), name: 'z', shape: over };
  const aliases = [sofar, element].map((parameter) => ({ name: parameter.name, term: { kind: 'variable', ...parameter } as const }));
  const inner: Scope = { frames: [...scope.frames, { aliases, fields: [], blocked: [] }], group: null, star: null, window: null };
  const start = expression(generator, shape, scope, depth);
  return { kind: 'reduce', shape, collection, start, sofar, element, body: expression(generator, shape, inner, depth) };
}
