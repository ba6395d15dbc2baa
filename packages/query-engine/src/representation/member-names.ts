import type { FieldType } from '@svc/query-language';

/**
 * Returns the names of a record's fields within the engine, in order: each field's own spelling, with `_2`, `_3` … if the
 * engine, which ignores case, would confuse two, `_` for the empty name, and a symbol for a NUL. Output uses the type, never
 * these names.
 */
export function memberNames(fields: readonly FieldType[]): readonly string[] {
  const taken = new Set<string>();
  const nextNumber = new Map<string, number>();
  return fields.map((field) => {
    const base = field.name === '' ? '_' : field.name.replaceAll('\0', '\u2400');
    let name = base;
    for (let n = nextNumber.get(fold(base)) ?? 2; taken.has(fold(name)); n++) {
      name = `${base}_${n}`;
      nextNumber.set(fold(base), n + 1);
    }
    taken.add(fold(name));
    return name;
  });
}

/** Returns whether the engine has all fields under their own names. */
export function hasExactNames(fields: readonly FieldType[]): boolean {
  return memberNames(fields).every((name, i) => name === fields[i]?.name);
}

/** The engine folds ASCII only; folding more names is harmless. */
function fold(name: string): string {
  return name.toLowerCase();
}
