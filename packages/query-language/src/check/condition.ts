import { not, nullOf } from '../plan/build-plan.ts';
import type { Plan } from '../plan/plan.ts';
import type { CaseExpression, Expression, IfExpression } from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import { bool, undeterminedNull } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { errorPlan } from './operand.ts';
import { placeOf, report } from './check-context.ts';
import { commonType, convertTo, expectOperand, mayBeNull, unifyOperands } from './convert.ts';
import { letIn } from './bind.ts';
import { checkCondition, checkValue } from './check-value.ts';
import { checkComparison } from './comparison.ts';
import type { Scope } from './scope.ts';

/** `IF c THEN a ELSE b`: NULL if the condition is NULL. */
export function checkIf(context: CheckContext, node: IfExpression, scope: Scope): Plan {
  const condition = checkCondition(context, node.condition, scope);
  const results = checkBranches(context, [node.consequent, node.alternate], scope);
  const unified = unifyOperands(context, results, [node.consequent.span, node.alternate.span]);
  const [consequent, alternate] = unified ?? [];
  if (consequent === undefined || alternate === undefined) return errorPlan(node.span);
  return makeIf(context, node.span, { condition, consequent, alternate });
}

/** IF over checked, unified parts. */
export function makeIf(
  context: CheckContext,
  at: Span,
  parts: { readonly condition: Plan; readonly consequent: Plan; readonly alternate: Plan },
): Plan {
  const { condition, consequent, alternate } = parts;
  const span = placeOf(context, at);
  const type = commonType([consequent, alternate], { isNullable: mayBeNull(condition) });
  if (!mayBeNull(condition)) return { kind: 'Case', type, span, branches: [{ when: condition, then: consequent }], otherwise: alternate };
  return letIn(context, condition, (use) => ({
    kind: 'Case',
    type,
    span,
    branches: [
      { when: use, then: consequent },
      { when: not(use, span), then: alternate },
    ],
    otherwise: nullOf(type, span),
  }));
}

/** Both SQL forms of CASE; NULL if no branch matches. */
export function checkCase(context: CheckContext, node: CaseExpression, scope: Scope): Plan {
  const operand = node.operand === null ? null : checkValue(context, node.operand, scope);
  const build = (use: Plan | null): Plan => {
    const whens = node.branches.map((branch) => {
      const when = checkValue(context, branch.when, scope);
      if (use === null || node.operand === null) return expectOperand(context, when, bool, branch.when.span);
      return checkComparison(context, { operator: '=', span: branch.when.span, spans: [node.operand.span, branch.when.span] }, use, when);
    });
    const branches = [...node.branches.map((branch) => branch.then), ...(node.alternate === null ? [] : [node.alternate])];
    const checked = checkBranches(context, branches, scope);
    const spans = branches.map((branch) => branch.span);
    const otherwise = node.alternate === null ? [nullOf(undeterminedNull, node.span)] : [];
    const unified = unifyOperands(context, [...checked, ...otherwise], [...spans, node.span]);
    const last = unified?.at(-1);
    if (unified === null || last === undefined) return errorPlan(node.span);
    const type = commonType(unified);
    return {
      kind: 'Case',
      type,
      span: placeOf(context, node.span),
      branches: whens.map((when, i) => ({ when, then: unified[i] ?? last })),
      otherwise: convertTo(last, type),
    };
  };
  return operand === null ? build(null) : letIn(context, operand, build);
}

/** Branches must be data: which function is called must be known when the program is checked. One fault, at all that are functions. */
function checkBranches(context: CheckContext, branches: readonly Expression[], scope: Scope): readonly Plan[] {
  const operands = branches.map((branch) => context.checkOperand(branch, scope));
  const places = operands.flatMap((operand) => (operand.kind === 'FunctionValue' ? [operand.span] : []));
  if (places.length > 0) report(context, 'function-not-known', places);
  return operands.map((operand) => (operand.kind === 'FunctionValue' ? errorPlan(operand.span) : operand));
}
