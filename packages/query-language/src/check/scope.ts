import type { Name } from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import type { Type } from '../types/type.ts';
import type { Operand } from './operand.ts';
import { errorPlan } from './operand.ts';
import type { SelectFrame } from './select/select-frame.ts';

/** A possible meaning of a name in a scope. `use` returns the operand of one use. */
export interface Candidate {
  readonly name: string;
  /** True for functions; available without calling `use`. */
  readonly isFunction?: boolean | undefined;
  /** Role of the name: a field of a source, an item of a SELECT, or a parameter of a function. */
  readonly role?: 'field' | 'item' | 'parameter';
  /** For a field: its qualified form with the alias of its source, or null if the source has none. */
  readonly qualified?: string | null;
  /** For a field that hides the implied alias of a source: the row, which is meant before a dot. */
  readonly row?: Candidate;
  readonly use: (span: Span) => Operand;
  /** For a declaration of rows, or a source: properties of the rows that its text determines. */
  readonly rows?: NamedRows;
  /** The overloads of a function, resolved by the arguments. */
  readonly overloads?: readonly FunctionCandidate[];
}

/** Properties of a query's rows that its text determines beyond their type. */
export interface NamedRows {
  /** Returns the name of rows that are not records: that of the query's only item. `steps` counts the declarations followed. */
  readonly name: (steps?: number) => string | null;
  /** Returns whether it is an aggregate query, which is a single row as a source. */
  readonly isOneRow: (steps?: number) => boolean;
}

/** An overload of a declared function, selected by argument types. */
export interface FunctionCandidate {
  readonly parameters: readonly ParameterCandidate[];
  /** Not visible to other texts. */
  readonly isPrivate?: boolean;
  readonly value: () => Operand;
}

/** A parameter of an overload, as calls are matched with it. */
export interface ParameterCandidate {
  readonly name: string;
  readonly type: Type;
  readonly hasDefault: boolean;
}

/** Placeholder for a name that has been reported. Compatible with every type. */
export const NOT_KNOWN: Candidate = { name: '', use: errorPlan };

/** A level of names. Scopes are searched from the innermost outwards. */
export interface Scope {
  readonly parent: Scope | null;
  /** Returns all candidates whose name satisfies `matches`. The scope itself handles aliases that hide fields. */
  readonly find: (matches: (name: string) => boolean) => readonly Candidate[];
  /** Names to suggest from. */
  readonly names: () => readonly string[];
  /** Returns the types of the rows with fields in this scope. */
  readonly rowTypes: () => readonly Type[];
  readonly findType: (matches: (name: string) => boolean) => Type | null;
  /** For the scope of a SELECT: the frame that `*` and aggregates below it refer to. */
  readonly frame: SelectFrame | null;
  /** Set at the edge of a function's body: aggregates and `*` of a SELECT outside are not meant inside. */
  readonly isBoundary: boolean;
}

/** The names of a block: declarations may be used before they are written. */
export interface DeclarationScope {
  readonly scope: Scope;
  /** Checks all declarations in the order of the text, so that one which uses many earlier ones causes no deep recursion. */
  readonly checkAll: () => void;
  /** The same for those that some names need, directly and through others. Names are in lower case. */
  readonly checkNeeded: (names: Iterable<string>) => void;
}

/** Creates a scope; omitted parts are empty. */
export function createScope(parent: Scope | null, parts: Partial<Omit<Scope, 'parent'>>): Scope {
  return {
    parent,
    find: () => [],
    names: () => [],
    rowTypes: () => [],
    findType: () => null,
    frame: null,
    isBoundary: false,
    ...parts,
  };
}

/** A scope of the given candidates. */
export function createCandidateScope(parent: Scope | null, candidates: readonly Candidate[]): Scope {
  return createScope(parent, {
    find: (matches) => candidates.filter((candidate) => matches(candidate.name)),
    names: () => candidates.map((candidate) => candidate.name),
  });
}

/** Returns the text under which a name is known: without regard to case unless it is quoted. */
export function keyOfName(name: Name): string {
  return name.isQuoted ? name.text : name.text.toLowerCase();
}

/** Resolves a name: the exact matches of `find`; if there are none and the name is not quoted, the case-insensitive ones. */
export function meant<T>(name: Name, find: (matches: (other: string) => boolean) => readonly T[]): readonly T[] {
  const exact = find((other) => other === name.text);
  if (exact.length > 0 || name.isQuoted) return exact;
  const folded = name.text.toLowerCase();
  return find((other) => other.toLowerCase() === folded);
}

/** The candidates of the innermost scope that has any: first with exact case in all scopes, then without. */
export function findCandidates(scope: Scope, name: Name, wants: (candidate: Candidate) => boolean): readonly Candidate[] {
  return meant(name, (matches) => {
    for (let level: Scope | null = scope; level !== null; level = level.parent) {
      const found = level.find(matches).filter(wants);
      if (found.length > 0) return found;
    }
    return [];
  });
}

/** Returns whether a name that resolves to a field hides a parameter of a function around the SELECT. */
export function hidesParameter(scope: Scope, name: Name): boolean {
  const found = meant(name, (matches) => levelsOf(scope).flatMap((level) => level.find(matches).slice(0, 1)));
  return found[0]?.role === 'field' && found.find(({ role }) => role !== 'field' && role !== 'item')?.role === 'parameter';
}

/** The nearest SELECT around, or null outside of one and at the top of a function's body. */
export function nearestFrame(scope: Scope): SelectFrame | null {
  for (let level: Scope | null = scope; level !== null && !level.isBoundary; level = level.parent) {
    if (level.frame !== null) return level.frame;
  }
  return null;
}

/** Returns all visible names, innermost first, as suggestions. */
export function namesInSight(scope: Scope): readonly string[] {
  return levelsOf(scope).flatMap((level) => level.names());
}

/** A named type declared in sight. */
export function findNamedType(scope: Scope, name: Name): Type | null {
  return meant(name, (matches) => levelsOf(scope).flatMap((level) => level.findType(matches) ?? []))[0] ?? null;
}

/** A scope and those around it, innermost first. */
export function levelsOf(scope: Scope): readonly Scope[] {
  const levels: Scope[] = [];
  for (let level: Scope | null = scope; level !== null; level = level.parent) levels.push(level);
  return levels;
}
