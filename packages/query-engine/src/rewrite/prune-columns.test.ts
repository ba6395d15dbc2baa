import type { CheckEnvironment, Plan } from '@svc/query-language';
import { childrenOfPlan, printPlan, printType } from '@svc/query-language';

import { planOf } from '../testing/check-text.ts';
import { environmentOf } from '../testing/lower-over-tables.ts';
import { pruneColumns } from './prune-columns.ts';

const environment: CheckEnvironment = {
  ...environmentOf({
    t: { type: 'record(a: int, b: string, c: double, d: collection(record(x: int, y: int)))', sql: '' },
    u: { type: 'record(a: int, e: string)', sql: '' },
  }),
  findRead: ({ asType }) => (asType === null ? undefined : { type: asType }),
};

const prune = (text: string): Plan => pruneColumns(planOf(text, environment));

/** The scans of a plan, with the fields that each has. */
function scansOf(plan: Plan): readonly string[] {
  const below = childrenOfPlan(plan).flatMap(scansOf);
  if (plan.kind !== 'TableScan' || plan.type.element.kind !== 'RecordType') return below;
  return [...below, `${plan.table}(${plan.type.element.fields.map(({ name }) => name).join(', ')})`];
}

test.each([
  ['the fields of item, condition and order', 'SELECT a FROM t WHERE c > 1 ORDER BY b', ['t(a, b, c)']],
  ['keys and aggregates', 'SELECT b, SUM(a) FROM t GROUP BY b', ['t(a, b)']],
  ['rows that are counted', 'SELECT COUNT(*) FROM t', ['t(a)']],
  ['all rows as they are', 'SELECT * FROM t', ['t(a, b, c, d)']],
  ['all fields but one', 'SELECT * EXCLUDE (b) FROM t', ['t(a, c, d)']],
  ['a row as a value', 'SELECT t.a, TO_JSON(t) FROM t', ['t(a, b, c, d)']],
  ['a group of rows', 'SELECT b, * FROM t GROUP BY b', ['t(a, b, c, d)']],
  ['a nested collection', 'SELECT x.y FROM t, t.d x', ['t(d)']],
  ['a nested query', 'SELECT u.e, (SELECT t.b FROM t WHERE t.a = u.a) FROM u', ['u(a, e)', 't(a, b)']],
  ['both sides of a join', 'SELECT t.b, u.e FROM t LEFT JOIN u ON t.a = u.a', ['t(a, b)', 'u(a, e)']],
  ['a declaration', 'v := t; SELECT b FROM v', ['t(b)']],
  ['a declaration that is used twice', 'v := t; SELECT x.b, y.c FROM v x JOIN v y ON x.a = y.a', ['t(a, b, c)']],
  ['a declaration that is a value too', 'v := t; SELECT w.b, LEN(v) AS n FROM v w', ['t(a, b, c, d)']],
  ['a query of all fields below', 'SELECT a FROM (SELECT * FROM t) x', ['t(a)']],
  ['queries of all fields below and below', 'v := SELECT * FROM t; SELECT y.a FROM (SELECT * FROM v WHERE c > 1) y', ['t(a, c)']],
  ['a query of some fields below', 'SELECT e FROM (SELECT a, b AS e FROM t WHERE c > 1) x', ['t(b, c)']],
  ['a value that is computed below, and stays', 'SELECT x.a FROM (SELECT a, CAST(b AS INT) AS e FROM t) x', ['t(a, b)']],
  ['different rows below', 'SELECT x.a FROM (SELECT DISTINCT a, b FROM t) x', ['t(a, b)']],
  ['an order below by a field of the result', 'SELECT x.a FROM (SELECT a, b AS e FROM t ORDER BY e) x', ['t(a, b)']],
  ['a set', 'SELECT x.a FROM (t UNION ALL t) x', ['t(a, b, c, d)', 't(a, b, c, d)']],
])('of %s only the columns that are used are scanned', (_, text, scans) => {
  expect(scansOf(prune(text))).toEqual(scans);
});

const DOCUMENT = 'READ_JSON("file:d.json" AS record(a: int, b: collection(record(x: int, y: int)), c: record(z: int), d: string))';

/** The types of what a plan reads. */
function readsOf(plan: Plan): readonly string[] {
  return [...(plan.kind === 'Read' ? [printType(plan.type)] : []), ...childrenOfPlan(plan).flatMap(readsOf)];
}

test.each([
  ['a field', `${DOCUMENT}.a`, 'record(a: int)'],
  ['a field of a field', `${DOCUMENT}.c.z + 1`, 'record(c: record(z: int))'],
  ['a collection in it', `SELECT b.y FROM ${DOCUMENT}.b`, 'record(b: collection(record(x: int, y: int)))'],
  ['a declaration', `d := ${DOCUMENT}; SELECT i.y FROM d.b i WHERE i.x = d.a`, 'record(a: int, b: collection(record(x: int, y: int)))'],
  ['a part of a record', `d := ${DOCUMENT}; (n: d.d, l: LEN(d.b))`, 'record(b: collection(record(x: int, y: int)), d: string)'],
])('of a document only the fields that are used are read: %s', (_, text, type) => {
  expect(readsOf(prune(text))).toEqual([type]);
});

test('a document that is a value is read as a whole', () => {
  for (const text of [DOCUMENT, `TO_JSON(${DOCUMENT})`, `d := ${DOCUMENT}; (a: d.a, all: d)`, `SELECT d.a, d FROM [${DOCUMENT}] d`])
    expect(readsOf(prune(text))).toEqual(readsOf(planOf(text, environment)));
});

test('rows of which a condition uses more fields than the query around them have the others alone', () => {
  expect(printPlan(prune('SELECT x.c FROM (SELECT * FROM t WHERE b = "x") x'))).toContain(`
    item: RecordLiteral : record(c: double)
      values[0]: Field index=1 : double
        target: Variable id=1 : record(b: string, c: double)`);
});

test('the plan of pruned rows is one of rows that never had more', () => {
  expect(printPlan(prune('v := SELECT a, b AS e, c FROM t WHERE b > "x"; SELECT v.c FROM v LEFT JOIN u ON u.e = v.e'))).toBe(
    `Let id=3 name="v" : collection(double)
  value: Select itemVariable=2 order="source" : collection(record(e: string, c: double))
    sources[0].row=1
    sources[0].collection: TableScan table="t" : collection(record(b: string, c: double))
    sources[0].join="cross"
    where: Comparison operator=">" : bool
      left: Field index=0 : string
        target: Variable id=1 : record(b: string, c: double)
      right: Constant value="x" : string
    item: RecordLiteral : record(e: string, c: double)
      values[0]: Field index=0 : string
        target: Variable id=1 : record(b: string, c: double)
      values[1]: Field index=1 : double
        target: Variable id=1 : record(b: string, c: double)
  body: Select itemVariable=6 order="none" : collection(double)
    sources[0].row=4
    sources[0].collection: Variable id=3 : collection(record(e: string, c: double))
    sources[0].join="cross"
    sources[1].row=5
    sources[1].collection: TableScan table="u" : collection(record(e: string))
    sources[1].join="left"
    sources[1].on: Comparison operator="=" : bool
      left: Field index=0 : string
        target: Variable id=5 : record(e: string)
      right: Field index=0 : string
        target: Variable id=4 : record(e: string, c: double)
    sources[1].isOptional=true
    item: Field index=1 : double
      target: Variable id=4 : record(e: string, c: double)`,
  );
});

test('a plan of which everything is used is the same plan', () => {
  const plan = planOf('SELECT * FROM t', environment);
  expect(pruneColumns(plan)).toBe(plan);
});

// To visit what is below once for each level above would not end.
test('each part of a deep plan is visited once', () => {
  const nested = Array.from({ length: 60 }).reduce<string>((text, _, i) => `SELECT * FROM (${text}) x${i}`, '[(a: 1, b: 2)]');
  const deep = planOf(`SELECT z.a FROM (${nested}) z`, environment);
  const declared = Array.from({ length: 500 }, (_, i) => `v${i + 1} := SELECT * FROM v${i}`).join('; ');
  const long = planOf(`v0 := SELECT * FROM t; ${declared}; SELECT a FROM v500`, environment);
  expect(printType(pruneColumns(deep).type)).toBe(printType(deep.type));
  expect(scansOf(pruneColumns(long))).toEqual(['t(a)']);
});

test('the type of the result is what it was', () => {
  const text = 'SELECT x.a, x.c FROM (SELECT * FROM t) x';
  expect(printType(prune(text).type)).toBe(printType(planOf(text, environment).type));
});
