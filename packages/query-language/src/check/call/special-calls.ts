import type { Plan } from '../../plan/plan.ts';
import type { CallExpression } from '../../syntax/ast.ts';
import type { FunctionType, Type } from '../../types/type.ts';
import { bool, collectionOf, date, int, notNullable, nullable, printType, string, timestamp, undeterminedNull } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { errorPlan, placeOf, report } from '../check-context.ts';
import { makeIf, nullOf } from '../condition.ts';
import { boolOf, commonType, expectType, letIn, mayBeNull, unifyOperands } from '../convert.ts';
import { checkValue } from '../expression.ts';
import { selectFrom } from '../map-collection.ts';
import type { FunctionValue } from '../operand.ts';
import { asData, isFaulty } from '../operand.ts';
import { checkComparison } from '../operator.ts';
import type { Scope } from '../scope.ts';
import { checkArgument } from './arguments.ts';

type SpecialCall = (context: CheckContext, node: CallExpression, scope: Scope) => Plan;

/** Built-in functions whose arguments follow a rule of their own. */
export const SPECIAL_CALLS: Readonly<Record<string, SpecialCall>> = {
  COALESCE: checkCoalesce,
  ISNULL: (context, node, scope) => (hasCount(context, node, 2) ? checkCoalesce(context, node, scope) : errorPlan(node.span)),
  NULLIF: checkNullIf,
  IFF: checkIff,
  CHOOSE: checkChoose,
  TRY: checkTry,
  ERROR: checkError,
  NOW: (context, node) => parameter(context, node, 'now', timestamp),
  TODAY: (context, node) => parameter(context, node, 'today', date),
  USER: (context, node) => parameter(context, node, 'user', string),
  SCOPES: (context, node) => parameter(context, node, 'scopes', collectionOf(string)),
  TRANSFORM: (context, node, scope) => overElements(context, node, scope, (element, f) => ({ item: f(element) })),
  FILTER: (context, node, scope) =>
    overElements(context, node, scope, (element, f) => ({ item: element, where: condition(context, node, f(element)) })),
  ANY: (context, node, scope) => existsWhere(context, node, scope, false),
  ALL: (context, node, scope) => existsWhere(context, node, scope, true),
  FIND_FIRST: checkFindFirst,
};

function hasCount(context: CheckContext, node: CallExpression, count: number): boolean {
  if (node.arguments.length === count) return true;
  report(context, 'argument-count', node.callee.span, String(count), node.arguments.length);
  return false;
}

function checkAll(context: CheckContext, node: CallExpression, scope: Scope): readonly Plan[] {
  return node.arguments.map((argument) => checkValue(context, argument.value, scope));
}

function checkCoalesce(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  if (node.arguments.length === 0) return report(context, 'argument-count', node.callee.span, '1 or more', 0);
  const operands = unifyOperands(
    context,
    checkAll(context, node, scope),
    node.arguments.map((argument) => argument.value.span),
  );
  if (operands === null) return errorPlan(node.span);
  const common = commonType(operands);
  const type = operands.some((operand) => !mayBeNull(operand)) ? notNullable(common) : nullable(common);
  return { kind: 'Coalesce', type, span: placeOf(context, node.span), operands };
}

function checkNullIf(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  if (!hasCount(context, node, 2)) return errorPlan(node.span);
  const [value, other] = checkAll(context, node, scope);
  const [first, second] = node.arguments.map((argument) => argument.value.span);
  if (value === undefined || other === undefined || first === undefined || second === undefined || isFaulty(value))
    return errorPlan(node.span);
  return letIn(context, value, (use) => {
    const same = checkComparison(context, { operator: '=', span: node.span, spans: [first, second] }, use, other);
    if (isFaulty(same)) return same;
    const type = nullable(use.type);
    return {
      kind: 'Case',
      type,
      span: placeOf(context, node.span),
      branches: [{ when: same, then: nullOf(type, node.span) }],
      otherwise: use,
    };
  });
}

function checkIff(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  if (!hasCount(context, node, 3)) return errorPlan(node.span);
  const [test, yes, no] = checkAll(context, node, scope);
  const spans = node.arguments.map((argument) => argument.value.span);
  if (test === undefined || yes === undefined || no === undefined) return errorPlan(node.span);
  const checked = expectType(context, test, nullable(bool), spans[0] ?? node.span);
  const unified = unifyOperands(context, [yes, no], spans.slice(1));
  const [consequent, alternate] = unified ?? [];
  if (isFaulty(checked) || consequent === undefined || alternate === undefined) return errorPlan(node.span);
  return makeIf(context, node.span, { condition: checked, consequent, alternate });
}

function checkChoose(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  const [index, ...values] = checkAll(context, node, scope);
  const [at, ...spans] = node.arguments.map((argument) => argument.value.span);
  if (index === undefined || at === undefined || values.length === 0)
    return report(context, 'argument-count', node.callee.span, '2 or more', node.arguments.length);
  const position = expectType(context, index, nullable(int), at);
  const unified = unifyOperands(context, values, spans);
  if (isFaulty(position) || unified === null) return errorPlan(node.span);
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
        right: { kind: 'Constant', type: int, span, value: String(i + 1) },
      },
    })),
  }));
}

function checkTry(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  if (!hasCount(context, node, 1)) return errorPlan(node.span);
  const [operand] = checkAll(context, node, scope);
  if (operand === undefined || isFaulty(operand)) return errorPlan(node.span);
  return { kind: 'Try', type: nullable(operand.type), span: placeOf(context, node.span), operand };
}

function checkError(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  if (!hasCount(context, node, 1)) return errorPlan(node.span);
  const [message] = checkAll(context, node, scope);
  if (message === undefined) return errorPlan(node.span);
  const text = expectType(context, message, nullable(string), node.arguments[0]?.value.span ?? node.span);
  if (isFaulty(text)) return text;
  return {
    kind: 'Call',
    type: undeterminedNull,
    span: placeOf(context, node.span),
    function: 'ERROR',
    overload: '(message: string) -> any nullable',
    arguments: [text],
  };
}

function parameter(context: CheckContext, node: CallExpression, name: string, type: Type): Plan {
  if (!hasCount(context, node, 0)) return errorPlan(node.span);
  return { kind: 'Parameter', type, span: placeOf(context, node.span), name };
}

interface Elements {
  readonly collection: Plan;
  readonly callback: FunctionValue;
}

/** The collection and the function of a call like TRANSFORM(c, f). */
function checkElements(context: CheckContext, node: CallExpression, scope: Scope): Elements | null {
  if (!hasCount(context, node, 2)) return null;
  const collection = asData(context, checkArgument(context, node, 0, scope, null));
  if (isFaulty(collection)) return null;
  const spans = node.arguments.map((argument) => argument.value.span);
  if (collection.type.kind !== 'CollectionType') {
    report(context, 'collection-expected', spans[0] ?? node.span, printType(collection.type));
    return null;
  }
  const expected: FunctionType = {
    kind: 'FunctionType',
    isNullable: false,
    parameters: [{ name: null, type: collection.type.element, isOptional: false }],
    result: { kind: 'ErrorType', isNullable: false },
  };
  const callback = checkArgument(context, node, 1, scope, expected);
  if (callback.kind === 'FunctionValue') return { collection, callback };
  if (!isFaulty(callback)) report(context, 'function-expected', spans[1] ?? node.span, printType(callback.type));
  return null;
}

function overElements(
  context: CheckContext,
  node: CallExpression,
  scope: Scope,
  make: (element: Plan, f: (element: Plan) => Plan) => { readonly item: Plan; readonly where?: Plan },
): Plan {
  const parts = checkElements(context, node, scope);
  if (parts === null) return errorPlan(node.span);
  const span = node.arguments[1]?.value.span ?? node.span;
  return selectFrom(context, parts.collection, placeOf(context, node.span), (element) =>
    make(element, (argument) => asData(context, parts.callback.apply([argument], span))),
  );
}

function condition(context: CheckContext, node: CallExpression, plan: Plan): Plan {
  return expectType(context, plan, nullable(bool), node.arguments[1]?.value.span ?? node.span);
}

/** Whether some element makes the function true; for ALL, whether none makes it false (NULL neither decides). */
function existsWhere(context: CheckContext, node: CallExpression, scope: Scope, isAll: boolean): Plan {
  const span = placeOf(context, node.span);
  const found = overElements(context, node, scope, (element, f) => {
    const test = condition(context, node, f(element));
    return { item: element, where: isAll ? { kind: 'Not', type: test.type, span, operand: test } : test };
  });
  if (isFaulty(found)) return found;
  const exists: Plan = {
    kind: 'Call',
    type: mayBeNull(found) ? nullable(bool) : bool,
    span,
    function: 'EXISTS',
    overload: '(collection: collection(T)) -> bool',
    arguments: [found],
  };
  return isAll ? { kind: 'Not', type: exists.type, span, operand: exists } : exists;
}

function checkFindFirst(context: CheckContext, node: CallExpression, scope: Scope): Plan {
  const found = overElements(context, node, scope, (element, f) => ({ item: element, where: condition(context, node, f(element)) }));
  if (isFaulty(found) || found.type.kind !== 'CollectionType') return found;
  const span = placeOf(context, node.span);
  const index: Plan = { kind: 'Constant', type: { kind: 'PrimitiveType', name: 'long', isNullable: false }, span, value: '0' };
  return { kind: 'Element', type: nullable(found.type.element), span, target: found, index };
}
