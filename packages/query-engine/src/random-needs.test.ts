import { conditionSql, conditionsSql, orderSql, scanNeeds, type ScanNeeds } from '@svc/pg-rows';
import type { Plan } from '@svc/query-language';
import { randomNumbers } from '@svc/reference-evaluator';

import { preparePlan } from './lowering/lower-plan.ts';
import { duckType } from './representation/duck-type.ts';
import { typeOf } from './testing/check-text.ts';
import type { TestTables } from './testing/lower-over-tables.ts';
import { openQueryRunner, type QueryRunner } from './testing/query-runner.ts';

/** More of them, and others: `SVC_RANDOM_PROGRAMS=5000 SVC_RANDOM_SEED=7`. */
const COUNT = Number(process.env['SVC_RANDOM_PROGRAMS'] ?? 400);
const SEED = Number(process.env['SVC_RANDOM_SEED'] ?? 1);

const MOST_TABLES = 16;
const ROW = 'record(id: int, k: int nullable, s: string nullable, ok: bool nullable)';

/** Tables of few values, so that conditions, keys and NULLs meet: each query uses most of them once. */
const TABLES: TestTables = Object.fromEntries(
  Array.from({ length: MOST_TABLES }, (_, n) => {
    const rows = `SELECT CAST(i AS INTEGER) AS id, CASE WHEN (i * 7 + ${n}) % 4 > 0 THEN CAST((i * 7 + ${n}) % 4 AS INTEGER) END AS k,
      CASE WHEN (i * 5 + ${n}) % 3 > 0 THEN chr(CAST(96 + (i * 5 + ${n}) % 3 AS INTEGER)) END AS s, CASE WHEN i % 3 > 0 THEN i % 2 = 0 END AS ok
      FROM range(${6 + (n % 8)}) t(i)`;
    return [`t${n}`, { type: ROW, sql: rows }];
  }),
);

/** Returns the tables as a query's needs reduce them: fewer rows, and NULL in fields that are not used. */
function reduced(plan: Plan): TestTables {
  const needs = scanNeeds(preparePlan(plan), (node) =>
    node.kind === 'TableScan' ? { source: node.table, type: typeOf(`collection(${ROW})`) } : null,
  );
  return { ...TABLES, ...Object.fromEntries(needs.map((needed) => [needed.source, { type: ROW, sql: reducedSql(needed) }])) };
}

function reducedSql({ source, fields, conditions, limit, top }: ScanNeeds): string {
  const type = typeOf(ROW);
  const columns = type.kind === 'RecordType' ? type.fields : [];
  const items = columns.map(({ name, type: of }, i) =>
    fields === null || fields.includes(i) ? name : `CAST(NULL AS ${duckType(of)}) AS ${name}`,
  );
  const where = conditionsSql(conditions, (condition) => conditionSql(condition, `q.${columns[condition.field]?.name ?? ''}`)).sql;
  return [
    `SELECT ${items.join(', ')} FROM (${TABLES[source]?.sql ?? ''}) q`,
    where === null ? '' : `WHERE ${where}`,
    limit === null ? '' : `LIMIT ${limit}`,
    top === null ? '' : orderSql(top, (index) => ({ sql: `q.${columns[index]?.name ?? ''}`, isNullable: true })),
  ].join(' ');
}

/** Rows of a query: its columns, all nullable, and whether their order is known. */
interface Rows {
  readonly text: string;
  readonly columns: readonly Column[];
  readonly isOrdered: boolean;
}

interface Column {
  readonly name: string;
  readonly type: 'int' | 'string' | 'bool';
}

const COLUMNS: readonly Column[] = [
  { name: 'id', type: 'int' },
  { name: 'k', type: 'int' },
  { name: 's', type: 'string' },
  { name: 'ok', type: 'bool' },
];

/** Makes queries of all forms through which needs are followed. */
class Queries {
  readonly #random: () => number;
  readonly #declarations: string[] = [];
  #names = 0;
  #tables = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  whole(): Rows {
    const { text, isOrdered, columns } = this.#rows(this.#below(3));
    const declared = this.#declarations.length === 0 ? '' : `WITH ${this.#declarations.join(', ')} `;
    return { text: `${declared}${text}`, isOrdered, columns };
  }

  #below(n: number): number {
    return Math.floor(this.#random() * n);
  }

  #maybe(part: () => string, chance = 0.5): string {
    return this.#random() < chance ? part() : '';
  }

  #name(): string {
    this.#names += 1;
    return `n${this.#names}`;
  }

  #table(): Rows {
    this.#tables += 1;
    return { text: `t${(this.#tables - 1) % MOST_TABLES}`, columns: COLUMNS, isOrdered: true };
  }

  /** A SELECT; every form filters with some chance, since that is what needs are about. */
  #rows(depth: number): Rows {
    const forms = [
      () => this.#plain(depth),
      () => this.#plain(depth),
      () => this.#join(depth),
      () => this.#join(depth),
      () => this.#distinct(depth),
      () => this.#grouped(depth),
      () => this.#windowed(depth),
      () => this.#positions(depth),
      () => this.#union(depth),
      () => this.#page(depth),
      () => this.#page(depth),
      () => this.#top(depth),
      () => this.#top(depth),
    ];
    return (forms[this.#below(forms.length)] ?? (() => this.#table()))();
  }

  #source(depth: number): Rows {
    if (depth === 0) return this.#table();
    const choice = this.#below(5);
    if (choice < 2) return this.#table();
    const rows = this.#rows(depth - 1);
    if (choice === 2) {
      const name = this.#name();
      this.#declarations.push(`${name} AS (${rows.text})`);
      return { ...rows, text: name };
    }
    return { ...rows, text: `(${rows.text})` };
  }

  #condition(row: string, columns: readonly Column[]): string {
    const column = columns[this.#below(columns.length)] ?? { name: 'id', type: 'int' };
    const field = `${row}.${column.name}`;
    const value = column.type === 'int' ? String(this.#below(5)) : column.type === 'string' ? `"${'abc'[this.#below(3)] ?? ''}"` : 'true';
    const forms = [
      `${field} = ${value}`,
      `${field} = ${value}`,
      `${field} <> ${value}`,
      `${field} IS NULL`,
      `${field} IS NULL`,
      `${field} IS NOT NULL`,
      ...(column.type === 'bool' ? [field, `NOT ${field}`] : [`${value} <= ${field}`, `${field} IN [${value}]`]),
      ...(column.type === 'string' ? [`${field} LIKE ${value.replace(/"$/, '%"')}`, `STARTS_WITH(${field}, ${value})`] : []),
      `COALESCE(${field}, ${value}) = ${value}`,
      `COALESCE(${field}, ${value}) = ${value}`,
    ];
    return forms[this.#below(forms.length)] ?? '';
  }

  #conditions(row: string, columns: readonly Column[]): string {
    const one = this.#condition(row, columns);
    const choice = this.#below(6);
    if (choice === 0) return `${one} AND ${this.#condition(row, columns)}`;
    if (choice === 1) return `(${one} OR ${this.#condition(row, columns)})`;
    return choice === 2 ? `(${one} AND ${this.#condition(row, columns)} OR ${this.#condition(row, columns)})` : one;
  }

  #where(row: string, columns: readonly Column[], chance = 0.6): string {
    return this.#maybe(() => ` WHERE ${this.#conditions(row, columns)}`, chance);
  }

  #limit(): string {
    return ` LIMIT ${1 + this.#below(4)}${this.#maybe(() => ` OFFSET ${this.#below(3)}`)}`;
  }

  #plain(depth: number): Rows {
    const { text, columns, isOrdered } = this.#source(depth);
    const row = this.#name();
    const where = this.#where(row, columns, 0.8);
    const tail = isOrdered ? this.#maybe(() => this.#limit(), 0.3) : '';
    if (this.#below(2) === 0) return { text: `SELECT * FROM ${text} ${row}${where}${tail}`, columns, isOrdered };
    const kept = columns.filter(() => this.#below(3) > 0);
    const all = (kept.length < 2 ? columns : kept).toReversed();
    const items = all.map(({ name, type }) => ({ name: `${name}_${this.#name()}`, type, value: this.#value(`${row}.${name}`, type) }));
    return {
      text: `SELECT ${items.map(({ name, value }) => `${value} AS ${name}`).join(', ')} FROM ${text} ${row}${where}${tail}`,
      columns: items,
      isOrdered,
    };
  }

  #value(field: string, type: Column['type']): string {
    return this.#below(4) > 0
      ? field
      : type === 'int'
        ? `(CASE WHEN ${field} = 1 THEN 2 ELSE ${field} END)`
        : `COALESCE(${field}, ${type === 'string' ? '"b"' : 'false'})`;
  }

  /** By all fields: rows that tie are the same. */
  #top(depth: number): Rows {
    const { text, columns } = this.#source(depth);
    const [row, outer] = [this.#name(), this.#name()];
    const keys = columns
      .toSorted(() => this.#random() - 0.5)
      .map(({ name }) => `${row}.${name}${this.#maybe(() => ' DESC')}${this.#maybe(() => ' NULLS LAST', 0.3)}`);
    const inner = `SELECT * FROM ${text} ${row}${this.#where(row, columns)} ORDER BY ${keys.join(', ')}${this.#maybe(() => this.#limit(), 0.7)}`;
    return {
      text: `SELECT * FROM (${inner}) ${outer}${this.#where(outer, columns, 0.3)}${this.#maybe(() => this.#limit())}`,
      columns,
      isOrdered: true,
    };
  }

  #page(depth: number): Rows {
    const { text, columns, isOrdered } = this.#source(depth);
    const row = this.#name();
    if (!isOrdered) return { text: `SELECT * FROM ${text} ${row}${this.#where(row, columns)}`, columns, isOrdered };
    const inner = `SELECT * FROM ${text} ${row}${this.#where(row, columns, 0.2)}${this.#limit()}`;
    const outer = this.#name();
    return {
      text: `SELECT * FROM (${inner}) ${outer}${this.#where(outer, columns, 0.8)}${this.#maybe(() => this.#limit(), 0.3)}`,
      columns,
      isOrdered,
    };
  }

  #distinct(depth: number): Rows {
    const { text, columns } = this.#source(depth);
    const [row, outer] = [this.#name(), this.#name()];
    const [first, second] = columns.slice(-2);
    if (first === undefined || second === undefined) return this.#table();
    const distinct = `SELECT DISTINCT ${row}.${first.name}, ${row}.${second.name} FROM ${text} ${row}`;
    const tail = this.#maybe(() => this.#limit());
    return {
      text: `SELECT * FROM (${distinct}${tail}) ${outer}${this.#where(outer, [first, second])}${this.#maybe(() => this.#limit())}`,
      columns: [first, second],
      isOrdered: true,
    };
  }

  #grouped(depth: number): Rows {
    const { text, columns } = this.#source(depth);
    const [row, outer, count] = [this.#name(), this.#name(), this.#name()];
    const keys = columns.slice(-2);
    const names = keys.map(({ name }) => `${row}.${name}`).join(', ');
    const by = this.#below(3) > 0 ? names : `ROLLUP (${names})`;
    const grouped = `SELECT ${names}, COUNT(*) AS ${count} FROM ${text} ${row}${this.#where(row, columns)} GROUP BY ${by}`;
    const all: readonly Column[] = [...keys, { name: count, type: 'int' }];
    return { text: `SELECT * FROM (${grouped}) ${outer}${this.#where(outer, all, 0.9)}`, columns: all, isOrdered: false };
  }

  #windowed(depth: number): Rows {
    const { text, columns, isOrdered } = this.#source(depth);
    const [row, outer, name] = [this.#name(), this.#name(), this.#name()];
    const key = columns[this.#below(columns.length)]?.name ?? 'id';
    const window = `COUNT(*) OVER (${this.#maybe(() => `PARTITION BY ${row}.${key}`)})`;
    const items = columns.map((column) => `${row}.${column.name}`).join(', ');
    const all: readonly Column[] = [...columns, { name, type: 'int' }];
    const inner = `SELECT ${items}, CAST(${window} AS int) AS ${name} FROM ${text} ${row}${this.#where(row, columns, 0.3)}`;
    return { text: `SELECT * FROM (${inner}) ${outer}${this.#where(outer, all, 0.9)}`, columns: all, isOrdered };
  }

  #positions(depth: number): Rows {
    const { text, columns, isOrdered } = this.#source(depth);
    if (!isOrdered) return this.#plain(depth);
    const [row, position, name] = [this.#name(), this.#name(), this.#name()];
    const items = columns.map((column) => `${row}.${column.name}`).join(', ');
    const tail = this.#maybe(() => this.#limit(), 0.3);
    const inner = `SELECT ${items}, CAST(${position} AS int) AS ${name} FROM ${text} ${row} AT ${position}${this.#where(row, columns)}${tail}`;
    const outer = this.#name();
    const all: readonly Column[] = [...columns, { name, type: 'int' }];
    return {
      text: `SELECT * FROM (${inner}) ${outer}${this.#where(outer, all)}${this.#maybe(() => this.#limit(), 0.3)}`,
      columns: all,
      isOrdered,
    };
  }

  #union(depth: number): Rows {
    const operands = [this.#table(), this.#source(depth)].map(({ text, columns }) => {
      const row = this.#name();
      const [number, other] = [columns.find(({ type }) => type === 'int'), columns.find(({ type }) => type === 'string')];
      const [a, b] = [
        number === undefined ? 'CAST(NULL AS int)' : `${row}.${number.name}`,
        other === undefined ? 'CAST(NULL AS string)' : `${row}.${other.name}`,
      ];
      return `SELECT ${a} AS a, ${b} AS b FROM ${text} ${row}${this.#where(row, columns, 0.3)}`;
    });
    const operator = ['UNION ALL', 'UNION ALL', 'EXCEPT', 'INTERSECT', 'UNION'][this.#below(5)] ?? '';
    const row = this.#name();
    const columns: readonly Column[] = [
      { name: 'a', type: 'int' },
      { name: 'b', type: 'string' },
    ];
    return { text: `SELECT * FROM (${operands.join(` ${operator} `)}) ${row}${this.#where(row, columns, 0.8)}`, columns, isOrdered: false };
  }

  #join(depth: number): Rows {
    const sources = Array.from({ length: 2 + this.#below(2) }, () => ({ row: this.#name(), rows: this.#source(depth) }));
    const text = sources.map(({ row, rows }, i) => {
      if (i === 0) return `${rows.text} ${row}`;
      const before = sources[this.#below(i)] ?? { row, rows };
      const key = (of: typeof before): string => `${of.row}.${of.rows.columns.find(({ type }) => type === 'int')?.name ?? ''}`;
      const hasKeys = [before, { row, rows }].every((of) => of.rows.columns.some(({ type }) => type === 'int'));
      if (!hasKeys) return `CROSS JOIN ${rows.text} ${row}`;
      // Of rows that tie, any may be the nearest.
      if (/^t\d+$/.test(rows.text) && this.#below(5) === 0)
        return `ASOF JOIN ${rows.text} ${row} ON ${key(before)} >= ${key({ row, rows })}`;
      const kind = ['JOIN', 'JOIN', 'LEFT JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN'][this.#below(6)] ?? '';
      const more = [before, { row, rows }].map((of) => this.#maybe(() => ` AND ${this.#conditions(of.row, of.rows.columns)}`, 0.4));
      return `${kind} ${rows.text} ${row} ON ${key(before)} = ${key({ row, rows })}${more.join('')}`;
    });
    const columns = sources.flatMap(({ row, rows }) =>
      rows.columns.slice(0, 2).map(({ name, type }) => ({ name: `${row}_${name}`, type, value: `${row}.${name}` })),
    );
    const wheres = sources
      .map(({ row, rows }) => (this.#below(2) === 0 ? this.#conditions(row, rows.columns) : ''))
      .filter((condition) => condition !== '');
    const items = columns.map(({ name, value }) => `${value} AS ${name}`).join(', ');
    return {
      text: `SELECT ${items} FROM ${text.join(' ')}${wheres.length === 0 ? '' : ` WHERE ${wheres.join(' AND ')}`}`,
      columns,
      isOrdered: false,
    };
  }
}

let whole: QueryRunner;
let partly: QueryRunner;
beforeAll(async () => {
  whole = await openQueryRunner(TABLES);
  partly = await openQueryRunner(TABLES, { tablesOf: reduced });
});
afterAll(async () => {
  await whole.close();
  await partly.close();
});

test(
  `${COUNT} random queries of seed ${SEED} return the same rows over what they need of their tables`,
  async () => {
    let reducedQueries = 0;
    for (let i = 0; i < COUNT; i += 1) {
      const { text, isOrdered } = new Queries(randomNumbers(SEED * 1_000_003 + i)).whole();
      const [expected, found] = [await whole.outcome(text), await partly.outcome(text)];
      expect({ text, outcome: sorted(found, isOrdered) }).toEqual({ text, outcome: sorted(expected, isOrdered) });
      expect({ text, kind: expected.kind }).toEqual({ text, kind: 'result' });
      if (expected.kind === 'result' && expected.lines.length > 0) reducedQueries += 1;
    }
    // Queries without rows prove little.
    expect(reducedQueries).toBeGreaterThan(COUNT / 3);
  },
  60_000 + COUNT * 400,
);

function sorted(outcome: Awaited<ReturnType<QueryRunner['outcome']>>, isOrdered: boolean) {
  return outcome.kind === 'result' && !isOrdered ? { ...outcome, lines: outcome.lines.toSorted() } : outcome;
}
