import { CAST_TYPES, chance, make, someColumn, SQL_TYPES, type ExpressionScope, type SqlGenerator, type SqlType } from './sql-generator.ts';

/** Texts of constants; a day or an hour is put in for `#`. */
const LITERALS: Readonly<Record<SqlType, readonly [string, ...string[]]>> = {
  int: ['0', '1', '2', '3', '5', '(-1)', '(-2)'],
  text: ["'a'", "'b'", "'Ann'", "''", "'a b'", "'zz'"],
  date: ["date '2024-01-1#'", "date '2024-02-1#'", "date '2024-03-1#'"],
  timestamp: ["timestamp '2024-01-1# 04:30:00'", "timestamp '2024-02-12 0#:30:00'"],
  double: ['CAST(0.5 AS float8)', 'CAST(2 AS float8)', 'CAST(-1.25 AS float8)'],
  decimal: ['CAST(1.5 AS numeric)', 'CAST(-2.25 AS numeric)', 'CAST(10 AS numeric)'],
  bool: ['TRUE', 'FALSE'],
};
const ORDERED = ['int', 'text', 'date', 'decimal'] as const;

function literal({ random }: SqlGenerator, type: SqlType): string {
  return random.pick(LITERALS[type]).replace('#', String(random.below(10)));
}

/** A column, mostly, or a constant. */
export function leaf(generator: SqlGenerator, { rows }: ExpressionScope, type: SqlType): string {
  const column = chance(generator, 80) ? someColumn(generator, rows, type) : undefined;
  if (column !== undefined) return column;
  return chance(generator, 5) ? `CAST(NULL AS ${CAST_TYPES[type]})` : literal(generator, type);
}

/** An expression of a type. PostgreSQL and the language agree on its value, and on whether it fails. */
export function expression(generator: SqlGenerator, scope: ExpressionScope, type: SqlType): string {
  if (scope.depth <= 0 || chance(generator, 25)) return leaf(generator, scope, type);
  const inner = { ...scope, depth: scope.depth - 1 };
  const part = (of: SqlType): string => expression(generator, inner, of);
  const { random, subqueries } = generator;
  if (scope.hasSubqueries && scope.depth > 1 && chance(generator, 15))
    return type === 'bool' ? subqueries.condition(scope.rows) : subqueries.value(scope.rows, type);
  if (chance(generator, 30)) return choice(generator, part, type);
  const makers: Readonly<Record<SqlType, readonly (() => string)[]>> = {
    int: [
      () => `(${part('int')} ${random.pick(['+', '-', '*'])} ${part('int')})`,
      () => `(${part('int')} ${random.pick(['/', '%'])} ${random.pick(['3', '2', '(-2)', '5'])})`,
      () => `${random.pick(['ABS', '-'])}(${part('int')})`,
      () => `LENGTH(${part('text')})`,
      () => `POSITION(${part('text')} IN ${part('text')})`,
      () => `CAST(EXTRACT(${random.pick(['year', 'month', 'day', 'quarter', 'week', 'doy'])} FROM ${part('date')}) AS bigint)`,
      () => `CAST(EXTRACT(${random.pick(['hour', 'minute', 'month'])} FROM ${part('timestamp')}) AS bigint)`,
      () => `CAST(${random.pick(['FLOOR', 'CEIL'])}(${part(random.pick(['decimal', 'double']))}) AS bigint)`,
    ],
    text: [
      () => `(${part('text')} || ${part('text')})`,
      () => `${random.pick(['UPPER', 'LOWER', 'TRIM', 'REVERSE', 'INITCAP'])}(${part('text')})`,
      () => `SUBSTRING(${part('text')} FROM ${1 + random.below(3)} FOR ${random.below(3)})`,
      () => `${random.pick(['LEFT', 'RIGHT', 'REPEAT'])}(${part('text')}, ${random.below(3)})`,
      () => `REPLACE(${part('text')}, ${random.pick(["'a'", "'n'", "' '"])}, ${part('text')})`,
      () => `LPAD(${part('text')}, 3, '*')`,
      () => `CONCAT(${part('text')}, ${part(random.pick(['int', 'text', 'date']))})`,
      () => `CONCAT_WS('-', ${part('text')}, ${part('text')})`,
      () => `SPLIT_PART(${part('text')}, 'n', ${1 + random.below(2)})`,
      () => `CAST(${part(random.pick(['int', 'date']))} AS text)`,
    ],
    date: [
      () => `CAST(${part('timestamp')} AS date)`,
      () => `CAST(DATE_TRUNC('${random.pick(['week', 'month', 'quarter', 'year'])}', ${part('timestamp')}) AS date)`,
      () => `CAST(${part('date')} + interval '${1 + random.below(40)} ${random.pick(['day', 'month', 'year'])}' AS date)`,
    ],
    timestamp: [
      () =>
        `(${part('timestamp')} ${random.pick(['+', '-'])} interval '${1 + random.below(9)} ${random.pick(['day', 'month', 'hour', 'week'])}')`,
      () => `DATE_TRUNC('${random.pick(['hour', 'day', 'week', 'month', 'year'])}', ${part('timestamp')})`,
      () => `CAST(${part('date')} AS timestamp)`,
    ],
    double: [
      () => `(${part('double')} ${random.pick(['+', '-', '*'])} ${part('double')})`,
      () => `CAST(${part(random.pick(['int', 'decimal']))} AS float8)`,
      () => `SQRT(ABS(${part('double')}))`,
      () => `FLOOR(${part('double')})`,
    ],
    decimal: [
      () => `(${part('decimal')} ${random.pick(['+', '-'])} ${part(random.pick(['decimal', 'int']))})`,
      () => `(${leaf(generator, scope, 'decimal')} * ${leaf(generator, scope, 'decimal')})`,
      () => `(${leaf(generator, scope, 'decimal')} ${random.pick(['/ 4', '% 3', '* 2'])})`,
      () => `ROUND(${part('decimal')}, ${random.below(4) - 1})`,
      () => `CAST(${part('decimal')} AS numeric(38, ${random.below(4)}))`,
      () => `ABS(${part('decimal')})`,
      () => `CAST(${part('int')} AS numeric)`,
    ],
    bool: conditions(generator, part),
  };
  return make(generator, makers[type]);
}

/** What chooses among values of a type. */
function choice(generator: SqlGenerator, part: (type: SqlType) => string, type: SqlType): string {
  const { random } = generator;
  const known = (): string => `COALESCE(${part(type)}, ${literal(generator, type)})`;
  return make(generator, [
    () => `COALESCE(${part(type)}, ${part(type)})`,
    () => `CASE WHEN ${part('bool')} THEN ${part(type)} ELSE ${part(type)} END`,
    () => `CASE WHEN ${part('bool')} THEN ${part(type)} WHEN ${part('bool')} THEN ${part(type)} END`,
    () => `CASE ${part('int')} WHEN 1 THEN ${part(type)} WHEN 2 THEN ${part(type)} ELSE ${part(type)} END`,
    () => `NULLIF(${part(type)}, ${part(type)})`,
    // NULL makes these NULL here, as in SQL:2023; PostgreSQL passes over it.
    () => (type === 'bool' ? part('bool') : `${random.pick(['GREATEST', 'LEAST'])}(${known()}, ${known()})`),
  ]);
}

function conditions(generator: SqlGenerator, part: (type: SqlType) => string): readonly (() => string)[] {
  const { random } = generator;
  const comparison = (operators: readonly [string, ...string[]]) => (): string => {
    const type = random.pick(SQL_TYPES);
    return `(${part(type)} ${random.pick(operators)} ${part(type)})`;
  };
  return [
    comparison(['=', '<>', '<', '<=', '>', '>=']),
    comparison(['=', '<', '>']),
    comparison(['IS DISTINCT FROM', 'IS NOT DISTINCT FROM']),
    () => `(${part('bool')} ${random.pick(['AND', 'OR'])} ${part('bool')})`,
    () => `(NOT ${part('bool')})`,
    () => `(${part(random.pick(SQL_TYPES))} IS ${random.pick(['', 'NOT '])}NULL)`,
    () => `(${part('bool')} IS ${random.pick(['', 'NOT '])}${random.pick(['TRUE', 'FALSE'])})`,
    () => {
      const type = random.pick(ORDERED);
      return `(${part(type)} ${random.pick(['', 'NOT '])}BETWEEN ${part(type)} AND ${part(type)})`;
    },
    () => {
      const type = random.pick(ORDERED);
      return `(${part(type)} ${random.pick(['', 'NOT '])}IN (${part(type)}, ${part(type)}, ${literal(generator, type)}))`;
    },
    () => `(${part('text')} ${random.pick(['LIKE', 'NOT LIKE', 'ILIKE'])} ${random.pick(["'a%'", "'%n%'", "'_n%'", "'%'", "''", "'%b'"])})`,
    () => `STARTS_WITH(${part('text')}, ${part('text')})`,
  ];
}
