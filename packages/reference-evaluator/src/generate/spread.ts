import type { StarField } from '../program/star-fields.ts';
import { starFields } from '../program/star-fields.ts';
import type { Item, Select, Source, Spread, Term } from '../program/term.ts';
import type { RecordShape, Shape } from '../values/shape.ts';
import { lastClauses } from './clauses.ts';
import type { Generator } from './generator.ts';
import { pick } from './generator.ts';
import { scalarShape } from './literal.ts';
import type { Scope } from './scope.ts';
import { within } from './scope.ts';
import { sourcesOf } from './sources.ts';

/** Generates a SELECT of `*` or `alias.*` beside other items, with EXCLUDE and REPLACE; the type follows from them. */
export function spreadSelect(generator: Generator, scope: Scope, depth: number): Term {
  const { tape } = generator;
  const id = generator.fresh();
  const { sources, frame } = sourcesOf(generator, 'int', scope, depth);
  const rows = within(scope, frame);
  const where = tape.chance(30) ? generator.expression('bool', rows, Math.min(depth, 2)) : null;
  const items = rowAlone(generator, { id, sources }) ?? itemsOf(generator, sources, rows, Math.min(depth, 2));
  const fields = items.map(({ field, value }) => ({ name: field ?? '', shape: value.shape }));
  const [row] = items;
  const element: Shape = row?.value.kind === 'star' ? row.value.shape : { kind: 'record', fields };
  const base = { kind: 'select', id, shape: { kind: 'collection', element }, sources, where, isSingle: false, items } as const;
  return { ...base, ...lastClauses(generator, { id, items, sources, scope: rows }) } satisfies Select;
}

/** `*` of a single source is its row, which may be NULL. */
function rowAlone(generator: Generator, select: Pick<Select, 'id' | 'sources'>): readonly Item[] | null {
  const [only, another] = select.sources;
  if (only === undefined || another !== undefined) return null;
  const isChangeable = !isRecord(only.shape) || changeable(starFields([only])).length > 0;
  if (isChangeable && generator.tape.chance(70)) return null;
  return [{ value: { kind: 'star', shape: only.shape, select, isGroup: false }, field: null, isFieldWritten: false }];
}

function itemsOf(generator: Generator, sources: readonly Source[], rows: Scope, depth: number): readonly Item[] {
  const named = sources.filter(({ alias, shape }) => alias !== null && isRecord(shape));
  const isWhole = sources.length > 1 || isRecord(sources[0]?.shape ?? 'int');
  const more = (): Item => {
    const shape = scalarShape(generator);
    return { value: generator.expression(shape, rows, depth), field: 'z', isFieldWritten: true };
  };
  if (named.length === 0 || (isWhole && generator.tape.chance(50))) {
    if (!isWhole) return [more()];
    const fields = starFields(sources);
    const hasMore = generator.tape.chance(40) && fields.every(({ name }) => name !== 'z');
    const parts = spread(generator, { alias: null, isChanged: sources.length === 1 && !hasMore }, fields, rows, depth);
    return hasMore ? [...parts, more()] : parts;
  }
  const chosen = named.filter((_, i) => i === 0 || generator.tape.chance(60));
  const taken = new Set<string>();
  const parts = chosen.flatMap((source) =>
    spread(generator, { alias: source.alias, isChanged: false }, starFields([{ ...source, using: [] }]), rows, depth),
  );
  const numbered = parts.map((item) => {
    let name = item.field ?? '';
    for (let n = 1; taken.has(name); n += 1) name = `${item.field}_${n}`;
    taken.add(name);
    return { ...item, field: name };
  });
  return generator.tape.chance(50) && !taken.has('z') ? [...numbered, more()] : numbered;
}

/** Fields of a name that only one has. */
function changeable(fields: readonly StarField[]): readonly StarField[] {
  return fields.filter(({ name }) => !fields.some((other) => other.name.startsWith(`${name}_`)) && !name.includes('_'));
}

/** Generates one `*`, with EXCLUDE or REPLACE of fields whose name is unique. */
function spread(
  generator: Generator,
  { alias, isChanged }: { readonly alias: string | null; readonly isChanged: boolean },
  fields: readonly StarField[],
  rows: Scope,
  depth: number,
): readonly Item[] {
  const single = changeable(fields);
  const excluded = single.length > 1 && generator.tape.chance(40) ? [pick(generator, single).name] : [];
  const left = single.filter(({ name }) => !excluded.includes(name));
  const mustReplace = isChanged && excluded.length === 0;
  const isReplacing = left.length > 0 && (mustReplace || generator.tape.chance(40));
  const replaced = isReplacing
    ? [{ name: pick(generator, left).name, value: generator.expression(scalarShape(generator), rows, depth) }]
    : [];
  const of: Spread = { alias, excluded, replaced };
  return fields
    .filter(({ name }) => !excluded.includes(name))
    .map(({ name, value }): Item => {
      const made = replaced.find((one) => one.name === name)?.value ?? value;
      return { value: made, field: name, isFieldWritten: false, spread: of };
    });
}

function isRecord(shape: Shape): shape is RecordShape {
  return typeof shape === 'object' && shape.kind === 'record';
}
