import { assertNever } from '../assert-never.ts';
import type { Plan } from '../plan/plan.ts';
import type { Name } from '../syntax/ast.ts';
import { isAssignable, printType } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { nameNeed, resolve } from './needs.ts';
import { errorPlan, isFaulty } from './operand.ts';
import { noteUse, placeOf, report } from './check-context.ts';
import { convertTo } from './convert.ts';
import type { NameAnswer } from './environment.ts';
import { causeOf, cycleText, inReferencedSource, isOnTrail, MAX_TRAIL, parseReferenced, relocate } from './referenced-source.ts';
import { createLetHolder, wrapLets } from './let-holder.ts';
import type { Operand } from './operand.ts';
import { openProgram } from './program-scope.ts';

/**
 * Resolves an undeclared name: a view or a table of the caller's namespace, else the result of `otherwise`, else that of
 * `notFound`, which receives the stored names.
 */
export function useStoredName(
  context: CheckContext,
  name: Name,
  notFound: (stored: readonly string[]) => Plan,
  otherwise?: () => Operand | null,
): Operand {
  const need = nameNeed('name', name);
  const answer = resolve(context, need, context.environment.findName(need));
  if (answer === undefined) return errorPlan(name.span);
  switch (answer.kind) {
    case 'table': {
      if (answer.type.kind !== 'CollectionType') throw new Error('the type of a table is a collection');
      noteUse(context, { kind: 'table', name: answer.name });
      return { kind: 'TableScan', type: answer.type, span: placeOf(context, name.span), table: answer.name };
    }
    case 'view':
      noteUse(context, { kind: 'view', name: answer.name });
      return expandView(context, name, answer);
    case 'refused':
      return report(context, 'read-failed', name.span, answer.problem);
    case 'nothing':
      return otherwise?.() ?? notFound(answer.candidates);
    default:
      return assertNever(answer);
  }
}

/**
 * Expands a view in place of its name, as a program with its own scope, so that the engine optimizes across it. Faults in it
 * are one diagnostic at the name, and so is a type other than the stored one.
 */
function expandView(context: CheckContext, { span }: Name, view: NameAnswer & { readonly kind: 'view' }): Plan {
  const member = `view ${view.name}`;
  if (isOnTrail(context, member)) return report(context, 'view-uses-itself', span, view.name, cycleText(context, member));
  if (context.text.trail.length >= MAX_TRAIL) return report(context, 'nested-too-deeply', span, MAX_TRAIL);
  const { tree, diagnostics } = parseReferenced(context, view.text);
  if (tree === null) return report(context, 'view-invalid', span, view.name, causeOf(diagnostics, view.text));
  const trail = [...context.text.trail, member];
  const { value: plan, faults } = inReferencedSource(context, { trail, span }, (): Plan => {
    const holder = createLetHolder();
    const { scope, checkAll } = openProgram(context, tree, holder);
    checkAll();
    if (tree.result === null) return report(context, 'result-expected', { start: tree.span.end, end: tree.span.end });
    return wrapLets(holder, viewValue(context, context.checkOperand(tree.result, scope)));
  });
  if (faults.length > 0) return report(context, 'view-invalid', span, view.name, causeOf(faults, view.text));
  if (isFaulty(plan)) return errorPlan(span);
  if (view.type !== null && !isAssignable(plan.type, view.type))
    return report(context, 'view-type-changed', span, view.name, printType(view.type), printType(plan.type));
  return relocate(view.type === null ? plan : convertTo(plan, view.type), placeOf(context, span));
}

/** Checks that a view ends in data, not in a function. */
export function viewValue(context: CheckContext, operand: Operand): Plan {
  return operand.kind === 'FunctionValue' ? report(context, 'view-is-function', operand.span) : operand;
}
