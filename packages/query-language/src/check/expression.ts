import { assertNever } from '../assert-never.ts';
import type { Expression } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import { checkUnary } from './arithmetic.ts';
import { checkAtTimeZone } from './at-time-zone.ts';
import { checkBinary } from './binary.ts';
import { checkCall } from './call/call.ts';
import { checkTypedCall } from './call/typed-call.ts';
import { checkCast } from './cast.ts';
import type { CheckContext } from './check-context.ts';
import { countNode } from './check-context.ts';
import { checkValue } from './check-value.ts';
import { checkCollection, checkIndex, checkSet } from './collection.ts';
import { checkBetween, checkIsDistinct, checkIsNull, checkLike } from './comparison.ts';
import { checkCase, checkIf } from './condition.ts';
import { checkBlock } from './declaration.ts';
import { checkLambda } from './lambda.ts';
import { checkLiteral } from './literal.ts';
import { checkIn } from './membership.ts';
import { checkName, checkStar } from './name.ts';
import type { Operand } from './operand.ts';
import { errorPlan } from './operand.ts';
import { checkParseAs } from './parse-as.ts';
import { checkExclude, checkFieldAccess, checkInto, checkRecord } from './record.ts';
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
      return checkBetween(context, expression, scope);
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
