import { distinct } from './evaluate-binary.ts';
import { evaluate, itemId, touch } from './evaluate.ts';
import { joinSources } from './evaluate-join.ts';
import type { Environment, RowBlocks } from './environment.ts';
import { bind, attempt, isEmpty } from './environment.ts';
import { AGGREGATES } from './aggregates.ts';
import type { Aggregate, Order, Select } from './select-term.ts';
import type { Term } from './term.ts';
import { starFields } from './star-fields.ts';
import { boundValues, outermostTerms, someNode } from './uses-variables.ts';
import type { CollectionValue, Value } from './value.ts';
import { compareInside, compareKeys, inOrder, ordered, RunTimeError, textOf, Unpromised } from './value.ts';

/** A row of the result, and the environment that computed it. */
interface Made {
  readonly environment: Environment;
  readonly value: Value;
}

/** Evaluates the clauses in order: FROM, WHERE, GROUP BY, HAVING, windows, QUALIFY, items, DISTINCT, ORDER BY, OFFSET, LIMIT. */
export function evaluateSelect(select: Select, environment: Environment): Value {
  const joined = joinSources(select.sources, environment);
  const rows = keep(joined, select.where);
  const isGrouped = select.keys.length > 0 || select.isSingle;
  const all = isGrouped ? group(select, rows, environment) : rows;
  const items = [select.items.map(({ value }) => value), select.orderBy.map(({ value }) => value)];
  const isOwn = (kind: string) => (node: Readonly<Record<string, unknown>>) => node['kind'] === kind && node['select'] === select.id;
  const hasWindows = someNode([items, select.qualify], isOwn('window'));
  const kept = keep(all, select.having);
  const groups = hasWindows ? withWindows(select, kept) : kept;
  if (isEmpty(joined)) touch(select.where, environment);
  if (isEmpty(rows)) touch([select.keys.map(({ value }) => value), select.having, select.qualify, items], environment);
  if (isEmpty(groups)) touch([select.qualify, items], environment);
  // The engine may compute aggregates before HAVING, and both for branches that are not taken.
  const written = [items, select.having, select.qualify];
  for (const term of outermostTerms([written, boundValues(written)], isOwn('aggregate')))
    for (const row of all.flat()) attempt(row, () => evaluate(term as unknown as Term, row));
  for (const term of outermostTerms([items, select.qualify], isOwn('window')))
    for (const row of hasWindows ? groups.flat() : []) attempt(row, () => evaluate(term as unknown as Term, row));
  if (select.isSingle) {
    const [only] = groups.flat();
    return only === undefined ? null : itemsOf(select, only).value;
  }
  const qualified = keep(groups, select.qualify);
  if (isEmpty(qualified)) touch(items, environment);
  let made = qualified.map((block) => block.map((row) => itemsOf(select, row)));
  if (select.isDistinct) {
    const values = distinct(made.flat().map(({ value }) => value));
    made = values.map((value) => [{ environment: withItems(select, environment, value), value }]);
  }
  if (select.orderBy.length > 0) made = sortBlocks(made.flat(), (row) => row.environment, select.orderBy);
  return cut(select, environment, { kind: 'collection', blocks: made.map((block) => block.map(({ value }) => value)) });
}

/** Binds each row to all rows, for its windows. */
function withWindows({ id }: Select, blocks: RowBlocks): RowBlocks {
  const rows = blocks.flat();
  return blocks.map((block) => block.map((row) => ({ ...row, windows: new Map([...row.windows, [id, { rows, row }]]) })));
}

/** The rows for which a condition is TRUE. */
function keep(rows: RowBlocks, condition: Term | null): RowBlocks {
  if (condition === null) return rows;
  return rows.map((block) => block.filter((row) => evaluate(condition, row) === true));
}

/** Returns one environment per group, in ascending order of the keys, NULL first; without keys one group, even of no rows. */
function group(select: Select, rows: RowBlocks, environment: Environment): RowBlocks {
  const groupOf = (keys: readonly Value[], members: RowBlocks): Environment => {
    const bound = bind(
      environment,
      select.keys.map(({ id }, i) => [id, keys[i] ?? null] as const),
    );
    return { ...bound, groups: new Map([...environment.groups, [select.id, members]]) };
  };
  if (select.isSingle) return [[groupOf([], rows)]];
  const counts = select.isRolledUp ? [...select.keys.keys(), select.keys.length].toReversed() : [select.keys.length];
  // Among equal keys, the groups of rolled-up keys come last.
  const found = counts.flatMap((count) => groupsBy(select, count, rows));
  return found.toSorted((a, b) => compareAll(a.keys, b.keys)).map(({ keys, blocks }) => [groupOf(keys, blocks)]);
}

/** The groups by the first keys, the others NULL; by no key one, even of no rows. */
function groupsBy(
  select: Select,
  count: number,
  rows: RowBlocks,
): readonly { readonly keys: readonly Value[]; readonly blocks: RowBlocks }[] {
  if (count === 0) return [{ keys: select.keys.map(() => null), blocks: rows }];
  const found: { readonly keys: readonly Value[]; blocks: Environment[][] }[] = [];
  for (const block of rows) {
    const added = new Map<(typeof found)[number], Environment[]>();
    for (const row of block) {
      const keys = select.keys.map(({ value }, i) => (i < count ? evaluate(value, row) : null));
      let same = found.find((other) => compareAll(other.keys, keys) === 0);
      if (same === undefined) found.push((same = { keys, blocks: [] }));
      added.set(same, [...(added.get(same) ?? []), row]);
    }
    for (const [target, members] of added) target.blocks.push(members);
  }
  return found;
}

function compareAll(a: readonly Value[], b: readonly Value[]): number {
  for (const [i, key] of a.entries()) {
    const order = compareKeys(key, b[i] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

/** Returns the items of one row, and the environment in which ORDER BY sees them. */
function itemsOf(select: Select, row: Environment): Made {
  const values = select.items.map(({ value }) => evaluate(value, row));
  const [first] = values;
  const value: Value = select.items[0]?.field === null ? (first ?? null) : { kind: 'record', values };
  return {
    value,
    environment: bind(
      row,
      values.map((item, i) => [itemId(select.id, i), item] as const),
    ),
  };
}

/** Returns the environment of ORDER BY with DISTINCT, which sees the items alone. */
function withItems(select: Select, environment: Environment, value: Value): Environment {
  const isRecord = select.items[0]?.field !== null && typeof value === 'object' && value !== null && value.kind === 'record';
  const values = isRecord ? value.values : [value];
  return bind(
    environment,
    values.map((item, i) => [itemId(select.id, i), item] as const),
  );
}

/** Sorts rows into blocks of ties, which have no guaranteed order. */
export function sortBlocks<Row>(rows: readonly Row[], environmentOf: (row: Row) => Environment, orderBy: readonly Order[]): Row[][] {
  const keyed = rows.map((row) => ({
    row,
    keys: orderBy.map(({ value }) => evaluate(value, environmentOf(row))),
  }));
  const compare = (a: readonly Value[], b: readonly Value[]): number => {
    for (const [i, order] of orderBy.entries()) {
      const result = compareKey(a[i] ?? null, b[i] ?? null, order);
      if (result !== 0) return result;
    }
    return 0;
  };
  const sorted = keyed.toSorted((a, b) => compare(a.keys, b.keys));
  const blocks: Row[][] = [];
  for (const [i, { row, keys }] of sorted.entries()) {
    if (i > 0 && compare(sorted[i - 1]?.keys ?? [], keys) === 0) blocks.at(-1)?.push(row);
    else blocks.push([row]);
  }
  return blocks;
}

/** The order of two values by a key of ORDER BY. */
export function compareKey(a: Value, b: Value, { isDescending, nulls }: Pick<Order, 'isDescending' | 'nulls'>): number {
  if (a === null || b === null) {
    if (a === b) return 0;
    const areFirst = nulls === null ? !isDescending : nulls === 'first';
    return (a === null) === areFirst ? -1 : 1;
  }
  return compareInside(a, b) * (isDescending ? -1 : 1);
}

/** Applies OFFSET and LIMIT: if they cut a block of ties, the result is open. */
export function cut(select: Pick<Select, 'limit' | 'offset'>, environment: Environment, value: CollectionValue): Value {
  const [limit, offset] = [select.limit, select.offset].map((bound) => (bound === null ? null : boundOf(bound, environment)));
  const start = Number(offset ?? 0n);
  const end = limit === null || limit === undefined ? Number.POSITIVE_INFINITY : start + Number(limit);
  const blocks: (readonly Value[])[] = [];
  let place = 0;
  for (const block of value.blocks) {
    const [from, to] = [Math.max(start - place, 0), Math.min(end - place, block.length)];
    place += block.length;
    if (from >= to) continue;
    if (to - from < block.length) inOrder({ kind: 'collection', blocks: [block] });
    blocks.push(block.slice(from, to));
  }
  return { ...value, blocks };
}

function boundOf(term: Term, environment: Environment): Value {
  const bound = evaluate(term, environment);
  if (typeof bound !== 'bigint' || bound >= 0n) return bound;
  const { sample } = environment.progress;
  if (sample === null) throw new RunTimeError('negative LIMIT or OFFSET');
  const other = sample('short');
  return typeof other === 'bigint' && other < 0n ? -other : other;
}

/** Returns `*` without GROUP BY: the row of the only source, or the fields of all sources. */
export function rowOfStar({ sources }: Pick<Select, 'sources'>, environment: Environment): Value {
  const [only, ...others] = sources;
  if (only !== undefined && others.length === 0) return (environment.values.get(only.id) ?? null) as Value;
  return { kind: 'record', values: starFields(sources).map(({ value }) => evaluate(value, environment)) };
}

type AggregateRule = (values: readonly Value[], term: Aggregate) => Value;

/** Order-dependent aggregates. Only COLLECT keeps NULL. */
const IN_ORDER: Readonly<Record<string, AggregateRule>> = {
  FIRST: (values) => values[0] ?? null,
  LAST: (values) => values.at(-1) ?? null,
  STRING_AGG: (values, { separator }) => (values.length === 0 ? null : values.map(textOf).join(String(separator ?? ''))),
};

/** An aggregate over the rows of the group of its SELECT. */
export function aggregateRows(term: Aggregate, environment: Environment): Value {
  const rows = keep(environment.groups.get(term.select) ?? [], term.filter);
  const sorted = term.orderBy.length === 0 ? rows : sortBlocks(rows.flat(), (row) => row, term.orderBy);
  const { argument } = term;
  if (isEmpty(environment.groups.get(term.select) ?? [])) touch(term.filter, environment);
  if (isEmpty(sorted)) touch([argument, term.by, term.orderBy.map(({ value }) => value)], environment);
  if (argument === null) return BigInt(sorted.flat().length);
  if (term.by !== null)
    return valueOfExtreme(
      sorted.flat().map((row) => [evaluate(argument, row), evaluate(term.by ?? argument, row)]),
      term.name,
    );
  const blocks = sorted.map((block) => block.map((row) => evaluate(argument, row)));
  if (term.name === 'COLLECT') return term.isDistinct ? ordered(distinct(blocks.flat())) : { kind: 'collection', blocks };
  const present = blocks.map((block) => block.filter((value) => value !== null));
  const rule = AGGREGATES[term.name];
  if (rule !== undefined) return rule(term.isDistinct ? distinct(present.flat()) : present.flat(), Number(term.separator));
  const ofOrder = IN_ORDER[term.name];
  if (ofOrder === undefined) throw new Error(`there is no aggregate ${term.name}`);
  if (term.isDistinct) throw new Unpromised('order of DISTINCT in an aggregate');
  return ofOrder(inOrder({ kind: 'collection', blocks: present }), term);
}

/** Evaluates ARG_MIN and ARG_MAX over pairs of a value and its sort key; pairs with NULL are skipped. */
function valueOfExtreme(pairs: readonly (readonly [value: Value, by: Value])[], name: string): Value {
  const present = pairs.filter(([value, by]) => value !== null && by !== null);
  const [least] = present.map(([, by]) => by).toSorted((a, b) => compareInside(a, b) * (name === 'ARG_MIN' ? 1 : -1));
  if (least === undefined) return null;
  const [first = null, ...others] = present.filter(([, by]) => compareInside(by, least) === 0).map(([value]) => value);
  if (others.some((value) => compareInside(first, value) !== 0)) throw new Unpromised('order of ties in ARG_MIN');
  return first;
}
