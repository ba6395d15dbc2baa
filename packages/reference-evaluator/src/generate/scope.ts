import type { Key, Select, Term } from '../program/term.ts';
import { someNode } from '../program/tree.ts';
import type { Shape } from '../values/shape.ts';

/** A name and the term it denotes. */
export interface Named {
  readonly name: string;
  readonly term: Term;
}

/** Names of one scope level: aliases hide fields, two names of one kind are ambiguous, and `blocked` names denote nothing. */
export interface Frame {
  readonly aliases: readonly Named[];
  readonly fields: readonly Named[];
  readonly blocked: readonly string[];
  /** Blocked names of sources: in FROM they come before the fields of an inner row. */
  readonly blockedAliases?: readonly string[];
}

/** The terms available at a position. */
export interface Scope {
  /** From the outermost to the innermost. */
  readonly frames: readonly Frame[];
  /** The SELECT whose aggregates are allowed here, the scope of their arguments, and whether GROUPING takes its keys. */
  readonly group: { readonly select: number; readonly rows: Scope; readonly keys: readonly Key[]; readonly hasGroupings: boolean } | null;
  /** The SELECT whose windows are allowed here, the scope of their rows, and whether its clause WINDOW may declare them. */
  readonly window: { readonly select: number; readonly rows: Scope; readonly canDeclare: boolean } | null;
  /** The group that `*` is here. */
  readonly star: { readonly select: Pick<Select, 'id' | 'sources'>; readonly shape: Shape } | null;
}

/** The scope without aggregates, windows and `*`, and with more names. */
export function within(scope: Scope, frame: Frame): Scope {
  return { frames: [...scope.frames, frame], group: null, star: null, window: null };
}

/** Returns the scope without names that may denote something else there: a term written with another name for them would not be meant. */
export function blocking(scope: Scope, names: readonly string[]): Scope {
  const frame: Frame = { aliases: [], fields: [], blocked: names };
  const isHidden = (node: Readonly<Record<string, unknown>>): boolean =>
    (node['kind'] === 'variable' || node['isBare'] === true) && names.includes(String(node['name']));
  const seen = scope.group?.keys.filter((key) => !someNode(key, isHidden)) ?? [];
  const group = scope.group === null ? null : { ...scope.group, rows: blocking(scope.group.rows, names), keys: seen };
  return { ...scope, frames: [...scope.frames, frame], group };
}

/** Returns every name that is visible here by the scope rules: the innermost wins. */
function namesIn(scope: Scope): readonly Named[] {
  const seen = new Set<string>();
  const found: Named[] = [];
  for (const [i, frame] of [...scope.frames.entries()].toReversed()) {
    const outer = scope.frames.slice(0, i);
    const all = [...frame.aliases, ...frame.fields];
    for (const name of new Set([...all.map((named) => named.name), ...frame.blocked])) {
      if (seen.has(name)) continue;
      seen.add(name);
      if (frame.blocked.includes(name)) continue;
      const aliases = frame.aliases.filter((named) => named.name === name);
      const candidates = aliases.length > 0 ? aliases : frame.fields.filter((named) => named.name === name);
      // A name that denotes both a field and an outer parameter is an error; outer names are not classified here.
      const isHiding =
        aliases.length === 0 &&
        outer.some((around) => around.aliases.some((named) => named.name === name) || around.blockedAliases?.includes(name) === true);
      if (candidates.length === 1 && !isHiding) found.push(...candidates);
    }
  }
  return found;
}

/** Returns the terms that a name with at most two dots can denote, and the keys of the enclosing SELECT as written. */
export function referencesIn(scope: Scope): readonly Term[] {
  const direct = namesIn(scope).map(({ term }) => term);
  const first = direct.flatMap(fieldsOf);
  return [...(scope.group?.keys ?? []), ...direct, ...first, ...first.flatMap(fieldsOf)];
}

/** The fields of a record, and of the records of a collection. */
function fieldsOf(target: Term): readonly Term[] {
  const { shape } = target;
  if (typeof shape !== 'object') return [];
  const record = shape.kind === 'record' ? shape : shape.element;
  if (typeof record !== 'object' || record.kind !== 'record') return [];
  return record.fields.map(({ name, shape: inner }, index): Term => ({
    kind: 'field',
    shape: shape.kind === 'record' ? inner : { kind: 'collection', element: inner },
    target,
    index,
    name,
    isBare: false,
  }));
}
