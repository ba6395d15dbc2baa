import { isNull, not } from '../plan/build-plan.ts';
import type { Plan } from '../plan/plan.ts';
import type {
  BetweenExpression,
  BinaryExpression,
  BinaryOperator,
  ComparisonSign,
  Expression,
  IsDistinctExpression,
  IsNullExpression,
  LikeExpression,
} from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import type { Type } from '../types/type.ts';
import { printType, string } from '../types/types.ts';
import { assertNever } from '../assert-never.ts';
import type { CheckContext } from './check-context.ts';
import { countNode, placeOf, report } from './check-context.ts';
import { checkValue } from './check-value.ts';
import { errorPlan, isFaulty } from './operand.ts';
import { checkBlock } from './declaration.ts';
import { checkCall } from './call/call.ts';
import { checkTypedCall } from './call/typed-call.ts';
import { checkAtTimeZone } from './at-time-zone.ts';
import { checkCast } from './cast.ts';
import { checkCase, checkIf } from './condition.ts';
import { checkCollection, checkIndex, checkSet } from './collection.ts';
import { checkIn } from './membership.ts';
import { quotedField } from './quoted-field.ts';
import { boolOf, expectOperand } from './convert.ts';
import { comparedElements, comparedWithText } from './element-advice.ts';
import { checkLambda } from './lambda.ts';
import { checkLiteral } from './literal.ts';
import { checkName, checkStar } from './name.ts';
import type { Operand } from './operand.ts';
import { checkParseAs } from './parse-as.ts';
import { checkArithmetic, checkBetween, checkComparison, checkConcatenation, checkLogical, checkUnary } from './operator.ts';
import { appendRecords, checkExclude, checkFieldAccess, checkInto, checkRecord, updateRecord } from './record.ts';
import type { Scope } from './scope.ts';
import { checkOrderedChain } from './select/chain.ts';
import { checkSelect } from './select/select.ts';

/** Checks an expression that may also denote a function of the expected type. The switch only dispatches. */
export function checkOperand(context: CheckContext, expression: Expression, scope: Scope, expected: Type | null): Operand {
  if (!countNode(context, expression.span)) return errorPlan(expression.span);
  const wanted = expected?.kind === 'FunctionType' ? expected : null;
  switch (expression.kind) {
    case 'NullLiteral':
    case 'BooleanLiteral':
    case 'NumberLiteral':
    case 'StringLiteral':
    case 'TemporalLiteral':
    case 'RegexLiteral':
      return checkLiteral(context, expression);
    case 'NameExpression':
      return checkName(context, expression.name, scope, wanted);
    case 'StarExpression':
      return checkStar(context, expression.span, scope);
    case 'CollectionExpression':
      return checkCollection(context, expression, scope);
    case 'RecordExpression':
      return checkRecord(context, expression, scope);
    case 'FieldAccess':
      return checkFieldAccess(context, expression, scope);
    case 'IndexAccess':
      return checkIndex(context, expression, scope);
    case 'CallExpression':
      return checkCall(context, expression, scope);
    case 'TypedCallExpression':
      return checkTypedCall(context, expression, scope);
    case 'UnaryExpression':
      return checkUnary(context, expression, checkValue(context, expression.operand, scope));
    case 'BinaryExpression':
      return checkBinary(context, expression, scope);
    case 'SetExpression':
      return checkSet(context, expression, scope);
    case 'OrderedChain':
      return checkOrderedChain(context, expression, scope);
    case 'InExpression':
      return checkIn(context, expression, scope);
    case 'LikeExpression':
      return checkLike(context, expression, scope);
    case 'BetweenExpression':
      return checkRange(context, expression, scope);
    case 'IsNullExpression':
      return checkIsNull(context, expression, scope);
    case 'IsDistinctExpression':
      return checkIsDistinct(context, expression, scope);
    case 'AtTimeZoneExpression':
      return checkAtTimeZone(context, expression, scope);
    case 'IntoExpression':
      return checkInto(context, expression, scope);
    case 'ExcludeExpression':
      return checkExclude(context, expression, scope);
    case 'ParseAsExpression':
      return checkParseAs(context, expression, scope);
    case 'IfExpression':
      return checkIf(context, expression, scope);
    case 'CaseExpression':
      return checkCase(context, expression, scope);
    case 'CastExpression':
      return checkCast(context, expression, scope);
    case 'LambdaExpression':
      return checkLambda(context, expression, scope, wanted);
    case 'BlockExpression':
      return checkBlock(context, expression, scope);
    case 'SelectExpression':
      return checkSelect(context, expression, scope);
    default:
      return assertNever(expression);
  }
}

function checkLike(context: CheckContext, node: LikeExpression, scope: Scope): Plan {
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

function checkRange(context: CheckContext, node: BetweenExpression, scope: Scope): Plan {
  const { operand, low, high } = node;
  return checkBetween(context, { ...node, spans: [operand.span, low.span, high.span] }, [
    checkValue(context, operand, scope),
    checkValue(context, low, scope),
    checkValue(context, high, scope),
  ]);
}

function checkIsNull(context: CheckContext, node: IsNullExpression, scope: Scope): Plan {
  const operand = checkValue(context, node.operand, scope);
  const test = isNull(operand, placeOf(context, node.span));
  return node.isNegated ? not(test) : test;
}

function checkIsDistinct(context: CheckContext, { isNegated, span, left, right }: IsDistinctExpression, scope: Scope): Plan {
  const operator = isNegated ? 'is-not-distinct' : 'is-distinct';
  const spans = [left.span, right.span] as const;
  return checkComparison(context, { operator, span, spans }, checkValue(context, left, scope), checkValue(context, right, scope));
}

/** Checks a binary operator. Chains lean to the left and may be long, so the left spine is walked in a loop. */
function checkBinary(context: CheckContext, node: BinaryExpression, scope: Scope): Plan {
  const spine: BinaryExpression[] = [node];
  let leftmost: Expression = node.left;
  while (leftmost.kind === 'BinaryExpression') {
    spine.push(leftmost);
    leftmost = leftmost.left;
  }
  spine.reverse();
  let plan = checkValue(context, leftmost, scope);
  for (let i = 0; i < spine.length;) {
    const run = runFrom(spine, i);
    plan = checkRun(context, run, plan, scope);
    i += run.length;
  }
  return plan;
}

/** Operators whose chain becomes one n-ary node. Building it pairwise would take quadratic time. */
const CHAINED: ReadonlySet<BinaryOperator> = new Set(['AND', 'OR', '||']);

/** The operations from one on that make one node. */
function runFrom(spine: readonly BinaryExpression[], start: number): readonly BinaryExpression[] {
  const operator = spine[start]?.operator;
  let end = start + 1;
  if (operator !== undefined && CHAINED.has(operator)) while (spine[end]?.operator === operator) end += 1;
  return spine.slice(start, end);
}

const COMPARISONS: ReadonlySet<BinaryOperator> = new Set(['=', '<>', '<', '<=', '>', '>=']);

function checkRun(context: CheckContext, run: readonly BinaryExpression[], left: Plan, scope: Scope): Plan {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a run has an operation');
  const rights = function* (): Generator<{ readonly plan: Plan; readonly span: Span }> {
    yield { plan: left, span: first.left.span };
    for (const { right } of run) yield { plan: checkValue(context, right, scope), span: right.span };
  };
  const { operator, span } = last;
  if (operator === 'AND' || operator === 'OR') return checkLogical(context, operator === 'OR' ? 'or' : 'and', span, rights());
  if (operator === '||')
    return checkConcatenation(
      context,
      span,
      [...rights()].map(({ plan }) => plan),
    );
  const right = checkValue(context, first.right, scope);
  const isOfConstants = COMPARISONS.has(operator) && left.kind === 'Constant' && right.kind === 'Constant';
  const quoted = isOfConstants ? (quotedField(context, first.left, scope) ?? quotedField(context, first.right, scope)) : null;
  return quoted ?? checkOneBinary(context, { ...first, operator }, left, right);
}

/** Checks a comparison. For a field of a collection, or a string compared with another type, the diagnostic suggests the correct form. */
function compareOrAdvise(
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

function checkOneBinary(
  context: CheckContext,
  node: BinaryExpression & { readonly operator: Exclude<BinaryOperator, 'AND' | 'OR' | '||'> },
  left: Plan,
  right: Plan,
): Plan {
  switch (node.operator) {
    case '=':
    case '<>':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compareOrAdvise(context, { ...node, operator: node.operator }, left, right);
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return checkArithmetic(context, { ...node, operator: node.operator }, left, right);
    case '++':
      return appendRecords(context, node, left, right);
    case '+++':
      return updateRecord(context, node, left, right);
    default:
      return assertNever(node.operator);
  }
}
