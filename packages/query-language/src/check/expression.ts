import type { Expression } from '../syntax/ast.ts';
import type { FunctionType, Type } from '../types/type.ts';
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

type Check<Node extends Expression> = (context: CheckContext, node: Node, scope: Scope, wanted: FunctionType | null) => Operand;

/** The check of each kind of expression. */
const CHECKS: { readonly [Kind in Expression['kind']]: Check<Extract<Expression, { readonly kind: Kind }>> } = {
  NullLiteral: checkLiteral,
  BooleanLiteral: checkLiteral,
  NumberLiteral: checkLiteral,
  StringLiteral: checkLiteral,
  TemporalLiteral: checkLiteral,
  RegexLiteral: checkLiteral,
  NameExpression: (context, { name }, scope, wanted) => checkName(context, name, scope, wanted),
  StarExpression: (context, { span }, scope) => checkStar(context, span, scope),
  CollectionExpression: checkCollection,
  RecordExpression: checkRecord,
  FieldAccess: checkFieldAccess,
  IndexAccess: checkIndex,
  CallExpression: checkCall,
  TypedCallExpression: checkTypedCall,
  UnaryExpression: (context, node, scope) => checkUnary(context, node, checkValue(context, node.operand, scope)),
  BinaryExpression: checkBinary,
  SetExpression: checkSet,
  OrderedChain: checkOrderedChain,
  InExpression: checkIn,
  LikeExpression: checkLike,
  BetweenExpression: checkBetween,
  IsNullExpression: checkIsNull,
  IsDistinctExpression: checkIsDistinct,
  AtTimeZoneExpression: checkAtTimeZone,
  IntoExpression: checkInto,
  ExcludeExpression: checkExclude,
  ParseAsExpression: checkParseAs,
  IfExpression: checkIf,
  CaseExpression: checkCase,
  CastExpression: checkCast,
  LambdaExpression: checkLambda,
  BlockExpression: checkBlock,
  SelectExpression: checkSelect,
};

/** Checks an expression that may also denote a function of the expected type. */
export function checkOperand(context: CheckContext, expression: Expression, scope: Scope, expected: Type | null): Operand {
  if (!countNode(context, expression.span)) return errorPlan(expression.span);
  const check = CHECKS[expression.kind] as Check<Expression>; // the entry of a kind takes its nodes
  return check(context, expression, scope, expected?.kind === 'FunctionType' ? expected : null);
}
