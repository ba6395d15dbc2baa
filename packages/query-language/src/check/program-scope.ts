import type { ImportedName, ImportPackage, Name, Program } from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import { suggest } from '../text/suggest.ts';
import type { Type } from '../types/type.ts';
import { errorType } from '../types/types.ts';
import type { CheckContext, OpenPackage } from './check-context.ts';
import { noteUse, refuse, report } from './check-context.ts';
import { openDeclarations } from './declaration.ts';
import type { LetHolder } from './let-holder.ts';
import { createLetHolder } from './let-holder.ts';
import { nameNeed, resolve } from './needs.ts';
import { errorPlan } from './operand.ts';
import { packageValue, useInPackage } from './package-value.ts';
import { publicDeclarations } from './public-functions.ts';
import { causeOf, cycleText, inReferencedSource, isOnTrail, MAX_TRAIL, parseReferenced } from './referenced-source.ts';
import { repeatedBy, spansOf } from './repeated.ts';
import type { Candidate, DeclarationScope, Scope } from './scope.ts';
import { createScope, meant, NOT_KNOWN } from './scope.ts';

/** Opens the scope of a program: its imports and declarations, unchecked. */
export function openProgram(context: CheckContext, program: Program, holder: LetHolder): DeclarationScope {
  return openDeclarations(context, program.declarations, openImports(context, program), holder);
}

/** A name bound by an import. */
interface Binding {
  readonly name: string;
  readonly span: Span;
  readonly candidate: () => Candidate | null;
  readonly type: () => Type | null;
}

/** Creates the scope of a program's imports. Reports unknown packages and names; faults inside a package are reported at its use. */
function openImports(context: CheckContext, program: Program): Scope | null {
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
  for (const group of repeatedBy(names, ({ name }) => name.toLowerCase()))
    if (group.some(({ isImported }) => isImported)) report(context, 'declared-twice', spansOf(group), group[0].name);
}

/** The package of a name; null while its text is not known, and after a report. */
function openPackage(context: CheckContext, name: Name): OpenPackage | null {
  const need = nameNeed('package', name);
  const answer = resolve(context, need, context.environment.findPackage(need));
  if (answer === undefined) return null;
  if (answer.kind === 'nothing') return refuse(context, 'package-not-found', name.span, name.text, suggest(name.text, answer.candidates));
  noteUse(context, { kind: 'package', name: answer.name });
  const member = `package ${answer.name}`;
  if (isOnTrail(context, member)) return refuse(context, 'package-imports-itself', name.span, answer.name, cycleText(context, member));
  if (context.text.trail.length >= MAX_TRAIL) return refuse(context, 'nested-too-deeply', name.span, MAX_TRAIL);
  const known = context.packages.get(member.toLowerCase());
  const opened = known ?? openText(context, answer, name.span);
  if (opened === null) return null;
  context.packages.set(member.toLowerCase(), opened);
  if (opened.cause === null) return opened;
  return refuse(context, 'package-invalid', name.span, opened.name, opened.cause);
}

function openText(context: CheckContext, { name, text }: { readonly name: string; readonly text: string }, span: Span): OpenPackage | null {
  const { tree, diagnostics } = parseReferenced(context, text);
  if (tree === null) return refuse(context, 'package-invalid', span, name, causeOf(diagnostics, text));
  const trail = [...context.text.trail, `package ${name}`];
  const holder = createLetHolder();
  const { value: scope, faults } = inReferencedSource(context, { trail, span }, () => openProgram(context, tree, holder));
  return { name, text, program: tree, scope, holder, trail, value: null, cause: faults.length > 0 ? causeOf(faults, text) : null };
}
