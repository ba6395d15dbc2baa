import { decimalOf } from '../values/decimal.ts';
import type { CollectionShape, RecordShape, Shape } from '../values/shape.ts';
import { intervalOf, momentOf } from '../values/temporal.ts';
import type { Value } from '../values/value.ts';
import { ordered } from '../values/value.ts';

/** A table that programs may use: a variable of a number below 100. */
export interface RandomTable {
  readonly id: number;
  readonly name: string;
  readonly shape: Shape;
}

/** A table of the random tests: small, with NULL, NaN, empty collections, duplicates and ties. */
export interface DataTable extends RandomTable {
  readonly shape: CollectionShape;
  readonly rows: readonly Value[];
}

const record = (...values: readonly Value[]): Value => ({ kind: 'record', values });

const list = (...elements: readonly Value[]): Value => ordered(elements);

const shapeOf = (fields: Readonly<Record<string, Shape>>): RecordShape => ({
  kind: 'record',
  fields: Object.entries(fields).map(([name, shape]) => ({ name, shape })),
});

const collection = (element: Shape): CollectionShape => ({ kind: 'collection', element });

const moments = (a: Value, ...[date, timestamp, decimal, interval, time]: readonly (string | null)[]): Value =>
  record(
    a,
    orNull(date, (text) => momentOf('date', text)),
    orNull(timestamp, (text) => momentOf('timestamp', text)),
    orNull(decimal, decimalOf),
    orNull(interval, intervalOf),
    orNull(time, (text) => momentOf('time', text)),
  );

const bytes = (hex: string): Value => ({ kind: 'bytes', hex });

const orNull = (text: string | null | undefined, valueOf: (text: string) => Value): Value =>
  text === null || text === undefined ? null : valueOf(text);

const PAIR = shapeOf({ k: 'string', n: 'int' });

/** The tables that random programs read. */
export const DATA_TABLES: readonly DataTable[] = [
  {
    id: 1,
    name: 'r',
    shape: collection(shapeOf({ a: 'int', b: 'string', c: 'double', d: 'bool' })),
    rows: [
      record(1n, 'a', 0.5, true),
      record(2n, 'b', Number.NaN, null),
      record(null, null, null, false),
      record(1n, 'a', 0.5, true),
      record(3n, '', -2.5, null),
      record(2n, 'é', Number.POSITIVE_INFINITY, true),
      record(null, 'b', 1, false),
    ],
  },
  {
    id: 2,
    name: 's',
    shape: collection(shapeOf({ k: 'int', a: 'long', n: 'short', b: 'string' })),
    rows: [
      record(1n, 10n, 5n, 'b'),
      record(2n, 9_223_372_036_854_775_807n, 32_767n, 'a'),
      record(2n, -5n, null, 'ab'),
      record(null, 10n, 0n, null),
      record(4n, null, -7n, 'b'),
    ],
  },
  {
    id: 3,
    name: 'o',
    shape: collection(shapeOf({ a: 'int', c: collection(PAIR), d: collection('int'), k: PAIR })),
    rows: [
      record(1n, list(record('x', 3n), record('y', 1n), record('x', 2n)), list(3n, 1n, 3n, null), record('p', 1n)),
      record(2n, list(), list(), record(null, 2n)),
      record(2n, list(record(null, 1n), record('x', null)), null, record('p', 1n)),
      record(null, null, list(2n), null),
      record(5n, list(record('x', 3n)), list(7n, 7n), record('q', null)),
    ],
  },
  {
    id: 6,
    name: 'm',
    shape: collection(shapeOf({ a: 'int', b: 'date', c: 'timestamp', d: 'decimal', k: 'interval', n: 'time' })),
    rows: [
      moments(1n, '2001-01-31', '2001-01-31 00:00:00', '1.5', 'P1M', '01:02:03'),
      moments(2n, '2000-02-29', '2000-02-29 23:59:59.5', '-0.25', 'P30D', '23:59:59.999999'),
      moments(2n, null, '1969-07-20 20:17:40.000001', '100', 'PT-1H', null),
      moments(null, '2001-01-31', null, null, 'P1Y2D', '00:00:00'),
      moments(1n, '1970-01-01', '2001-01-31 00:00:00', '1.5', null, '12:30:00.5'),
    ],
  },
  {
    id: 7,
    name: 'h',
    shape: collection(shapeOf({ a: 'byte', b: 'float', c: 'binary', k: 'string' })),
    rows: [
      record(1n, Math.fround(0.1), bytes('6162'), 'a'),
      record(127n, Math.fround(1e20), bytes(''), 'b'),
      record(-128n, Number.NaN, null, 'a'),
      record(null, null, bytes('00ff'), null),
      record(1n, Math.fround(0.1), bytes('61'), 'b'),
    ],
  },
  { id: 4, name: 'e', shape: collection(shapeOf({ a: 'int', k: 'string' })), rows: [] },
  { id: 5, name: 'l', shape: collection('int'), rows: [3n, 1n, null, 3n, 2n] },
];

/** The values of the tables by the numbers of their variables. */
export const TABLE_VALUES: ReadonlyMap<number, Value> = new Map(DATA_TABLES.map(({ id, rows }) => [id, ordered(rows)]));
