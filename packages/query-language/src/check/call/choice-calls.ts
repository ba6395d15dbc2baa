import type { Plan } from '../../plan/plan.ts';
import type { CallExpression } from '../../syntax/ast.ts';
import { bool, int, notNullable, nullable, string, undeterminedNull } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, isFaulty } from '../operand.ts';
import { placeOf, report } from '../check-context.ts';
import { makeIf } from '../condition.ts';
import { constant, nullOf } from '../../plan/build-plan.ts';
import { boolOf, commonType, expectOperand, expectType, mayBeNull, unifyOperands } from '../convert.ts';
import { letIn } from '../bind.ts';
import { checkComparison } from '../comparison.ts';
import type { Scope } from '../scope.ts';
import { argumentSpan, argumentSpans, checkArguments, hasCount } from './arguments.ts';

/** `COALESCE` */
export function checkCoalesce(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  if (node.arguments.length === 0) return report(context, 'argument-count', node.callee.span, '1 or more', 0);
  const operands = unifyOperands(context, checkArguments(context, node, scope), argumentSpans(node));
  if (operands === null) return errorPlan(node.span);
  const common = commonType(operands);
  const type = operands.some((operand) => !mayBeNull(operand)) ? notNullable(common) : nullable(common);
  return { kind: 'Coalesce', type, span: placeOf(context, node.span), operands };
}

/** `ISNULL(e, alternative)` */
export function checkNullReplacement(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  return hasCount(context, node, 2) ? checkCoalesce(context, node, scope) : errorPlan(node.span);
}

/** `NULLIF` */
export function checkNullIf(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  if (!hasCount(context, node, 2)) return errorPlan(node.span);
  const [value, other] = checkArguments(context, node, scope);
  const spans = [argumentSpan(node, 0), argumentSpan(node, 1)] as const;
  if (value === undefined || other === undefined) throw new Error('NULLIF takes two arguments');
  if (isFaulty(value)) return value;
  return letIn(context, value, (use) => {
    const same = checkComparison(context, { operator: '=', span: node.span, spans }, use, other);
    if (isFaulty(same)) return same;
    const type = nullable(use.type);
    const branches = [{ when: same, then: nullOf(type, node.span) }];
    return { kind: 'Case', type, span: placeOf(context, node.span), branches, otherwise: use };
  });
}

/** `IFF` */
export function checkIff(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  if (!hasCount(context, node, 3)) return errorPlan(node.span);
  const [test, yes, no] = checkArguments(context, node, scope);
  if (test === undefined || yes === undefined || no === undefined) throw new Error('IFF takes three arguments');
  const checked = expectOperand(context, test, bool, argumentSpan(node, 0));
  const unified = unifyOperands(context, [yes, no], argumentSpans(node).slice(1));
  const [consequent, alternate] = unified ?? [];
  if (consequent === undefined || alternate === undefined) return errorPlan(node.span);
  return makeIf(context, node.span, { condition: checked, consequent, alternate });
}

/** `CHOOSE` */
export function checkChoose(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  const [index, ...values] = checkArguments(context, node, scope);
  const [at, ...spans] = argumentSpans(node);
  if (index === undefined || at === undefined || values.length === 0)
    return report(context, 'argument-count', node.callee.span, '2 or more', node.arguments.length);
  const position = expectType(context, index, nullable(int), at);
  const unified = unifyOperands(context, values, spans);
  if (unified === null) return errorPlan(node.span);
  const span = placeOf(context, node.span);
  const type = nullable(commonType(unified));
  return letIn(context, position, (use) => ({
    kind: 'Case',
    type,
    span,
    otherwise: nullOf(type, span),
    branches: unified.map((then, i) => ({
      then,
      when: {
        kind: 'Comparison',
        type: boolOf(use),
        span,
        operator: '=',
        left: use,
        right: constant(int, String(i + 1), span),
      },
    })),
  }));
}

/** `ERROR` */
export function checkError(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  if (!hasCount(context, node, 1)) return errorPlan(node.span);
  const [message] = checkArguments(context, node, scope);
  if (message === undefined) throw new Error('ERROR takes one argument');
  const text = expectType(context, message, nullable(string), argumentSpan(node, 0));
  const type = notNullable(undeterminedNull);
  return { kind: 'Call', type, span: placeOf(context, node.span), function: 'ERROR', arguments: [text] };
}
