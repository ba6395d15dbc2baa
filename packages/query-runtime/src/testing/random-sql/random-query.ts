import type { Random } from '@svc/test-kit';

import { aggregate, windowCall, windowOverGroups } from './random-aggregate.ts';
import { expression, leaf } from './random-expression.ts';
import { chance, someColumn, SQL_TYPES, type Rows, type SqlGenerator, type SqlType, type Subqueries } from './sql-generator.ts';
import { SQL_TABLES } from './sql-tables.ts';

/** A query with the names and types of its columns. */
interface Selected {
  readonly text: string;
  readonly columns: Readonly<Record<string, SqlType>>;
}

/** A query for PostgreSQL and the language alike. */
export interface RandomQuery {
  readonly text: string;
  /** True if the rows have an order without ties. */
  readonly isOrdered: boolean;
}

const TABLE_NAMES = ['t', 't', 'r', 'r', 'z'] as const;

/** What a SELECT is asked for. */
interface Asked {
  /** How deep queries may stand in FROM, and whether in expressions. */
  readonly depth: number;
  readonly around?: readonly Rows[];
  readonly types?: readonly SqlType[];
  readonly names?: readonly string[];
  readonly kind?: SelectKind;
}
type SelectKind = 'plain' | 'distinct' | 'grouped' | 'total' | 'windows';

/** Makes the same query for the same random numbers. */
export function randomQuery(random: Random): RandomQuery {
  const generator = createGenerator(random);
  if (chance(generator, 20)) return { text: setOperations(generator), isOrdered: false };
  const { text, columns } = select(generator, { depth: 2 });
  if (!chance(generator, 35)) return { text, isOrdered: false };
  const keys = Object.keys(columns).map((name) => `${name}${random.pick(['', ' DESC'])}${random.pick([' NULLS FIRST', ' NULLS LAST'])}`);
  const limit = chance(generator, 60) ? ` LIMIT ${1 + random.below(12)}` : '';
  return { text: `${text} ORDER BY ${keys.join(', ')}${limit}`, isOrdered: true };
}

function createGenerator(random: Random): SqlGenerator {
  let names = 0;
  const generator: SqlGenerator = {
    random,
    fresh: (prefix) => {
      names += 1;
      return `${prefix}${names}`;
    },
    subqueries: {
      value: (around, type) => valueQuery(generator, around, type),
      condition: (around) => random.pick([existsQuery, inQuery, quantifiedQuery])(generator, around),
    } satisfies Subqueries,
  };
  return generator;
}

function setOperations(generator: SqlGenerator): string {
  const { random, fresh } = generator;
  const types = someTypes(generator, 3);
  const names = types.map(() => fresh('c'));
  const parts = Array.from({ length: 2 + random.below(2) }, () =>
    select(generator, { depth: 1, types, names, kind: random.pick(['plain', 'plain', 'grouped', 'distinct']) }),
  );
  const operator = (): string => random.pick(['UNION', 'UNION ALL', 'EXCEPT', 'INTERSECT', 'EXCEPT ALL', 'INTERSECT ALL']);
  return parts.map(({ text }, i) => (i === 0 ? text : `${operator()} ${text}`)).join(' ');
}

function someTypes({ random }: SqlGenerator, most: number): readonly SqlType[] {
  return Array.from({ length: 1 + random.below(most) }, () => random.pick(SQL_TYPES));
}

/** One table, or a few that are joined. */
function sources(generator: SqlGenerator, depth: number): { readonly text: string; readonly rows: readonly Rows[] } {
  const { random } = generator;
  let { text, rows: own } = source(generator, depth);
  const rows = [own];
  // Three sources within each other would be too many rows.
  const count = chance(generator, 45) ? 0 : 1 + random.below(depth > 1 ? 1 : 2);
  for (let i = 0; i < count; i += 1) {
    if (depth > 0 && chance(generator, 15)) {
      const { text: query, columns } = select(generator, {
        depth: 0,
        around: rows,
        kind: random.pick(['plain', 'total', 'grouped', 'distinct']),
      });
      const alias = generator.fresh('l');
      text += random.pick([` CROSS JOIN LATERAL (${query}) ${alias}`, ` LEFT JOIN LATERAL (${query}) ${alias} ON TRUE`]);
      rows.push({ alias, columns });
      continue;
    }
    const other = source(generator, depth);
    text += joined(generator, rows, other);
    rows.push(other.rows);
  }
  return { text, rows };
}

function joined(generator: SqlGenerator, before: readonly Rows[], { text, rows }: ReturnType<typeof source>): string {
  const { random } = generator;
  const kind = random.pick(['JOIN', 'LEFT JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN', 'CROSS JOIN']);
  if (kind === 'CROSS JOIN') return ` CROSS JOIN ${text}`;
  const [left, right] = [someColumn(generator, before, 'int'), someColumn(generator, [rows], 'int')];
  const on = left !== undefined && right !== undefined ? `${left} = ${right}` : 'TRUE';
  const hasMore = kind !== 'FULL JOIN' && kind !== 'RIGHT JOIN' && chance(generator, 30);
  const more = hasMore ? ` AND ${expression(generator, { rows: [...before, rows], depth: 1, hasSubqueries: false }, 'bool')}` : '';
  return ` ${kind} ${text} ON ${on}${more}`;
}

function source(generator: SqlGenerator, depth: number): { readonly text: string; readonly rows: Rows } {
  const { random, fresh } = generator;
  if (depth > 0 && chance(generator, 25)) {
    const { text, columns } = select(generator, { depth: depth - 1 });
    const alias = fresh('q');
    return { text: `(${text}) ${alias}`, rows: { alias, columns } };
  }
  const name = random.pick(TABLE_NAMES);
  const alias = fresh(name);
  return { text: `${name} ${alias}`, rows: { alias, columns: SQL_TABLES[name].columns } };
}

function select(generator: SqlGenerator, asked: Asked): Selected {
  const { random, fresh } = generator;
  const { depth, around = [] } = asked;
  const from = sources(generator, depth);
  const scope = { rows: [...from.rows, ...around], depth: 2, hasSubqueries: depth > 0 };
  const where = chance(generator, 50) ? ` WHERE ${expression(generator, scope, 'bool')}` : '';
  const types = asked.types ?? someTypes(generator, 7);
  const names = asked.names ?? types.map(() => fresh('c'));
  const columns = Object.fromEntries(names.map((name, i) => [name, types[i] ?? 'int']));
  const items = (value: (type: SqlType) => string): string => types.map((type, i) => `${value(type)} AS ${names[i]}`).join(', ');
  const kind = asked.kind ?? random.pick(['plain', 'plain', 'grouped', 'grouped', 'total', 'windows', 'distinct']);
  if (kind === 'grouped') {
    const keys = groupKeys(generator, from.rows);
    if (keys !== null) return { text: grouped(generator, from, { where, keys, items }), columns };
  }
  if (kind === 'total' || kind === 'grouped')
    return { text: `SELECT ${items((type) => aggregate(generator, from.rows, type))} FROM ${from.text}${where}`, columns };
  if (kind === 'windows' && from.rows.every((rows) => 'id' in rows.columns)) {
    const value = (type: SqlType): string =>
      chance(generator, 60) ? windowCall(generator, from.rows, type) : leaf(generator, scope, type);
    return { text: `SELECT ${items(value)} FROM ${from.text}${where}`, columns };
  }
  return {
    text: `SELECT ${kind === 'distinct' ? 'DISTINCT ' : ''}${items((type) => expression(generator, scope, type))} FROM ${from.text}${where}`,
    columns,
  };
}

/** A key of groups with its type. */
interface GroupKey {
  readonly text: string;
  readonly type: SqlType;
}

/** One or two columns; null if there is none of the types that were chosen. */
function groupKeys(generator: SqlGenerator, rows: readonly Rows[]): readonly [GroupKey, ...GroupKey[]] | null {
  const [first, second] = Array.from({ length: 1 + generator.random.below(2) }, () => generator.random.pick(SQL_TYPES)).flatMap((type) => {
    const text = someColumn(generator, rows, type);
    return text === undefined ? [] : [{ text, type }];
  });
  if (first === undefined) return null;
  return second === undefined || second.text === first.text ? [first] : [first, second];
}

interface Grouped {
  readonly where: string;
  readonly keys: readonly [GroupKey, ...GroupKey[]];
  readonly items: (value: (type: SqlType) => string) => string;
}

function grouped(generator: SqlGenerator, from: ReturnType<typeof sources>, { where, keys, items }: Grouped): string {
  const { random } = generator;
  const [first, ...others] = keys;
  const texts = [first.text, ...others.map(({ text }) => text)] as const;
  const all = texts.join(', ');
  const isRolledUp = chance(generator, 25);
  const by = isRolledUp ? random.pick([`ROLLUP (${all})`, `CUBE (${all})`, `GROUPING SETS ((${all}), (${first.text}), ())`]) : all;
  const value = (type: SqlType): string => {
    const key = keys.find((one) => one.type === type);
    if (key !== undefined && chance(generator, 60)) return key.text;
    if (type === 'int' && chance(generator, 30))
      return isRolledUp ? `GROUPING(${first.text})` : windowOverGroups(generator, from.rows, texts);
    return aggregate(generator, from.rows, type);
  };
  const having = chance(generator, 25)
    ? ` HAVING ${random.pick([`COUNT(*) > ${random.below(3)}`, `${aggregate(generator, from.rows, 'int')} > 1`])}`
    : '';
  return `SELECT ${items(value)} FROM ${from.text}${where} GROUP BY ${by}${having}`;
}

/** An equality or an inequality of the rows of a query with those around it. */
function correlation(generator: SqlGenerator, rows: readonly Rows[], around: readonly Rows[]): readonly string[] {
  const type = generator.random.pick(['int', 'int', 'text'] as const);
  const [own, other] = [someColumn(generator, rows, type), someColumn(generator, around, type)];
  return own === undefined || other === undefined ? [] : [`${own} ${generator.random.pick(['=', '=', '=', '<', '>'])} ${other}`];
}

/** FROM and WHERE of a query within an expression. */
function correlated(generator: SqlGenerator, around: readonly Rows[]): { readonly text: string; readonly rows: readonly Rows[] } {
  const { text, rows } = sources(generator, 0);
  const conditions = [
    ...(chance(generator, 60) ? correlation(generator, rows, around) : []),
    ...(chance(generator, 30) ? [expression(generator, { rows, depth: 1, hasSubqueries: false }, 'bool')] : []),
  ];
  return { text: `FROM ${text}${conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`}`, rows };
}

function valueQuery(generator: SqlGenerator, around: readonly Rows[], type: SqlType): string {
  const { text, rows } = correlated(generator, around);
  return `(SELECT ${aggregate(generator, rows, type)} ${text})`;
}

function existsQuery(generator: SqlGenerator, around: readonly Rows[]): string {
  return `(${generator.random.pick(['', 'NOT '])}EXISTS (SELECT 1 ${correlated(generator, around).text}))`;
}

function quantifiedQuery(generator: SqlGenerator, around: readonly Rows[]): string {
  const { random } = generator;
  const { text, rows } = correlated(generator, around);
  const type = random.pick(['int', 'text', 'date', 'decimal'] as const);
  const value = (of: readonly Rows[]): string => expression(generator, { rows: of, depth: 1, hasSubqueries: false }, type);
  const operator = `${random.pick(['=', '<>', '<', '<=', '>', '>='])} ${random.pick(['ANY', 'SOME', 'ALL'])}`;
  return `(${value(around)} ${operator} (SELECT ${value(rows)} ${text}))`;
}

/** IN of one value, or of two. */
function inQuery(generator: SqlGenerator, around: readonly Rows[]): string {
  const { random } = generator;
  const { text, rows } = correlated(generator, around);
  const types = chance(generator, 30)
    ? [random.pick(['int', 'text'] as const), random.pick(['int', 'date'] as const)]
    : [random.pick(['int', 'text', 'date', 'decimal'] as const)];
  const values = (of: readonly Rows[]): string =>
    types.map((type) => expression(generator, { rows: of, depth: 1, hasSubqueries: false }, type)).join(', ');
  const tuple = types.length === 1 ? values(around) : `(${values(around)})`;
  return `(${tuple} ${random.pick(['', 'NOT '])}IN (SELECT ${values(rows)} ${text}))`;
}
