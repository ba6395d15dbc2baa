import { expression } from './random-expression.ts';
import { chance, keysOf, make, someColumn, SQL_TYPES, type Rows, type SqlGenerator, type SqlType } from './sql-generator.ts';

const NULLS = [' NULLS FIRST', ' NULLS LAST'] as const;

/** An aggregate of a type over rows. */
export function aggregate(generator: SqlGenerator, rows: readonly Rows[], type: SqlType, depth = 1): string {
  const { random } = generator;
  const argument = (of: SqlType): string => expression(generator, { rows, depth, hasSubqueries: false }, of);
  const filter = chance(generator, 15) ? ` FILTER (WHERE ${argument('bool')})` : '';
  const distinct = chance(generator, 15) ? 'DISTINCT ' : '';
  const extreme = (): string => `${random.pick(['MIN', 'MAX'])}(${argument(type)})${filter}`;
  const makers: Readonly<Record<SqlType, readonly (() => string)[]>> = {
    int: [
      () => `COUNT(*)${filter}`,
      () => `COUNT(${distinct}${argument(random.pick(SQL_TYPES))})${filter}`,
      () => `SUM(${distinct}${argument('int')})${filter}`,
      extreme,
    ],
    text: [extreme, () => joined(rows, argument('text'), distinct !== '') + filter],
    date: [extreme],
    timestamp: [extreme],
    double: [
      () => `${random.pick(['AVG', 'SUM', 'STDDEV', 'VARIANCE', 'STDDEV_POP'])}(${argument('double')})${filter}`,
      () => `PERCENTILE_CONT(${random.pick(['0.5', '0.25'])}) WITHIN GROUP (ORDER BY ${argument('double')})`,
    ],
    decimal: [extreme, () => `SUM(${distinct}${argument('decimal')})${filter}`, () => `AVG(${argument('decimal')})${filter}`],
    bool: [() => `${random.pick(['BOOL_AND', 'BOOL_OR'])}(${argument('bool')})${filter}`],
  };
  return make(generator, makers[type]);
}

/** Texts one behind the other, in an order without ties. */
function joined(rows: readonly Rows[], text: string, isDistinct: boolean): string {
  const order = isDistinct ? [text] : [...keysOf(rows).map((key) => `${key} NULLS FIRST`), `${text} NULLS FIRST`];
  return `STRING_AGG(${isDistinct ? 'DISTINCT ' : ''}${text}, ',' ORDER BY ${order.join(', ')})`;
}

const BOUNDS = {
  from: ['UNBOUNDED PRECEDING', '2 PRECEDING', '1 PRECEDING', 'CURRENT ROW'],
  to: ['CURRENT ROW', '1 FOLLOWING', 'UNBOUNDED FOLLOWING'],
} as const;

/** A window function of a type over rows that all have a key. */
export function windowCall(generator: SqlGenerator, rows: readonly Rows[], type: SqlType): string {
  const { random } = generator;
  const argument = (of: SqlType): string => expression(generator, { rows, depth: 1, hasSubqueries: false }, of);
  const partition = chance(generator, 60) ? `PARTITION BY ${argument(random.pick(SQL_TYPES))} ` : '';
  const key = (value: string): string => `${value}${random.pick(['', ' DESC'])}${random.pick(NULLS)}`;
  const whole = `ORDER BY ${[...(chance(generator, 60) ? [argument(random.pick(SQL_TYPES))] : []), ...keysOf(rows)].map(key).join(', ')}`;
  const frame = chance(generator, 50) ? ` ROWS BETWEEN ${random.pick(BOUNDS.from)} AND ${random.pick(BOUNDS.to)}` : '';
  const over = (clauses = frame): string => ` OVER (${partition}${whole}${clauses})`;
  const withTies = ` OVER (${partition}ORDER BY ${key(argument(random.pick(SQL_TYPES)))})`;
  const day = someColumn(generator, rows, 'date');
  const byDays =
    day === undefined
      ? over()
      : ` OVER (${partition}ORDER BY ${day}${random.pick(NULLS)} RANGE BETWEEN interval '9 day' PRECEDING AND CURRENT ROW)`;
  return make(generator, [
    () => `${random.pick(['LAG', 'LEAD'])}(${argument(type)}, ${1 + random.below(2)})${over('')}`,
    () => `${random.pick(['FIRST_VALUE', 'LAST_VALUE'])}(${argument(type)})${over()}`,
    () => `NTH_VALUE(${argument(type)}, 2)${over()}`,
    () =>
      type === 'bool'
        ? `BOOL_OR(${argument('bool')})${over()}`
        : `${random.pick(['MIN', 'MAX'])}(${argument(type)})${random.pick([withTies, over()])}`,
    ...(type === 'int'
      ? [
          () => `${random.pick(['ROW_NUMBER()', 'NTILE(3)'])}${over('')}`,
          () => `${random.pick(['RANK()', 'DENSE_RANK()'])}${withTies}`,
          () =>
            `${random.pick([`COUNT(${argument('text')})`, `SUM(${argument('int')})`, 'COUNT(*)'])}${random.pick([byDays, withTies, over()])}`,
        ]
      : []),
  ]);
}

/** A window function over groups with these keys. */
export function windowOverGroups(generator: SqlGenerator, rows: readonly Rows[], keys: readonly [string, ...string[]]): string {
  const order = keys.map((key) => `${key} NULLS FIRST`).join(', ');
  return make(generator, [
    () => `RANK() OVER (ORDER BY COUNT(*) DESC, ${order})`,
    () => 'SUM(COUNT(*)) OVER ()',
    () => `SUM(SUM(${expression(generator, { rows, depth: 0, hasSubqueries: false }, 'int')})) OVER (ORDER BY ${order})`,
    () => `LAG(COUNT(*)) OVER (ORDER BY ${order})`,
  ]);
}
