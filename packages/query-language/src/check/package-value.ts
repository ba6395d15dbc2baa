import type { Plan } from '../plan/plan.ts';
import type { DataDeclaration, Program } from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import { recordOf } from '../types/types.ts';
import { bind } from './bind.ts';
import type { CheckContext, OpenPackage } from './check-context.ts';
import { placeOf, report } from './check-context.ts';
import type { LetHolder } from './let-holder.ts';
import { namesIn } from './needed-declarations.ts';
import type { Operand } from './operand.ts';
import { errorPlan, isFaulty } from './operand.ts';
import { publicDeclarations } from './public-functions.ts';
import { asUsedAt, causeOf, inReferencedSource, relocate } from './referenced-source.ts';
import type { DeclarationScope } from './scope.ts';

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
  const value = program.result === null ? recordOfData(context, program, at.scope) : context.checkOperand(program.result, at.scope.scope);
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
