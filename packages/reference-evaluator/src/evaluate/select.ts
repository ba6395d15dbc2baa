import { starFields } from '../program/star-fields.ts';
import type { Select, Star, Term } from '../program/term.ts';
import { boundValues, outermostTerms, someNode } from '../program/tree.ts';
import { unguardedTerms } from '../program/unguarded.ts';
import { compareInside, compareKeys, distinct } from '../values/order.ts';
import type { Value } from '../values/value.ts';
import { Unpromised } from '../values/value.ts';
import type { Environment, RowBlocks, WindowRows } from './environment.ts';
import { bind, evaluate, isEmpty, itemId, leftOutId } from './environment.ts';
import { joinSources, variablesOf } from './join.ts';
import { cut, keep, sortBlocks } from './rows.ts';
import { touchKeys } from './touch-keys.ts';
import { attempt, touch, touchBranches } from './touch.ts';

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
  const items = [select.items.map(({ value }) => value), select.orderBy.map(({ value }) => value), select.distinctOn];
  const isOwn = (kind: string) => (node: Readonly<Record<string, unknown>>) => node['kind'] === kind && node['select'] === select.id;
  const hasWindows = someNode([items, select.qualify], isOwn('window'));
  const kept = keep(all, select.having);
  const groups = hasWindows ? withWindows(select, kept) : kept;
  if (isEmpty(joined)) touch(select.where, environment);
  const { where } = select;
  if (where !== null) {
    const isKept = new Set(rows.flat());
    for (const row of joined.flat()) if (!isKept.has(row)) touchKeys(where, row, select.sources.map(variablesOf));
  }
  if (isEmpty(rows)) touch([select.keys.map(({ value }) => value), select.having, select.qualify, items], environment);
  if (isEmpty(groups)) touch([select.qualify, items], environment);
  // The engine may compute aggregates and queries over the group before HAVING, and both for branches that are not taken.
  const written = [items, select.having, select.qualify];
  for (const term of outermostTerms([written, boundValues(written)], isOwn('aggregate')))
    for (const row of all.flat()) attempt(row, () => evaluate(term as unknown as Term, row));
  const isOwnGroup = (node: Readonly<Record<string, unknown>>): boolean =>
    node['kind'] === 'star' && node['isGroup'] === true && (node as unknown as Star).select.id === select.id;
  for (const term of unguardedTerms([written, boundValues(written)]).filter((node) => someNode(node, isOwnGroup)))
    for (const row of all.flat()) touchBranches(term, row);
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
  if (select.distinctOn.length > 0) made = firstOfEach(made, select.distinctOn);
  return cut(select, environment, { kind: 'collection', blocks: made.map((block) => block.map(({ value }) => value)) });
}

/** DISTINCT ON: the first of the rows with equal keys; open if it has no guaranteed order among others. */
function firstOfEach(blocks: readonly (readonly Made[])[], keys: readonly Term[]): Made[][] {
  const seen: (readonly Value[])[] = [];
  return blocks.map((block) => {
    const found = block.map((row) => ({ row, keys: keys.map((key) => evaluate(key, row.environment)) }));
    const fresh = found.filter((one) => !seen.some((other) => compareAll(other, one.keys) === 0));
    const firsts = fresh.filter((one, i) => fresh.findIndex((other) => compareAll(other.keys, one.keys) === 0) === i);
    for (const first of firsts) {
      const equal = fresh.filter((other) => compareAll(other.keys, first.keys) === 0);
      if (equal.some(({ row }) => compareInside(row.value, first.row.value) !== 0)) throw new Unpromised('order of ties in DISTINCT ON');
    }
    seen.push(...firsts.map((first) => first.keys));
    return firsts.map(({ row }) => row);
  });
}

/** Binds each row to all rows, for its windows. */
function withWindows({ id }: Select, blocks: RowBlocks): RowBlocks {
  const rows = blocks.flat();
  const known: WindowRows['known'] = new Map();
  return blocks.map((block) => block.map((row) => ({ ...row, windows: new Map([...row.windows, [id, { rows, row, known }]]) })));
}

/** Returns one environment per group, in ascending order of the keys as written, NULL first; without keys one group, even of no rows. */
function group(select: Select, rows: RowBlocks, environment: Environment): RowBlocks {
  const sets = select.groupings?.sets ?? [[...select.keys.keys()]];
  const found = sets.flatMap((set) => groupsBy(select, set, rows));
  const written = [...new Set(sets.flat())];
  const sortKey = ({ keys, leftOut }: Group): readonly Value[] => [keys, leftOut].flatMap((all) => written.map((i) => all[i] ?? null));
  return found
    .toSorted((a, b) => compareAll(sortKey(a), sortKey(b)))
    .map(({ keys, leftOut, blocks }) => {
      const bound = bind(
        environment,
        select.keys.flatMap(({ id }, i) => [[id, keys[i] ?? null] as const, [leftOutId(id), leftOut[i] ?? null] as const]),
      );
      return [{ ...bound, groups: new Map([...environment.groups, [select.id, blocks]]) }];
    });
}

interface Group {
  readonly keys: readonly Value[];
  /** Whether the grouping leaves out each key. */
  readonly leftOut: readonly boolean[];
  readonly blocks: RowBlocks;
}

/** The groups by some keys, the others NULL; by no key one, even of no rows. */
function groupsBy(select: Select, set: readonly number[], rows: RowBlocks): readonly Group[] {
  const leftOut = select.keys.map((_, i) => !set.includes(i));
  if (set.length === 0) return [{ keys: select.keys.map(() => null), leftOut, blocks: rows }];
  const found: (Group & { readonly blocks: Environment[][] })[] = [];
  for (const block of rows) {
    const added = new Map<(typeof found)[number], Environment[]>();
    for (const row of block) {
      const keys = select.keys.map(({ value }, i) => (set.includes(i) ? evaluate(value, row) : null));
      let same = found.find((other) => compareAll(other.keys, keys) === 0);
      if (same === undefined) found.push((same = { keys, leftOut, blocks: [] }));
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

/** Returns `*` without GROUP BY: the row of the only source, or the fields of all sources. */
export function rowOfStar({ sources }: Pick<Select, 'sources'>, environment: Environment): Value {
  const [only, ...others] = sources;
  if (only !== undefined && others.length === 0) return (environment.values.get(only.id) ?? null) as Value;
  return { kind: 'record', values: starFields(sources).map(({ value }) => evaluate(value, environment)) };
}
