import type { Name } from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import type { Type } from '../types/type.ts';
import { errorPlan } from './check-context.ts';
import type { LetHolder } from './let-holder.ts';
import type { Operand } from './operand.ts';
import type { SelectFrame } from './select/select-frame.ts';

/** One thing that a name may stand for in a scope. `use` makes the plan of one use of it. */
export interface Candidate {
  readonly name: string;
  /** Whether it stands for a function, without asking `use`. */
  readonly isFunction?: boolean | undefined;
  /** What kind of name it is where that counts: a field of a source, an item of a SELECT, or a parameter of a function. */
  readonly role?: 'field' | 'item' | 'parameter';
  /** For a field: how to write it with the alias of its source, null where that has none. */
  readonly qualified?: string | null;
  readonly use: (span: Span) => Operand;
  /** For a declaration of rows, or a source: what its text says of them. */
  readonly rows?: NamedRows;
  /** For a set of overloads: all of them, to choose from by the arguments. */
  readonly overloads?: readonly FunctionCandidate[];
}

/** What the text of a query says of its rows beyond their type. */
export interface NamedRows {
  /** The name of the rows, which are no records: that of the one item of the query. `steps` counts the names followed so far. */
  readonly name: (steps?: number) => string | null;
  /** Whether it is an aggregate query, which is one row where rows are read. */
  readonly isOneRow: (steps?: number) => boolean;
}

/** One declared function, to be chosen by the types of the arguments. */
export interface FunctionCandidate {
  readonly parameters: readonly ParameterCandidate[];
  /** Not to be seen by other texts. */
  readonly isPrivate?: boolean;
  readonly value: () => Operand;
}

/** A parameter of an overload, as calls are matched with it. */
export interface ParameterCandidate {
  readonly name: string;
  readonly type: Type;
  readonly hasDefault: boolean;
}

/** What stands for a name of which a fault has been told: it agrees with everything. */
export const NOT_KNOWN: Candidate = { name: '', use: errorPlan };

/** A level of names. Scopes are searched from the innermost outwards. */
export interface Scope {
  readonly parent: Scope | null;
  /** All candidates whose name `matches`; an alias that hides fields is left to the scope. */
  readonly find: (matches: (name: string) => boolean) => readonly Candidate[];
  /** Names to suggest from. */
  readonly names: () => readonly string[];
  /** The types of the rows whose fields are among them. */
  readonly rowTypes: () => readonly Type[];
  readonly findType: (matches: (name: string) => boolean) => Type | null;
  /** Set on the scope of a SELECT: what `*` and aggregates mean below it. */
  readonly frame: SelectFrame | null;
  /** Set where declarations stand: who binds the values of what is used. */
  readonly lets: LetHolder | null;
  /** Set at the edge of a function's body: aggregates and `*` of a SELECT outside are not meant inside. */
  readonly isBoundary: boolean;
}

/** A scope with what is usual left out. */
export function createScope(parent: Scope | null, parts: Partial<Omit<Scope, 'parent'>>): Scope {
  return {
    parent,
    find: () => [],
    names: () => [],
    rowTypes: () => [],
    findType: () => null,
    frame: null,
    lets: null,
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

/** What a name means: all that `find` has of exactly this name; where there is none, and it is not quoted, without regard to case. */
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

/** Whether a name that means a field would mean a parameter of a function around the SELECT if the field were not there. */
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

/** All names in sight, innermost first, to suggest from. */
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
