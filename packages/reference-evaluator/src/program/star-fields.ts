import type { Shape } from '../values/shape.ts';
import type { Merged, Source, Term } from './term.ts';

/** A field of `*` over several sources. */
export interface StarField {
  readonly name: string;
  readonly shape: Shape;
  readonly value: Term;
}

/**
 * Returns the fields of `*`: those merged by USING once and first, then the other fields of all sources, later duplicates as
 * `name_1`, `name_2`.
 */
export function starFields(sources: readonly Source[]): readonly StarField[] {
  const merged = new Map<string, Merged>();
  for (const one of sources.flatMap(({ using }) => using)) merged.set(one.name, one);
  const parts = new Set([...merged.values()].flatMap(({ parts: ofOne }) => ofOne.map(keyOf)));
  const others = sources.flatMap(fieldsOf).filter(({ value }) => !parts.has(keyOf(value)));
  const all = [...[...merged.values()].map((value): StarField => ({ name: value.name, shape: value.shape, value })), ...others];
  const taken = new Set<string>();
  return all.map((field) => {
    let { name } = field;
    for (let n = 1; taken.has(name); n += 1) name = `${field.name}_${n}`;
    taken.add(name);
    return { ...field, name };
  });
}

/** Returns the fields of a source; one whose rows are not records is a field named by its alias, else by its position. */
function fieldsOf({ id, alias, shape }: Source, place: number): readonly StarField[] {
  const row: Term = { kind: 'variable', id, name: alias ?? '', shape };
  if (typeof shape !== 'object' || shape.kind !== 'record') return [{ name: alias ?? `_${place + 1}`, shape, value: row }];
  return shape.fields.map(({ name, shape: of }, index) => ({
    name,
    shape: of,
    value: { kind: 'field', shape: of, target: row, index, name, isBare: true },
  }));
}

function keyOf(term: Term): string {
  return term.kind === 'field' && term.target.kind === 'variable' ? `${term.target.id}.${term.index}` : '';
}
