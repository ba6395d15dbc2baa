import { impliedName } from '../program/implied-name.ts';
import { starFields } from '../program/star-fields.ts';
import type { GroupKey, Groupings, Item, Key, Select, Source, Term } from '../program/term.ts';
import { someNode } from '../program/tree.ts';
import type { Shape } from '../values/shape.ts';
import { isSameShape } from '../values/shape.ts';
import { aggregateOf } from './aggregate.ts';
import { bounds, lastClauses, orderedBy, qualifyOf } from './clauses.ts';
import type { Generator } from './generator.ts';
import { pick } from './generator.ts';
import type { Frame, Named, Scope } from './scope.ts';
import { blocking, referencesIn, within } from './scope.ts';
import { sourcesOf } from './sources.ts';

/** Generates a SELECT with elements of a type. */
export function selectOf(generator: Generator, element: Shape, scope: Scope, depth: number): Select {
  const { tape } = generator;
  const id = generator.fresh();
  const { sources, frame } = sourcesOf(generator, element, scope, depth);
  const rows = within(scope, frame);
  const star = { select: { id, sources }, shape: starShape(sources) };
  const where = tape.chance(40) ? generator.expression('bool', rows, Math.min(depth, 3)) : null;
  const base = { kind: 'select', id, shape: { kind: 'collection', element }, sources, where, isSingle: false } as const;
  if (tape.chance(30)) return grouped(generator, base, { element, scope, rows, star, frame, depth });
  const isStar = isSameShape(star.shape, element) && tape.chance(50);
  const items = isStar
    ? [{ value: { kind: 'star', shape: element, select: star.select, isGroup: false } as const, field: null, isFieldWritten: false }]
    : itemsOf(generator, element, { ...rows, window: { select: id, rows, canDeclare: true } }, depth);
  return { ...base, items, ...lastClauses(generator, { id, items, sources, scope: rows }) };
}

type Base = Pick<Select, 'kind' | 'id' | 'shape' | 'sources' | 'where' | 'isSingle'>;

function grouped(
  generator: Generator,
  base: Base,
  at: {
    readonly element: Shape;
    readonly scope: Scope;
    readonly rows: Scope;
    readonly star: NonNullable<Scope['star']>;
    readonly frame: Frame;
    readonly depth: number;
  },
): Select {
  const { tape } = generator;
  const { element, scope, rows, star, frame, depth } = at;
  const keys = Array.from({ length: 1 + tape.choose(2) }, (_, i) => keyOf(generator, rows, i)).filter(
    ({ value }, i, all) => i === 0 || JSON.stringify(all[0]?.value, plain) !== JSON.stringify(value, plain),
  );
  // The fields of these sources may be NULL where they are rolled up; what is of a row around keeps its type, and is refused.
  const own = new Set(base.sources.map(({ id }) => id));
  const hasGroupings = keys.every(({ value, alias }) => alias === null && isFieldOf(value, own)) && tape.chance(35);
  const groupings = hasGroupings ? groupingsOf(generator, keys.length) : null;
  const inner = groupScope({ scope, rows, frame, keys, hasGroupings, select: base.id, star });
  const items = itemsOf(generator, element, { ...inner, window: { select: base.id, rows: inner, canDeclare: true } }, depth);
  const having = tape.chance(25) ? generator.expression('bool', havingScope(inner, items), Math.min(depth, 2)) : null;
  const isDistinct = tape.chance(8);
  const order = orderedBy(generator, { id: base.id, items, isDistinct, scope: inner });
  const written = keys.map((key) => ({ ...key, position: hasGroupings ? null : positionOf(generator, key, items) }));
  const qualify = tape.chance(8) ? qualifyOf(generator, { id: base.id, items, scope: inner }) : null;
  return {
    ...base,
    ...order,
    ...bounds(generator, [], true),
    items,
    isDistinct,
    distinctOn: [],
    keys: written,
    groupings,
    having,
    qualify,
  };
}

/** Generates ROLLUP, CUBE or GROUPING SETS of keys; each key stands in one of the sets. */
function groupingsOf({ tape }: Generator, count: number): Groupings {
  const all = Array.from({ length: count }, (_, i) => i);
  if (tape.chance(40)) return { word: 'ROLLUP', sets: [...all.map((i) => all.slice(0, i)), all] };
  const subsets = all.reduce<readonly (readonly number[])[]>((sets, i) => [...sets, ...sets.map((set) => [...set, i])], [[]]);
  if (tape.chance(50)) return { word: 'CUBE', sets: subsets };
  const chosen = Array.from({ length: 1 + tape.choose(3) }, () => subsets[tape.choose(subsets.length)] ?? []);
  const isWhole = all.every((i) => chosen.some((set) => set.includes(i)));
  return { word: 'GROUPING SETS', sets: isWhole ? chosen : [...chosen, all] };
}

/** Returns whether a term is a field of one of some variables, or of a field of one. */
function isFieldOf(term: Term, variables: ReadonlySet<number>): boolean {
  if (term.kind !== 'field') return false;
  return term.target.kind === 'variable' ? variables.has(term.target.id) : isFieldOf(term.target, variables);
}

/** The position of an item that is the key. */
function positionOf(generator: Generator, { id, alias }: GroupKey, items: readonly Item[]): number | null {
  const place = items.findIndex(({ value }) => value.kind === 'key' && value.id === id);
  return place >= 0 && alias === null && generator.tape.chance(40) ? place + 1 : null;
}

/** Of a term as JSON: a field is the same key with and without its alias. */
const plain = (name: string, value: unknown): unknown =>
  name === 'isBare' ? undefined : typeof value === 'bigint' ? String(value) : value;

/** A key: a field, or an expression, which may have a name. */
function keyOf(generator: Generator, rows: Scope, i: number): Select['keys'][number] {
  const fields = referencesIn(rows).filter(({ kind, shape }) => (kind === 'field' || kind === 'merged') && typeof shape === 'string');
  const id = generator.fresh();
  if (fields.length > 0 && generator.tape.chance(70)) return { id, value: pick(generator, fields), alias: null, position: null };
  const shape = pick(generator, ['int', 'string', 'bool', 'double'] as const);
  const made = generator.expression(shape, rows, 2);
  // A number, also `-1`, would be a position; operands of AND and OR would no longer be found in longer chains.
  const isOther =
    made.kind === 'literal' || made.kind === 'unary' || made.kind === 'between' || (made.kind === 'binary' && shape === 'bool');
  const value: Term = isOther ? { kind: 'is-null', shape: 'bool', isNegated: false, operand: made } : made;
  return { id, value, alias: generator.tape.chance(60) ? `g${i}` : null, position: null };
}

/** Returns the scope of items of a grouped SELECT: its keys, aggregates and `*`; other names of its sources are blocked. */
function groupScope(at: {
  readonly scope: Scope;
  readonly rows: Scope;
  readonly frame: Frame;
  readonly keys: Select['keys'];
  readonly hasGroupings: boolean;
  readonly select: number;
  readonly star: NonNullable<Scope['star']>;
}): Scope {
  const { scope, rows, frame, keys, hasGroupings, select, star } = at;
  const asKey = ({ id, value }: Select['keys'][number], written: Term): Key => ({ kind: 'key', id, shape: value.shape, written });
  const aliases = keys.flatMap((key): readonly Named[] =>
    key.alias === null ? [] : [{ name: key.alias, term: { kind: 'variable', id: key.id, name: key.alias, shape: key.value.shape } }],
  );
  const isConstant = (term: Term): boolean => !someNode(term, (node) => node['kind'] === 'variable');
  // In an expression that is printed again, the name of a key would denote that key.
  const hidden = new Set(aliases.map(({ name }) => name));
  const isHidden = (node: Readonly<Record<string, unknown>>): boolean =>
    (node['kind'] === 'variable' || node['isBare'] === true) && hidden.has(String(node['name']));
  const written = keys.filter(({ value }) => !isConstant(value) && !someNode(value, isHidden)).map((key) => asKey(key, key.value));
  const names = namesOf(frame);
  const bare = keys.flatMap((key): readonly Named[] =>
    (key.value.kind === 'field' || key.value.kind === 'merged') && key.value.isBare
      ? [{ name: key.value.name, term: asKey(key, key.value) }]
      : [],
  );
  for (const { name } of bare) names.delete(name);
  const inner: Frame = { aliases, fields: bare, blocked: [...names], blockedAliases: frame.aliases.map(({ name }) => name) };
  const own = blocking(
    rows,
    aliases.map(({ name }) => name),
  );
  return { frames: [...scope.frames, inner], group: { select, rows: own, keys: written, hasGroupings }, star, window: null };
}

/** Returns the names that a frame gives or blocks: outer names are not meant by them. */
function namesOf({ aliases, fields, blocked }: Frame): Set<string> {
  return new Set([...[...aliases, ...fields].map(({ name }) => name), ...blocked]);
}

/** Returns the type of `*` without GROUP BY. */
function starShape(sources: readonly Source[]): Shape {
  const [only] = sources;
  if (only !== undefined && sources.length === 1) return only.shape;
  return { kind: 'record', fields: starFields(sources).map(({ name, shape }) => ({ name, shape })) };
}

/** Generates one item for each field of a record, or a bare one. */
function itemsOf(generator: Generator, element: Shape, scope: Scope, depth: number): readonly Item[] {
  if (typeof element !== 'object' || element.kind !== 'record')
    return [{ value: generator.expression(element, scope, depth), field: null, isFieldWritten: false }];
  if (generator.tape.chance(10)) return [{ value: generator.expression(element, scope, depth), field: null, isFieldWritten: false }];
  return element.fields.map(({ name, shape }, i): Item => {
    const value = generator.expression(shape, scope, depth);
    const isImplied = element.fields.length > 1 && (impliedName(value) ?? `_${i + 1}`) === name && generator.tape.chance(70);
    return { value, field: name, isFieldWritten: !isImplied };
  });
}

/** Generates a SELECT of one aggregate over all rows, whose result is not a collection; null if no aggregate has the type. */
export function singleSelect(generator: Generator, shape: Shape, scope: Scope, depth: number): Term | null {
  const id = generator.fresh();
  const { sources, frame } = sourcesOf(generator, shape, scope, depth);
  const rows = within(scope, frame);
  const where = generator.tape.chance(40) ? generator.expression('bool', rows, Math.min(depth, 2)) : null;
  const names: Frame = { aliases: [], fields: [], blocked: [...namesOf(frame)] };
  const inner: Scope = {
    frames: [...scope.frames, names],
    group: { select: id, rows, keys: [], hasGroupings: false },
    star: null,
    window: null,
  };
  const items = aggregatedItems(generator, shape, inner, depth);
  if (items === null) return null;
  const having = generator.tape.chance(10) ? aggregateOf(generator, 'bool', havingScope(inner, items), 1) : null;
  return {
    kind: 'select',
    shape,
    id,
    isDistinct: false,
    distinctOn: [],
    isSingle: true,
    sources,
    where,
    keys: [],
    groupings: null,
    items,
    having,
    qualify: null,
    orderBy: [],
    limit: null,
    offset: null,
  };
}

/** Returns the scope of HAVING: names of items come after fields and before outer names. */
function havingScope(scope: Scope, items: readonly Item[]): Scope {
  return blocking(
    scope,
    items.flatMap(({ field }) => (field === null ? [] : [field])),
  );
}

/** Generates one item, or one for each field of a record, with at least one aggregate. */
function aggregatedItems(generator: Generator, shape: Shape, scope: Scope, depth: number): readonly Item[] | null {
  const select = scope.group?.select;
  const isOwn = (node: Readonly<Record<string, unknown>>): boolean => node['kind'] === 'aggregate' && node['select'] === select;
  if (generator.tape.chance(40)) {
    const items = itemsOf(generator, shape, scope, Math.min(depth, 2));
    if (someNode(items, isOwn)) return items;
  }
  const value = aggregateOf(generator, shape, scope, depth);
  return value === null ? null : [{ value, field: null, isFieldWritten: false }];
}
