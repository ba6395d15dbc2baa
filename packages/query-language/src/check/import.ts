import type { ImportPackage, ImportedName, Name, Program } from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import type { Type } from '../types/type.ts';
import { errorType } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { errorPlan, report } from './check-context.ts';
import { inReferencedSource } from './referenced-source.ts';
import type { OpenPackage } from './open-package.ts';
import { openPackage, packageValue, publicDeclarations, useInPackage } from './open-package.ts';
import type { Candidate, Scope } from './scope.ts';
import { createScope, meant, NOT_KNOWN } from './scope.ts';
import { suggest } from '../text/suggest.ts';

/** A name bound by an import. */
interface Binding {
  readonly name: string;
  readonly span: Span;
  readonly candidate: () => Candidate | null;
  readonly type: () => Type | null;
}

/** Creates the scope of a program's imports. Reports unknown packages and names; faults inside a package are reported at its use. */
export function openImports(context: CheckContext, program: Program): Scope | null {
  if (program.imports.length === 0) return null;
  const bindings = program.imports.flatMap((part): readonly Binding[] => {
    const opened = openPackage(context, part.packageName);
    return part.kind === 'ImportPackage'
      ? [bindPackage(context, part, opened)]
      : part.names.map((imported) => bindName(context, imported, opened));
  });
  reportRepeated(context, program, bindings);
  return createScope(null, {
    find: (matches) => {
      const [found, another] = bindings.filter(({ name }) => matches(name));
      const candidate = another === undefined ? found?.candidate() : NOT_KNOWN;
      return candidate ? [candidate] : [];
    },
    names: () => bindings.map(({ name }) => name),
    findType: (matches) => bindings.find(({ name, type }) => matches(name) && type() !== null)?.type() ?? null,
  });
}

/** Something that cannot be known now, or not at all: it agrees with everything. */
function bindNothing(name: Name): Binding {
  return { name: name.text, span: name.span, candidate: () => NOT_KNOWN, type: () => errorType };
}

/** `IMPORT p AS q`: q is the value of p. */
function bindPackage(context: CheckContext, { packageName, alias }: ImportPackage, opened: OpenPackage | null): Binding {
  const name = alias ?? packageName;
  if (opened === null) return bindNothing(name);
  const candidate: Candidate = {
    name: name.text,
    use: (span) => ({ ...packageValue(context, opened, packageName.span), span }),
  };
  return { name: name.text, span: name.span, candidate: () => candidate, type: () => null };
}

/** `FROM p IMPORT f AS g`: g is the public declaration f of p. */
function bindName(context: CheckContext, imported: ImportedName, opened: OpenPackage | null): Binding {
  const name = imported.alias ?? imported.name;
  if (opened === null) return bindNothing(name);
  const declared = findPublic(opened, imported.name);
  if (declared === null) {
    const names = publicDeclarations(opened.program).map((declaration) => declaration.name.text);
    report(context, 'unknown-name', imported.name.span, imported.name.text, suggest(imported.name.text, names));
    return bindNothing(name);
  }
  const isDeclared = (other: string): boolean => other === declared;
  const kinds = new Set(publicDeclarations(opened.program).flatMap((one) => (isDeclared(one.name.text) ? one.kind : [])));
  let candidate: Candidate | null = null;
  const use = { context, opened, at: imported.name.span, declared };
  return {
    name: name.text,
    span: name.span,
    candidate: () =>
      kinds.has('DataDeclaration') || kinds.has('FunctionDeclaration') ? (candidate ??= importedCandidate(use, name.text)) : null,
    type: () => inReferencedSource(context, { trail: opened.trail, span: use.at }, () => opened.scope.scope.findType(isDeclared)).value,
  };
}

function findPublic(opened: OpenPackage, name: Name): string | null {
  const names = publicDeclarations(opened.program).map((declaration) => declaration.name.text);
  return meant(name, (matches) => names.filter(matches))[0] ?? null;
}

interface ImportedUse {
  readonly context: CheckContext;
  readonly opened: OpenPackage;
  /** The name in the import, at which diagnostics of the package are reported. */
  readonly at: Span;
  readonly declared: string;
}

function importedCandidate({ context, opened, at, declared }: ImportedUse, name: string): Candidate | null {
  const needed = [declared.toLowerCase()];
  const { value } = inReferencedSource(context, { trail: opened.trail, span: at }, () =>
    opened.scope.scope.find((other) => other === declared).at(0),
  );
  if (value === undefined) return null;
  const overloads = value.overloads?.filter((overload) => overload.isPrivate !== true);
  if (overloads === undefined) {
    return { name, use: (span) => ({ ...useInPackage(context, opened, at, needed, () => value.use(at)), span }) };
  }
  const imported = overloads.map((overload) => ({
    ...overload,
    value: () => useInPackage(context, opened, at, needed, overload.value),
  }));
  return { name, isFunction: true, overloads: imported, use: (span) => ({ ...(imported[0]?.value() ?? errorPlan(at)), span }) };
}

/** A name that is imported and declared, or imported twice, is one error with all its places. */
function reportRepeated(context: CheckContext, program: Program, bindings: readonly Binding[]): void {
  const names = [
    ...bindings.map(({ name, span }) => ({ name, span, isImported: true })),
    ...program.declarations.map(({ name }) => ({ name: name.text, span: name.span, isImported: false })),
  ];
  for (const group of Map.groupBy(names, ({ name }) => name.toLowerCase()).values()) {
    const [first] = group;
    if (first === undefined || group.length === 1 || !group.some(({ isImported }) => isImported)) continue;
    report(
      context,
      'declared-twice',
      group.map(({ span }) => span),
      first.name,
    );
  }
}
