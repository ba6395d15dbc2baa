import type { Plan } from '../plan/plan.ts';
import type { DataDeclaration, Declaration, Name, Program } from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import { recordOf } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { errorPlan, noteUse, placeOf, report } from './check-context.ts';
import type { DeclarationScope } from './declaration.ts';
import type { PackageNeed } from './environment.ts';
import { checkOperand } from './expression.ts';
import { MAX_TRAIL, asUsedAt, causeOf, cycleText, inReferencedSource, isOnTrail, parseReferenced, relocate } from './referenced-source.ts';
import type { LetHolder } from './let-holder.ts';
import { bind, createLetHolder } from './let-holder.ts';
import { namesIn } from './needed-declarations.ts';
import type { Operand } from './operand.ts';
import { isFaulty } from './operand.ts';
import { openProgram } from './program-scope.ts';
import { suggest } from '../text/suggest.ts';

/** An imported package. Its declarations are checked at their first use. */
export interface OpenPackage {
  readonly name: string;
  readonly text: string;
  readonly program: Program;
  readonly scope: DeclarationScope;
  /** Holds the bindings of its declarations, which move to the program's holder after each use. */
  readonly holder: LetHolder;
  readonly trail: readonly string[];
  /** The value of `IMPORT p`, once it has been used. */
  value: Operand | null;
  /** Why the package cannot be used, if it cannot. */
  cause: string | null;
}

/** The package of a name; null while its text is not known, and after a report. */
export function openPackage(context: CheckContext, name: Name): OpenPackage | null {
  const key = `package:${name.isQuoted ? `\`${name.text}\`` : name.text.toLowerCase()}`;
  const need: PackageNeed = { kind: 'package', key, name: name.text, isQuoted: name.isQuoted };
  const answer = context.environment.findPackage(need);
  if (answer === undefined) {
    context.needs.set(key, need);
    return null;
  }
  if (answer.kind === 'nothing') {
    report(context, 'package-not-found', name.span, name.text, suggest(name.text, answer.candidates));
    return null;
  }
  noteUse(context, { kind: 'package', name: answer.name });
  const member = `package ${answer.name}`;
  if (isOnTrail(context, member)) {
    report(context, 'package-imports-itself', name.span, answer.name, cycleText(context, member));
    return null;
  }
  if (context.text.trail.length >= MAX_TRAIL) {
    report(context, 'nested-too-deeply', name.span, MAX_TRAIL);
    return null;
  }
  const known = context.packages.get(member.toLowerCase());
  const opened = known ?? openText(context, answer, name.span);
  if (opened === null) return null;
  context.packages.set(member.toLowerCase(), opened);
  if (opened.cause === null) return opened;
  report(context, 'package-invalid', name.span, opened.name, opened.cause);
  return null;
}

function openText(context: CheckContext, { name, text }: { readonly name: string; readonly text: string }, span: Span): OpenPackage | null {
  const { tree, diagnostics } = parseReferenced(context, text);
  if (tree === null) {
    report(context, 'package-invalid', span, name, causeOf(diagnostics, text));
    return null;
  }
  const trail = [...context.text.trail, `package ${name}`];
  const holder = createLetHolder();
  const { value: scope, faults } = inReferencedSource(context, { trail, span }, () => openProgram(context, tree, holder));
  return { name, text, program: tree, scope, holder, trail, value: null, cause: faults.length > 0 ? causeOf(faults, text) : null };
}

/** The public declarations of a package. */
export function publicDeclarations(program: Program): readonly Declaration[] {
  return program.declarations.filter((declaration) => !declaration.isPrivate);
}

/** Runs `use` within the scope of a package and relocates its result to `span`. `names` are the names it needs, in lower case. */
export function useInPackage(context: CheckContext, opened: OpenPackage, span: Span, names: Iterable<string>, use: () => Operand): Operand {
  const { value, faults } = inReferencedSource(context, { trail: opened.trail, span }, () => {
    opened.scope.checkNeeded(names);
    return use();
  });
  const rootSpan = context.text.rootSpan ?? placeOf(context, span);
  for (const binding of opened.holder.bindings.splice(0)) {
    const plan = relocate(binding.value, rootSpan);
    context.holder.bindings.push({ ...binding, value: plan });
    context.values.boundPlans.set(binding.id, plan);
  }
  if (faults.length > 0) opened.cause ??= causeOf(faults, opened.text);
  const isWrong = faults.length > 0 || isFaulty(value);
  if (isWrong && opened.cause !== null) return report(context, 'package-invalid', span, opened.name, opened.cause);
  return asUsedAt(context, value, span);
}

/** The value of a package: its final expression, or the record of its public data. */
export function packageValue(context: CheckContext, opened: OpenPackage, span: Span): Operand {
  const { result } = opened.program;
  const needed = result === null ? publicDeclarations(opened.program).map(({ name }) => name.text.toLowerCase()) : namesIn(result);
  return useInPackage(context, opened, span, needed, () => (opened.value ??= checkPackageValue(context, opened.program, opened)));
}

/** The final expression of a package, or the record of its public data, bound in `at.holder`. */
export function checkPackageValue(
  context: CheckContext,
  program: Program,
  at: { readonly scope: DeclarationScope; readonly holder: LetHolder; readonly name: string },
): Operand {
  const value = program.result === null ? recordOfData(context, program, at.scope) : checkOperand(context, program.result, at.scope.scope);
  return value.kind === 'FunctionValue' || isFaulty(value) ? value : bind(context, at.holder, { name: at.name, value });
}

/** Builds the record of a package's public data, without declarations of functions. */
function recordOfData(context: CheckContext, program: Program, { scope }: DeclarationScope): Plan {
  const data = publicDeclarations(program).filter((declaration): declaration is DataDeclaration => declaration.kind === 'DataDeclaration');
  const fields = data.flatMap(({ name }): { readonly name: string; readonly plan: Plan }[] => {
    const operand = scope.find((other) => other === name.text)[0]?.use(name.span) ?? errorPlan(name.span);
    return operand.kind === 'FunctionValue' ? [] : [{ name: name.text, plan: operand }];
  });
  const faulty = fields.find(({ plan }) => isFaulty(plan));
  if (faulty !== undefined) return faulty.plan;
  return {
    kind: 'RecordLiteral',
    type: recordOf(fields.map(({ name, plan }) => ({ name, type: plan.type }))),
    span: placeOf(context, program.span),
    values: fields.map(({ plan }) => plan),
  };
}
