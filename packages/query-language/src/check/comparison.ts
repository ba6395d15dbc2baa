import { isNull, not, nullOf } from '../plan/build-plan.ts';
import type { ComparisonOperator, Plan } from '../plan/plan.ts';
import type {
  BetweenExpression,
  BinaryExpression,
  ComparisonSign,
  IsDistinctExpression,
  IsNullExpression,
  LikeExpression,
} from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import { bool, isComparable, printType, string } from '../types/types.ts';
import { letIn } from './bind.ts';
import type { CheckContext } from './check-context.ts';
import { placeOf, report } from './check-context.ts';
import { checkValue } from './check-value.ts';
import { boolOf, expectOperand, unifyOperands } from './convert.ts';
import { comparedElements, comparedWithText } from './element-advice.ts';
import { errorPlan, isFaulty, isNullAlone } from './operand.ts';
import { quotedField } from './quoted-field.ts';
import { spansOf } from './repeated.ts';
import type { Scope } from './scope.ts';

/** Checks a comparison of two checked operands. */
export function checkComparison(
  context: CheckContext,
  comparison: { readonly operator: ComparisonOperator; readonly span: Span; readonly spans: readonly [Span, Span] },
  left: Plan,
  right: Plan,
): Plan {
  const { operator, span, spans } = comparison;
  const withNull = compareWithNull(context, comparison, left, right);
  if (withNull !== null) return withNull;
  const operands = unifyOperands(context, [left, right], spans, { readsTemporals: true });
  const [l, r] = operands ?? [];
  if (l === undefined || r === undefined) return errorPlan(span);
  const needsOrder = operator === '<' || operator === '<=' || operator === '>' || operator === '>=';
  if (!isComparable(l.type)) return report(context, needsOrder ? 'not-orderable' : 'not-comparable', spans[0], printType(l.type));
  const isTotal = operator === 'is-distinct' || operator === 'is-not-distinct';
  return { kind: 'Comparison', type: isTotal ? bool : boolOf(l, r), span: placeOf(context, span), operator, left: l, right: r };
}

/** Checks a comparison of an `any`, which is allowed with NULL only. */
function compareWithNull(
  context: CheckContext,
  { operator, span }: { readonly operator: ComparisonOperator; readonly span: Span },
  left: Plan,
  right: Plan,
): Plan | null {
  const value = isNullAlone(right) ? left : isNullAlone(left) ? right : null;
  if (value?.type.kind !== 'AnyType' || value.type.isUndetermined) return null;
  const place = placeOf(context, span);
  if (operator !== 'is-distinct' && operator !== 'is-not-distinct') return nullOf(bool, place);
  const test = isNull(value, place);
  return operator === 'is-not-distinct' ? test : not(test);
}

/** Checks a comparison. For a field of a collection, or a string compared with another type, the diagnostic suggests the correct form. */
export function compareOrAdvise(
  context: CheckContext,
  node: BinaryExpression & { readonly operator: ComparisonSign },
  left: Plan,
  right: Plan,
): Plan {
  const spans = [node.left.span, node.right.span] as const;
  const isMixed = (left.type.kind === 'CollectionType') !== (right.type.kind === 'CollectionType');
  const isSound = ![left, right].some((side) => isFaulty(side) || side.type.kind === 'AnyType');
  const adviceFor = (): string | null =>
    isMixed ? comparedElements(node, [left.type, right.type]) : comparedWithText([node.left, node.right], [left, right]);
  const advice = isSound ? adviceFor() : null;
  if (advice !== null) return report(context, 'incompatible-types', spans, printType(left.type), printType(right.type), advice);
  return checkComparison(context, { operator: node.operator, span: node.span, spans }, left, right);
}

/** `low <= operand AND operand <= high`, with the operand evaluated once. */
export function checkBetween(context: CheckContext, node: BetweenExpression, scope: Scope): Plan {
  const parts = [node.operand, node.low, node.high];
  const operands = parts.map((part) => checkValue(context, part, scope));
  const unified = unifyOperands(context, operands, spansOf(parts), { readsTemporals: true });
  const [operand, low, high] = unified ?? [];
  if (operand === undefined || low === undefined || high === undefined) return errorPlan(node.span);
  if (!isComparable(operand.type)) return report(context, 'not-orderable', node.operand.span, printType(operand.type));
  const span = placeOf(context, node.span);
  return letIn(context, operand, (use) => {
    const inOrder = (left: Plan, right: Plan): Plan => ({
      kind: 'Comparison',
      type: boolOf(left, right),
      span,
      operator: '<=',
      left,
      right,
    });
    const operands = [inOrder(low, use), inOrder(use, high)];
    const both: Plan = { kind: 'Logical', type: boolOf(...operands), span, operator: 'and', operands };
    return node.isNegated ? not(both) : both;
  });
}

/** `operand LIKE pattern`, also with ESCAPE. */
export function checkLike(context: CheckContext, node: LikeExpression, scope: Scope): Plan {
  const parts = [node.operand, node.pattern, ...(node.escape === null ? [] : [node.escape])];
  const [operand, pattern, escape] = parts.map((part) => expectOperand(context, checkValue(context, part, scope), string, part.span));
  if (operand === undefined || pattern === undefined) throw new Error('LIKE has a pattern');
  const quoted = pattern.kind === 'Constant' ? quotedField(context, node.operand, scope) : null;
  if (quoted !== null) return quoted;
  const span = placeOf(context, node.span);
  const like: Plan = {
    kind: 'Like',
    type: boolOf(operand, pattern, escape ?? pattern),
    span,
    operand,
    pattern,
    escape: escape ?? null,
    isCaseInsensitive: node.isCaseInsensitive,
  };
  return node.isNegated ? not(like) : like;
}

/** `operand IS NULL` */
export function checkIsNull(context: CheckContext, node: IsNullExpression, scope: Scope): Plan {
  const operand = checkValue(context, node.operand, scope);
  // In SQL a query of one value, which is NULL where there is no row.
  if (node.operand.kind === 'SelectExpression' && operand.type.kind === 'CollectionType' && !operand.type.isNullable)
    return report(context, 'query-never-null', node.span, node.isNegated);
  const test = isNull(operand, placeOf(context, node.span));
  return node.isNegated ? not(test) : test;
}

/** `left IS DISTINCT FROM right` */
export function checkIsDistinct(context: CheckContext, { isNegated, span, left, right }: IsDistinctExpression, scope: Scope): Plan {
  const operator = isNegated ? 'is-not-distinct' : 'is-distinct';
  const spans = [left.span, right.span] as const;
  return checkComparison(context, { operator, span, spans }, checkValue(context, left, scope), checkValue(context, right, scope));
}
